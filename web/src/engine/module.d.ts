// The module that web/wasm builds.
export interface Module {
  HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(address: number): void;
  _view(text: number, size: number): void;
  _lanes(text: number, size: number, policy: number, first: number, last: number): void;
  _explain(text: number, size: number, policy: number, client: number, attempt: number): void;
  _export_json(text: number, size: number): void;
}

export interface ModuleOptions {
  /** Takes the next piece of the answer; the bytes are only there during the call. */
  emit(bytes: Uint8Array): void;
  progress(policy: number, tick: number, attempts: number): void;
}

export default function createModule(options: ModuleOptions): Promise<Module>;
