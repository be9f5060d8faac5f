// The module, loaded by Node.js.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Engine } from "../src/engine";

/** As it was before it was packed. */
export function bytes(): Buffer<ArrayBuffer> {
  return gunzipSync(readFileSync(new URL("../src/wasm/tilework_web.wasm.gz", import.meta.url)));
}

export function engine(): Engine {
  return new Engine(new WebAssembly.Module(bytes()));
}
