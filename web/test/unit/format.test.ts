// Storage formats through the wasm module: every format of the table, and what the program says of elements.

import { expect, test } from "vitest";
import { CHAPTERS } from "../../src/examples";
import { engine } from "../wasm";

const wasm = engine();
const ask = (name: string, sizes: Record<string, number> = {}, by = "") => wasm.ask("format", { name, sizes, by, view: {} });
const place = (number: number, name: string, sizes: Record<string, number> = {}) => wasm.ask("place", { name, sizes, by: "", view: {}, number });

test("every format has a picture at its own small sizes", () => {
  const all = ask("").found;
  expect(all.length).toBeGreaterThan(130);
  for (const { name, purpose } of all) {
    const { format, picture, error } = ask(name);
    expect(error, name).toBeNull();
    expect(format, name).toMatchObject({ name, purpose });
    expect(picture?.panels.length, name).toBe(2);
    for (const title of ["sizes", "layout", "proof"]) expect(format?.known.map(([title]) => title), name).toContain(title);
  }
});

test("an element is where `tilework format awq_gemm K=1 N=8 --at 0,3` says it is, and the byte has it", () => {
  const element = place(3, "awq_gemm", { K: 1, N: 8 });
  expect(element).toMatchObject({ element: "(0,3)", text: "offset 5, byte 2, nibble 5, bit 20: bit 4 of its byte, the lowest is 0" });
  // The first panel has 8 elements; the storage begins after them.
  expect(element?.cells).toEqual([3, 8 + 5]);
  expect(place(8 + 5, "awq_gemm", { K: 1, N: 8 })).toMatchObject({ element: "(0,3)", cells: [3, 8 + 5] });
  expect(place(16, "awq_gemm", { K: 1, N: 8 })).toBeNull();
});

test("pieces and padding", () => {
  const { format } = ask("ggml_q4_0", { N: 1, K: 32 });
  expect(format?.pieces).toEqual(["ggml_q4_0", "ggml_q4_0.scales"]);
  expect(place(32, "ggml_q4_0", { N: 1, K: 32 })?.text).toContain("there is (0,0) of ggml_q4_0.scales");
  const padded = ask("scale_128x4", { M: 1, S: 1 });
  expect(padded.format?.facts).toContainEqual(["padding", ["M to 128, a multiple of 128", "S to 4, a multiple of 4"]]);
  expect(place(2, "scale_128x4", { M: 1, S: 1 })).toMatchObject({ element: "", text: "offset 1, byte 1, bit 8: bit 0 of its byte, the lowest is 0; padding", cells: [2] });
});

test("a name may be an alias, a rule or words; sizes are refused in the crate's sentences", () => {
  expect(ask("f8_128x4").format?.name).toBe("scale_128x4");
  expect(ask("nChw16c:16").format?.axes.map(({ name }) => name)).toEqual(["N", "C", "H", "W"]);
  expect(ask("marlin zero").found.map(({ name }) => name)).toEqual(["marlin_zeros_4", "marlin_zeros_8"]);
  expect(ask("coo")).toMatchObject({ found: [], error: { message: "coo has no layout: where an element is stored depends on the other elements" } });
  expect(ask("marlin_5").error?.message).toContain("did you mean `marlin_4`");
  const refused = ask("marlin_4", { K: 100 });
  expect(refused.error).toMatchObject({ code: "size", message: "K must be a multiple of 16: marlin_4 packs 16 rows; 100 given" });
  expect(refused.format?.known.length).toBeGreaterThan(4);
  expect(refused.picture).toBeNull();
});

test("any name and sizes are answered at once", () => {
  for (const name of ["\u0000", "\ud800", "E x ".repeat(3000), "P V B H D:16", "(8,128)(4,1):8", "9".repeat(400)]) ask(name);
  let slowest = { time: 0, name: "" };
  const all = ask("").found.map(({ name }) => ({ name, axes: ask(name).format?.axes ?? [] }));
  for (const size of [0, 2 ** 20, 10 ** 15]) {
    for (const { name, axes } of all) {
      const start = performance.now();
      ask(name, Object.fromEntries(axes.map(({ name }) => [name, size])));
      const time = performance.now() - start;
      if (time > slowest.time) slowest = { time, name: `${name} at ${size}` };
    }
  }
  console.log(`slowest: ${slowest.name}, ${slowest.time.toFixed(0)} ms`);
});

test("every example has a picture", () => {
  const stored = CHAPTERS.flatMap(({ examples }) => examples).flatMap(({ stored }) => stored ?? []);
  expect(stored.length).toBeGreaterThan(2);
  for (const { format, sizes } of stored) expect(ask(format, sizes).picture, format).not.toBeNull();
});
