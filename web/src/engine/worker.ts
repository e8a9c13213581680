// The engine in its worker: takes a request, calls the module, and posts the answer.
import createModule, { type Module } from "./module.js";

export type Request =
  | { call: "view"; text: string }
  | { call: "lanes"; text: string; policy: number; first: number; last: number }
  | { call: "explain"; text: string; policy: number; client: number; attempt: number }
  | { call: "export"; text: string };

export type Reply =
  | { kind: "progress"; policy: number; tick: number; attempts: number }
  | { kind: "done"; answer: Blob }
  | { kind: "failed"; message: string };

const post = (reply: Reply) => self.postMessage(reply);
const millisecondsBetweenProgress = 100;

let pieces: Uint8Array<ArrayBuffer>[] = [];
let lastProgress = 0;

const module: Promise<Module> = createModule({
  emit: (bytes) => pieces.push(bytes.slice()),
  progress: (policy, tick, attempts) => {
    const now = performance.now();
    if (now - lastProgress >= millisecondsBetweenProgress) {
      lastProgress = now;
      post({ kind: "progress", policy, tick, attempts });
    }
  },
});

function answer(engine: Module, request: Request): void {
  const text = new TextEncoder().encode(request.text);
  const address = engine._malloc(Math.max(text.length, 1));
  engine.HEAPU8.set(text, address);
  switch (request.call) {
    case "view":
      engine._view(address, text.length);
      break;
    case "lanes":
      engine._lanes(address, text.length, request.policy, request.first, request.last);
      break;
    case "explain":
      engine._explain(address, text.length, request.policy, request.client, request.attempt);
      break;
    case "export":
      engine._export_json(address, text.length);
      break;
  }
  engine._free(address);
}

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  pieces = [];
  lastProgress = performance.now();
  try {
    answer(await module, data);
    // Put together here: an export can be larger than what the page could copy without a pause.
    post({ kind: "done", answer: new Blob(pieces, { type: "application/json" }) });
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
});
