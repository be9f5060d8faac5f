// A tensor on many devices: its address, and every case of corpus/sharding through the wasm module.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHAPTERS } from "../../src/examples";
import { decode, encode, pane, type State, state } from "../../src/state";
import { tensor, type Tensor } from "../../src/tensor";
import { engine } from "../wasm";

const wasm = engine();
const question = ({ shape, bits, ...lines }: Tensor, before: string[] = []) => ({ ...lines, text: shape, before, view: { bits } });
const ask = (of: Tensor, before?: string[]) => wasm.ask("sharding", question(of, before));

interface Case extends Partial<Tensor> {
  shape: string;
  mesh: string;
  spec: string;
  result: Record<string, unknown> | null;
  code?: string;
  says?: string;
}

const corpus = new URL("../../../corpus/sharding/shardings.jsonl", import.meta.url);
const cases = readFileSync(corpus, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Case);

test("every case of the corpus", () => {
  expect(cases.length).toBeGreaterThan(45);
  for (const { result, code, says, shape, mesh, spec, to = "", bits = 32, links = "" } of cases) {
    const name = `${shape} ${spec} ${to} on ${mesh}`;
    const { forms, plan, error } = ask(tensor(shape, mesh, spec, { to, bits, links }));
    if (result === null) {
      expect(error, name).toMatchObject({ code, message: says });
      continue;
    }
    expect(error, name).toBeNull();
    const told: Record<string, unknown> = { ...forms, ...plan, steps: plan?.steps?.map(({ step }) => step) };
    for (const [key, value] of Object.entries(result)) expect(told[key], `${key} of ${name}`).toEqual(value);
  }
});

test("who holds a block, and at which local index", () => {
  const of = tensor("(1024,512)", "x=2,y=4", "P(x)", { device: 6 });
  const { picture, cells, held } = ask(of);
  expect(picture?.panels).toEqual([{ rows: 2, columns: 1, cells: 2 }]);
  expect(cells).toEqual([1]);
  expect(held).toBe("1048576 bytes on each of 8 devices");
  const block = wasm.ask("block", { ...question(of), number: 1 });
  expect(block).toMatchObject({ indices: "rows 512..1023, columns 0..511", first: "(0,0)", last: "(511,511)" });
  expect(block?.holders.map(({ device }) => device)).toEqual([4, 5, 6, 7]);
  expect(block?.holders[2]).toEqual({ device: 6, place: "x=1,y=2" });
  expect(wasm.ask("block", { ...question(of), number: 2 })).toBeNull();
});

test("the plan is that of the chosen device, with what it sends, by links", () => {
  const of = tensor("(16,64)", "x=2,y=4", "P(x, y)", { to: "P(x, None)", bits: 16, device: 1 });
  const { plan } = ask(of);
  expect(plan?.text).toContain("Device 1 has afterwards\n  256 bytes from device 0,");
  expect(plan?.sent).toMatch(/^Device 1 sends\n {2}256 bytes to device 0, /);
  expect(plan?.steps?.[0]?.links).toEqual([{ axis: "y", bytes: 768 }]);
  expect(ask({ ...of, device: 8 })).toMatchObject({ line: "device", error: { message: "there is no device 8; the mesh has the devices 0 to 7" } });
});

test("the shape is an expression, which may use names; a line that is wrong is named", () => {
  const of = tensor("(N,8)", "x=2", "P(x)");
  expect(ask(of, ["let N = 6"]).forms?.local).toEqual([3, 8]);
  expect(ask(of)).toMatchObject({ line: "shape", error: { code: "name", start: 1, end: 2 } });
  expect(ask(tensor("", "x=2", "P(x)"))).toMatchObject({ line: "shape", error: { code: "syntax" } });
  expect(ask(tensor("4:1 o", "x=2", "P(x)"))).toMatchObject({ line: "shape", error: { code: "syntax" } });
  expect(ask(tensor("8", "x=2", "P(x)", { to: "P(" }))).toMatchObject({ line: "to", forms: { local: [4] }, plan: null });
  expect(ask(tensor("8", "x=2", "P(x)", { to: "P()", links: "x" }))).toMatchObject({ line: "links" });
});

test("any lines are answered, and pictures have a limit", () => {
  for (const text of ["", "\u0000", "\ud800", "(".repeat(5000), "=,".repeat(5000), "9".repeat(400), "P(".repeat(3000), "[S(0),".repeat(3000)]) {
    for (const line of ["shape", "mesh", "spec", "to", "links"]) {
      const of = tensor("(64,64)", "x=2,y=4", "P(x)", { to: "P(y)", [line]: text });
      expect(ask(of).error === null, `${line} ${text.slice(0, 9)}`).toBe(text === "" && (line === "to" || line === "links"));
    }
  }
  expect(ask(tensor("(64,64)", "x=100", "P(x)"))).toMatchObject({ picture: null, unpictured: "pictures show vectors and matrices on at most 64 devices" });
  const many = ask(tensor("(1000,1000)", "x=8,y=8", "((8,8),((1,125),(1,125))):((1@0,1@1),((1@0,8@0),(1@1,8@1)))"));
  expect(many.picture?.panels).toEqual([{ rows: 16, columns: 16, cells: 256 }]);
  expect(many.picture?.caption).toBe("the first blocks; there are more");
  const huge = tensor("(4194304,1048576)", "x=1048576,y=1024", "P(x)", { to: "P(y, x)", device: 2 ** 30 - 1 });
  expect(ask(huge)).toMatchObject({ error: null, plan: { by_messages: expect.any(Boolean) } });
});

test("a tensor comes back from its address, and can be read there", () => {
  const of = tensor("(N,512)", "x=2,y=4:(1,2)", "#sdy.sharding<@mesh, [{\"x\"}, {}]>", { to: "P()", bits: 16, links: "x=5,y=9", device: 0 });
  const states: State[] = [
    state([pane("let N = 8"), pane("a\nb")], { tensor: of }),
    state([], { tensor: tensor("", "", "") }),
  ];
  for (const one of states) expect(decode(`#${encode(one)}`)).toEqual(one);
  expect(encode(state([], { tensor: tensor("(8,8)", "x=2", "P(x)") }))).toBe("shape=(8,8)&mesh=x%3D2&spec=P(x)&v=1");
  expect(decode("#mesh=x=2&bits=4")).toBeNull();
  expect(decode("#shape=8&bits=0&device=-1&mesh=x=2&bits=2000")?.tensor).toEqual(tensor("8", "x=2", ""));
});

test("every example has a picture or a plan", () => {
  const tensors = CHAPTERS.flatMap(({ examples }) => examples).flatMap(({ tensor }) => tensor ?? []);
  expect(tensors.length).toBeGreaterThan(2);
  for (const of of tensors) {
    const { error, picture, plan } = ask(of);
    expect([error, picture ?? plan], of.spec).toEqual([null, expect.anything()]);
  }
});
