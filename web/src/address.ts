// The scenario in the fragment of the address, so that a link shares it: `#preset=NAME` for a preset, else the text,
// compressed (`#z=`) or, where the browser cannot, as it is (`#t=`), in base64url.

import { presetOf, presets } from "./presets";
import type { Store } from "./state";

// Browsers limit how often the address may change.
const settleMilliseconds = 400;
// A link may come from anybody, and a short one can unpack into a lot.
const mostBytes = 4_000_000;

export async function fragmentOf(text: string): Promise<string> {
  const preset = presetOf(text);
  if (preset) {
    return `preset=${preset.name}`;
  }
  const bytes = new TextEncoder().encode(text);
  const packed = await through(bytes, () => new CompressionStream("deflate-raw"));
  return packed ? `z=${toBase64Url(packed)}` : `t=${toBase64Url(bytes)}`;
}

/** Null if there is no scenario in it, or none that can be read. */
export async function textInFragment(fragment: string): Promise<string | null> {
  const [form, content = ""] = fragment.replace(/^#/, "").split("=", 2);
  if (form === "preset") {
    return presets.find(({ name }) => name === content)?.text ?? null;
  }
  const bytes = form === "z" || form === "t" ? fromBase64Url(content) : null;
  if (bytes === null) {
    return null;
  }
  const plain = form === "t" ? bytes : await through(bytes, () => new DecompressionStream("deflate-raw"));
  return plain && new TextDecoder().decode(plain);
}

/** The address follows the text, and the text an address that was put in by hand. */
export function keepAddress(store: Store): void {
  let timer: number | undefined;
  const write = async () => {
    const { text } = store.state;
    const fragment = await fragmentOf(text);
    if (text === store.state.text) {
      window.history.replaceState(null, "", "#" + fragment);
    }
  };
  store.subscribe((state, before) => {
    if (state.text !== before.text) {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void write(), settleMilliseconds);
    }
  });
  window.addEventListener("hashchange", () => {
    void textInFragment(window.location.hash).then((text) => {
      if (text !== null) {
        store.update({ text });
      }
    });
  });
}

/** The bytes after the transformation; null if there is no such thing, or they are none for it, or too many. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: () => CompressionStream | DecompressionStream,
): Promise<Uint8Array | null> {
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(transform()).getReader();
    const parts: Uint8Array[] = [];
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > mostBytes) {
        await reader.cancel();
        return null;
      }
      parts.push(part.value);
    }
    return concatenated(parts, size);
  } catch {
    return null;
  }
}

function concatenated(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) {
    binary += String.fromCharCode(byte);
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
