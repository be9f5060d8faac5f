import { expect, test } from "vitest";
import { decode, encode, MOST_PANES, pane, type State, state } from "../../src/state";
import { FIRST_TILE } from "../../src/tile";

const of = (...panes: State["panes"]): State => state(panes);

test("a state comes back from its address", () => {
  const place = { scale: 1.5, x: -10, y: 20 };
  const all = pane("Sw<3,4,3> o 0 o (8,64):(64,1); ((_,0),1/2) ∘ 'a & b' + 100%", {
    aspect: "threads",
    color: "tile",
    tile: "(8,(2,4))",
    element: 7,
    path: true,
    pins: [3, 17],
    step: 0,
    place,
    names: { M: 100, ld: 128, "?0": 3 },
  });
  const stored = { format: "E x scale_128x4", sizes: { E: 2, M: 300 }, by: "piece" };
  const before = state([all, pane(""), pane("a\nb")], { memory: { banks: 16, bytes: 8, bits: 4 }, tile: FIRST_TILE, stored });
  expect(decode(`#${encode(before)}`)).toEqual(before);
});

test("an address can be read, and does not end in a bracket", () => {
  expect(encode(of(pane("(4,8):(8,1) / <2,4>", { path: true })))).toBe("e=(4,8):(8,1)+/+%3C2,4%3E&p=1&v=1");
  expect(encode(of(pane("(4,8)")))).toMatch(/[^)]$/);
});

test("what an address does not say is at its default, and what makes no sense is passed over", () => {
  expect(decode("")).toBeNull();
  expect(decode("#v=1&a=banks")).toBeNull();
  expect(decode("#e=4:1")).toEqual(of(pane("4:1")));
  expect(decode("#e=4:1&a=A+B&c=1.x.-3.2&s=-1&z=0,1,1&m=0,1,2&q=1&n=M:x,1:2,K:-1,N:1e9&e=%zz")).toEqual(
    of(pane("4:1", { pins: [1, 2] }), pane("%zz")),
  );
  expect(decode("#format=marlin_4&sizes=K:16,N:x,M:-1&by=row&sizes=K:64")?.stored).toEqual({ format: "marlin_4", sizes: { K: 64 }, by: "" });
  expect(decode("#sizes=K:16&by=piece")).toBeNull();
  expect(decode(`#${"e=4&".repeat(50)}`)?.panes.length).toBe(MOST_PANES);
});
