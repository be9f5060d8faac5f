// Every case of the corpus, through the wasm module: as corpus/cases.rs has it for the front ends in Rust.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { engine } from "../wasm";

interface Case {
  expr: string;
  result: string | null;
  loose?: boolean;
}

const corpus = new URL("../../../corpus/", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, corpus), "utf8").split("\n").filter((line) => line.trim() !== "");
const cases = (folder: string): Case[] =>
  readdirSync(new URL(folder, corpus))
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => read(folder + file).map((line) => JSON.parse(line) as Case));

const withoutSpace = (text: string) => text.replace(/\s/g, "");

/** The stride of every extent 1 replaced by `_`; as it is where it is not a plain layout. */
function withoutUnitStrides(text: string): string {
  const plain = withoutSpace(text);
  const tokens = (part: string) => part.match(/[(),]|[^(),]+/g) ?? [];
  const at = plain.indexOf(":");
  if (at < 0) return plain;
  const [shape, stride] = [tokens(plain.slice(0, at)), tokens(plain.slice(at + 1))];
  if (shape.length !== stride.length || stride.some((token) => token.includes(":"))) return plain;
  return `${shape.join("")}:${stride.map((token, index) => (shape[index] === "1" ? "_" : token)).join("")}`;
}

test("every case of the corpus", () => {
  const wasm = engine();
  const heldWrong = new Set(read("held_wrong.txt").filter((line) => !line.startsWith("#")));
  const all = [...cases(""), ...cases("language/")];
  expect(all.length).toBeGreaterThan(2300);
  const wrong = all.flatMap(({ expr, result, loose }) => {
    const answer = wasm.ask("pane", { text: expr, before: [], view: { cells: 1 } });
    const got = answer.value?.text ?? null;
    const wanted = heldWrong.delete(expr) ? null : result;
    const form = loose ? withoutUnitStrides : withoutSpace;
    const same = wanted === null || got === null ? wanted === got : form(wanted) === form(got);
    return same ? [] : [`${expr}: want ${wanted}, got ${got}`];
  });
  expect(wrong).toEqual([]);
  expect([...heldWrong]).toEqual([]);
});
