// GPU programs through the wasm module: those of the library and of the tests, and what is wrong.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decode, encode, state } from "../../src/state";
import { engine } from "../wasm";

const wasm = engine();
const question = (text: string, line: number | null = null, sizes: Record<string, number> = {}) => ({ text, line, sizes, view: {} });
const ask = (text: string, line: number | null = null) => wasm.ask("program", question(text, line));
const check = (text: string) => wasm.ask("check", question(text));

const TRANSPOSE = `kernel transpose 256 threads, grid (ceil(M/32),ceil(N/32))
read A f32 (M,N):(lda,1)
write B f32 (M,N):(1,ldb)
shared s f32 (32,32):(32,1)
s[t (32,8):(1@1,1@0), v 4:8@0] = A[b0 32@0, b1 32@1, t (32,8):(1@1,1@0), v 4:8@0] else 0
barrier
B[b0 32@0, b1 32@1, t (32,8):(1@0,1@1), v 4:8@1] = s[t (32,8):(1@0,1@1), v 4:8@1]
`;
const folder = new URL("../../../crates/tilework-program/tests/programs/", import.meta.url);
const programs = readdirSync(folder).map((file) => [file, readFileSync(new URL(file, folder), "utf8")] as const);

test("programs to begin with are proved, drawn, run and emitted", () => {
  const starts = wasm.ask("starts", {});
  expect(starts.length).toBeGreaterThan(4);
  for (const { name, text } of starts) {
    expect(check(text).verdict, name).toBe("proved");
    const { error, picture, line, sizes } = ask(text);
    expect([error, picture === null, line === null, sizes.length > 0], name).toEqual([null, false, false, true]);
    expect(wasm.ask("run", question(text)).error, name).toBeNull();
    expect(wasm.ask("emit", { ...question(text), language: "cuda" }).text, name).toContain("__global__");
  }
});

test("every program of the tests has a picture of every statement, within its limit", () => {
  expect(programs.length).toBeGreaterThan(15);
  for (const [file, text] of programs) {
    const { statements, error } = ask(text);
    expect(error, file).toBeNull();
    for (const { line, text: own } of statements) {
      const { picture, line: drawn } = ask(text, line);
      expect([drawn, own], file).toEqual([line, text.split("\n")[(line ?? 0) - 1]?.trim()]);
      expect(picture?.panels.reduce((sum, { cells }) => sum + cells, 0), file).toBeLessThan(4 * 4096 + 1);
    }
  }
});

test("what `tilework kernel check` says, with lines; conflicts have colours", () => {
  const { verdict, findings } = check(TRANSPOSE.replace("barrier\n", ""));
  expect(verdict).toBe("wrong");
  expect(findings.find(({ certainty }) => certainty === "wrong")).toMatchObject({ line: 6, text: expect.stringContaining("no barrier is between them") });
  expect(check(TRANSPOSE).verdict).toBe("slow");
  expect(check(TRANSPOSE).findings.filter(({ certainty }) => certainty === "slow").map(({ line }) => line)).toEqual([7]);
  expect(check(TRANSPOSE.replace("s f32 (32", "s f32 Sw<5,0,5> o 0 o (32")).verdict).toBe("proved");
  // Rows of 32 words: a column is one bank, and the last of 32 threads is served after 31 others.
  const { picture, statements } = ask(TRANSPOSE, 7);
  expect(statements.map(({ line }) => line)).toEqual([5, 7]);
  expect(picture?.panels.map(({ rows, columns }) => [rows, columns])).toContainEqual([32, 32]);
  const places = Array.from({ length: 2048 }, (_, number) => wasm.ask("touch", { ...question(TRANSPOSE, 7), number })?.text ?? "");
  expect(places.some((text) => text.endsWith("wavefront 31"))).toBe(true);
  const swizzled = TRANSPOSE.replace("s f32 (32", "s f32 Sw<5,0,5> o 0 o (32");
  const without = Array.from({ length: 2048 }, (_, number) => wasm.ask("touch", { ...question(swizzled, 7), number })?.text ?? "");
  expect(without.some((text) => text.endsWith("wavefront 1"))).toBe(false);
});

test("a run at sizes, its limits, and source text", () => {
  const run = (sizes: Record<string, number>) => wasm.ask("run", question(TRANSPOSE, null, sizes)).text;
  expect(run({ M: 70, N: 45 })).toBe(
    "transpose at M=70, N=45, lda=45, ldb=70: 3 x 2 x 1 blocks of 256 threads\nglobal: 3150 read, 2994 outside and filled; 3150 written, 2994 outside and masked\nshared: 6144 read, 6144 written; 6 barriers",
  );
  expect(run({ M: 5000, N: 45 })).toContain("the page runs it at sizes of at most 512");
  expect(run({ M: 512, N: 512 })).toContain("the page runs at most 262144 elements");
  expect(wasm.ask("run", question(TRANSPOSE, null, { M: 10_000_000, N: 1 })).error?.text).toContain("65535");
  expect(wasm.ask("emit", { ...question(TRANSPOSE), language: "wgsl" }).text).toContain("@compute");
});

test("any text is answered", () => {
  for (const text of ["", "\u0000", "\ud800", "(".repeat(5000), "kernel", "kernel k 1024 threads, grid (1)\n".repeat(300), TRANSPOSE.replaceAll("32", "99999999999"), TRANSPOSE.slice(0, -3), `${TRANSPOSE}for k in 9999999999 {\n`.repeat(2)]) {
    const { error, name } = ask(text);
    expect(error !== null || name !== null, text.slice(0, 40)).toBe(true);
    check(text);
    wasm.ask("run", question(text));
    wasm.ask("emit", { ...question(text), language: "cuda" });
  }
  const at = ask(TRANSPOSE.replace("barrier", "barier")).error;
  expect(at?.line).toBe(6);
});

test("a program comes back from its address", () => {
  const kernel = { text: TRANSPOSE, line: 7, run: { M: 70 }, emit: "cuda" };
  const before = state([], { kernel });
  expect(decode(`#${encode(before)}`)).toEqual(before);
  expect(decode("#kernel=a&line=0&run=M&emit=metal")?.kernel).toEqual({ text: "a", line: null, run: {}, emit: "" });
});
