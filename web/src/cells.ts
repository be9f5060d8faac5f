// The panel that says everything about cells: the one pointed at, and the pinned ones.

import type { CellAnswer } from "./answers";
import { type Child, h } from "./dom";
import type { Memory } from "./state";

export interface Shown {
  number: number;
  cell: CellAnswer;
  pinned: boolean;
}

const HINT = "Point at a cell, or reach it with Tab and the arrow keys. A click, Enter or Space pins it; Escape lets all go.";
const TOUCH_HINT = "Tap a cell to pin it, and again to let it go. Two fingers zoom.";

export class Cells {
  readonly element: HTMLElement;
  private readonly body = h("div", { class: "scroll" });

  constructor(private readonly onrelease: (cell: number) => void) {
    this.element = h("section", { class: "cells", "data-name": "cells" }, h("h2", {}, "Cell"), this.body);
  }

  show(shown: Shown[], memory: Memory): void {
    if (shown.length === 0) {
      this.body.replaceChildren(h("p", { class: "hint" }, matchMedia("(pointer: coarse)").matches ? TOUCH_HINT : HINT));
      return;
    }
    const row = (name: Node, value: (cell: CellAnswer) => string) =>
      h("tr", {}, h("th", { scope: "row" }, name), ...shown.map(({ cell }) => h("td", {}, ...breakable(value(cell)))));
    // Cells of several panels may be coordinates of several shapes.
    const shapes = new Set(shown.flatMap(({ cell }) => cell.coordinates.map(({ shape }) => shape)));
    const coordinates = [...shapes].map((shape) =>
      row(h("span", {}, "in ", h("code", {}, shape)), (cell) => cell.coordinates.find((one) => one.shape === shape)?.coordinate ?? "–"),
    );
    const more = shown.some(({ cell }) => cell.more)
      ? h("tr", {}, h("td", { colspan: shown.length + 1, class: "hint" }, "and more coordinate sets"))
      : null;
    const { banks, bytes, bits } = memory;
    const title = `${banks} banks of ${bytes} bytes` + (bits === null ? "" : `, elements of ${bits} bits`);
    const bank = row(h("span", { title }, "bank"), (cell) => (cell.bank === null ? "–" : String(cell.bank)));
    const note = row(new Text("it is"), (cell) => cell.note || "–");
    const has = (what: (cell: CellAnswer) => unknown) => shown.some(({ cell }) => what(cell));
    this.body.replaceChildren(
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "coordinate"), ...shown.map((one) => this.head(one)))),
        h("tbody", {}, ...coordinates, more),
        h(
          "tbody",
          { class: "places" },
          row(new Text("offset"), (cell) => cell.offset),
          has((cell) => cell.bank !== null) ? bank : null,
          has((cell) => cell.note) ? note : null,
        ),
      ),
    );
  }

  private head({ number, cell, pinned }: Shown): HTMLElement {
    const release = { type: "button", "aria-label": `unpin ${cell.sentence}`, onclick: () => this.onrelease(number) };
    return h("th", { scope: "col" }, pinned ? h("button", release, "×") : h("span", { class: "here" }, "here"));
  }
}

/** A text that may continue on the next line after a comma. */
function breakable(text: string): Child[] {
  return text.split(/(?<=,)/).flatMap((part) => [part, h("wbr")]);
}
