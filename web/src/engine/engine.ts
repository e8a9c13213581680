// The engine, as the page calls it: one worker, one call at a time. A run is cancelled by ending its worker; the next
// call starts another one.
import type { Reply, Request } from "./worker";
import EngineWorker from "./worker?worker&inline";
import { Cancelled, type Engine, type RunProgress } from "./types";

interface Call {
  request: Request;
  onProgress: ((progress: RunProgress) => void) | undefined;
  resolve(answer: Blob): void;
  reject(error: Error): void;
}

export function createEngine(): Engine {
  const waiting: Call[] = []; // the first one is under way
  let worker = startWorker();

  function startWorker(): Worker {
    const started = new EngineWorker();
    started.addEventListener("message", ({ data }: MessageEvent<Reply>) => receive(data));
    // What ends a worker, such as too little memory, leaves nothing to go on with.
    started.addEventListener("error", (event) => {
      restart();
      waiting.shift()?.reject(new Error(event.message || "the engine stopped"));
      sendFirst();
    });
    return started;
  }

  function restart(): void {
    worker.terminate();
    worker = startWorker();
  }

  function sendFirst(): void {
    if (waiting[0]) {
      worker.postMessage(waiting[0].request);
    }
  }

  function receive(reply: Reply): void {
    if (reply.kind === "progress") {
      const { policy, tick, attempts } = reply;
      waiting[0]?.onProgress?.({ policy, tick, attempts });
      return;
    }
    const call = waiting.shift();
    if (reply.kind === "failed") {
      restart(); // a module that failed cannot be called again
      call?.reject(new Error(reply.message));
    } else {
      call?.resolve(reply.answer);
    }
    sendFirst();
  }

  function ask(request: Request, onProgress?: (progress: RunProgress) => void) {
    return new Promise<Blob>((resolve, reject) => {
      waiting.push({ request, onProgress, resolve, reject });
      if (waiting.length === 1) {
        sendFirst();
      }
    });
  }

  async function askJson(request: Request, onProgress?: (progress: RunProgress) => void) {
    const answer = await ask(request, onProgress);
    return JSON.parse(await answer.text());
  }

  return {
    view: (text, onProgress) => askJson({ call: "view", text }, onProgress),
    lanes: (text, policy, first, last) => askJson({ call: "lanes", text, policy, first, last }),
    explain: (text, policy, client, attempt) =>
      askJson({ call: "explain", text, policy, client, attempt }),
    export: (text) => ask({ call: "export", text }),
    cancel() {
      const cancelled = waiting.splice(0);
      if (cancelled.length > 0) {
        restart();
      }
      for (const call of cancelled) {
        call.reject(new Cancelled("cancelled"));
      }
    },
  };
}
