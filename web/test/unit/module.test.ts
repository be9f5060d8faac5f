import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHAPTERS, FIRST } from "../../src/examples";
import { names } from "../../src/names";
import { scan } from "../../src/svg";
import { bytes, engine } from "../wasm";

const wasm = engine();
const ask = (text: string, before: string[] = []) => wasm.ask("pane", { text, before, view: {} });

test("the module is small", () => {
  expect(bytes().length).toBeLessThan(3_420_000);
});

test("every example has a value, but for those that show a refusal", () => {
  const examples = [...CHAPTERS.flatMap(({ examples }) => examples), { title: "first", note: "", panes: FIRST }];
  const refused = examples.flatMap(({ title, panes }) =>
    panes.flatMap(({ text }, at) => {
      const { error, operations } = ask(text, panes.slice(0, at).map((pane) => pane.text));
      if (error) expect(operations.at(-1)?.refused, `${text}: ${error.message}`).toBe(true);
      return error ? [title] : [];
    }),
  );
  expect(refused).toEqual(["A refusal", "Turns that do not divide"]);
});

test("an instruction has fields and a picture of A, B and C", () => {
  const { value, facts, picture } = ask("atom(SM80_16x8x16_F32F16F16F32_TN)");
  expect(value).toMatchObject({ text: "atom(SM80_16x8x16_F32F16F16F32_TN)", kind: "an MMA atom" });
  expect(facts).toContainEqual({ name: "c", value: "((4,8),(2,2)):((32,1),(16,8))" });
  expect(picture?.panels).toEqual([
    { rows: 16, columns: 16, cells: 256 },
    { rows: 16, columns: 8, cells: 128 },
    { rows: 16, columns: 8, cells: 128 },
  ]);
  const source = { text: "atom(SM80_16x8x16_F32F16F16F32_TN)", before: [], view: {} };
  expect(wasm.ask("cell", { ...source, number: 17 })?.note).toBe("thread 4 value 1");
});

test("colours stand for what is asked, and a long row is wrapped", () => {
  const names = wasm.ask("colors", {}).map(({ name }) => name);
  const view = (color: string) => ({ text: "Sw<2,0,2> o 0 o ((2,2),(2,2)):((8,4),(2,1))", before: [], view: { color, bits: 32 } });
  const pictures = names.map((color) => wasm.ask("pane", view(color)).picture);
  expect(names).toEqual(["offset", "row", "column", "thread", "bank", "tile", "none"]);
  expect(new Set(pictures.map((picture) => picture?.svg)).size).toBe(names.length - 1);
  expect(pictures[names.indexOf("thread")]?.caption).toContain("aspects threads and values");
  expect(ask("70:3").picture?.panels).toEqual([{ rows: 3, columns: 32, cells: 70 }]);
});

test("instructions are found by words of their names", () => {
  const all = wasm.ask("atoms", { words: "" });
  expect(all.count).toBe(all.families.reduce((sum, { count }) => sum + count, 0));
  for (const { example } of all.families) expect(ask(`atom(${example})`).error, example).toBeNull();
  expect(wasm.ask("atoms", { words: "sm80 F64" })).toEqual({ count: 1, names: ["SM80_8x8x4_F64F64F64F64_TN"], families: [] });
  expect(wasm.ask("atoms", { words: "SM100_MMA" }).names).toHaveLength(50);
  expect(wasm.ask("atoms", { words: "no such" })).toEqual({ count: 0, names: [], families: [] });
});

test("conflicts of rows and columns are a fact beside the banks", () => {
  const facts = (text: string) => wasm.ask("pane", { text, before: [], view: { aspect: "banks", bits: 32 } }).facts;
  expect(facts("(8,32):(32,1)")).toContainEqual({ name: "bank conflicts", value: "1-way in a row, 8-way in a column, of elements of 32 bits" });
  expect(facts("Sw<3,2,3> o 0 o (8,32):(32,1)")).toContainEqual({ name: "bank conflicts", value: "1-way in a row, 1-way in a column, of elements of 32 bits" });
});

test("places are in units of this language's strings", () => {
  const text = "size(𝐀)";
  expect(ask("4:1 ∘ siz(4)").error).toMatchObject({ code: "name", start: 6, end: 9, help: "did you mean `size`?" });
  expect(ask(text).error).toMatchObject({ start: 5, end: 7 });
});

