// The wasm module of crates/tilework-web: JSON in, JSON out.

import type { Answers, Questions } from "./answers";

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  answer(): number;
  place(): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  private exports: Exports;

  constructor(private readonly module: WebAssembly.Module) {
    this.exports = start(module);
  }

  /** From the URL of the module in the build: `data:`, base64 of gzip, so that nothing is fetched. */
  static async load(url: string): Promise<Engine> {
    const packed = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
    const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Engine(await WebAssembly.compile(await new Response(bytes).arrayBuffer()));
  }

  ask<K extends keyof Questions>(ask: K, question: Questions[K]): Answers[K] {
    try {
      return this.call({ ask, ...question }) as Answers[K];
    } catch (error) {
      // After a trap the memory may be corrupt; the next question gets a fresh instance.
      this.exports = start(this.module);
      throw error;
    }
  }

  private call(question: object): unknown {
    // Lone surrogates are not UTF-8.
    const whole = (_: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
    const text = encoder.encode(JSON.stringify(question, whole));
    const { memory, room, answer, place } = this.exports;
    const start = room(text.length);
    new Uint8Array(memory.buffer, start, text.length).set(text);
    const length = answer();
    const found: unknown = JSON.parse(decoder.decode(new Uint8Array(memory.buffer, place(), length)));
    if (found !== null && typeof found === "object" && "refused" in found) throw new Error(String(found.refused));
    return found;
  }
}

function start(module: WebAssembly.Module): Exports {
  return new WebAssembly.Instance(module).exports as unknown as Exports;
}
