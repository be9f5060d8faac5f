// The module, loaded by Node.js.

import { readFileSync } from "node:fs";
import { Engine } from "../src/engine";

export function engine(): Engine {
  const file = new URL("../src/wasm/tilework_web.wasm", import.meta.url);
  return new Engine(new WebAssembly.Module(readFileSync(file)));
}