test("names come from the texts before", () => {
  expect(ask("A o 4:8", ["let A = (4,8):(8,1)", "no ("]).value?.text).toBe("4:2");
  expect(ask("A o 4:8").error?.code).toBe("name");
  expect(names(["let A = 4; let Bc=5", "outlet x", "let A = 3"])).toEqual(["A", "Bc"]);
});

test("operations go from the inside out", () => {
  const source = { text: "size(coalesce((2,4):(1,2)))", before: [], view: {} };
  expect(ask(source.text).operations.map(({ name }) => name)).toEqual(["coalesce", "size"]);
  const inner = wasm.ask("operation", { ...source, number: 0 });
  expect(inner).toMatchObject({ name: "coalesce", value: "8:1", operands: [{ value: "(2,4):(1,2)" }] });
  expect(wasm.ask("operation", { ...source, number: 2 })).toBeNull();
});

test("a cell in all of its coordinate sets", () => {
  const source = { text: "((2,2),(4,2)):((1,8),(2,16))", before: [] };
  const cell = wasm.ask("cell", { ...source, view: { banks: 4, bytes: 4, bits: 16 }, number: 2 * 8 + 5 });
  expect(cell).toMatchObject({ offset: "26", bank: 1, note: "", more: false });
  expect(cell?.coordinates).toContainEqual({ shape: "32", coordinate: "22" });
  expect(cell?.coordinates).toContainEqual({ shape: "(4,8)", coordinate: "(2,5)" });
  expect(cell?.coordinates.at(-1)).toEqual({ shape: "((2,2),(4,2))", coordinate: "((0,1),(1,1))" });
  expect(wasm.ask("cell", { ...source, view: {}, number: 32 })).toBeNull();
});

test("a thread and its value", () => {
  const source = { text: "((4,8),2):((16,1),8)", before: [] };
  const cell = wasm.ask("cell", { ...source, view: { aspect: "threads", tile: "(8,8)" }, number: 9 });
  expect(cell).toMatchObject({ bank: null, note: "thread 4 value 1" });
  const wrong = wasm.ask("pane", { ...source, view: { aspect: "threads", tile: "(8," } });
  expect(wrong.picture?.caption).toContain("the tile (8, is not a shape");
});

test("every aspect is shown, or is refused in a sentence beside the offsets", () => {
  const aspects = wasm.ask("aspects", {}).map(({ name }) => name);
  expect(aspects).toContain("operation");
  for (const aspect of aspects) {
    const { picture } = wasm.ask("pane", { text: "4:1", before: [], view: { aspect, bits: 32 } });
    const refused = ["tiles", "slice", "common"].includes(aspect);
    expect(picture?.caption ?? "", aspect).toMatch(refused ? / to show/ : /^(32 banks.*)?$/);
    expect(picture?.panels.length, aspect).toBeGreaterThan(0);
  }
});

test("any text is answered, as deep as it may be", () => {
  const deep = `${"(".repeat(5000)}4${")".repeat(5000)}`;
  for (const text of ["", ";", "\u0000", "\ud800", deep, "o ".repeat(20_000), `${"size(".repeat(63)}4${")".repeat(63)}`]) {
    expect(ask(text).error === null, text.slice(0, 20)).toBe(text.startsWith("size"));
  }
});

test("the canvas draws every picture that the writer's own tests have", () => {
  const folder = new URL("../../../crates/tilework-draw/tests/snapshots/", import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith(".svg"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const drawing = scan(readFileSync(new URL(file, folder), "utf8"));
    expect(drawing.unknown, file).toEqual([]);
    expect(drawing.corners.length, file).toBeGreaterThan(0);
  }
});

test("what a picture is made of", () => {
  const drawing = scan(ask("(2,3):(3,1)").picture?.svg ?? "");
  const texts = drawing.marks.filter(({ kind }) => kind === "text");
  expect(texts.map(({ text }) => text).slice(0, 6)).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(texts.every(({ fill, font, middle }) => fill?.startsWith("#") && font.includes("Mono") && middle)).toBe(true);
  const { x, y, width, height } = drawing.corners[0] ?? { x: 0, y: 0, width: 0, height: 0 };
  const [page, first] = drawing.marks;
  expect(page).toMatchObject({ kind: "rect", width: drawing.width, fill: "#ffffff", stroke: null });
  expect(first).toMatchObject({ kind: "path", fill: null, lineWidth: height, path: `M${x} ${y + height / 2}h${width}` });
  const rules = drawing.marks.find(({ stroke }) => stroke === "#969696");
  expect(rules).toMatchObject({ kind: "path", lineWidth: 1 });
});
