// The panel that says everything about cells: the one pointed at, and beside it those that are pinned.

import type { CellAnswer } from "./answers";
import { h } from "./dom";
import type { Memory } from "./state";

export interface Shown {
  cell: CellAnswer;
  pinned: boolean;
}

export class Cells {
  readonly element: HTMLElement;
  private readonly body = h("div", { class: "scroll" });

  constructor(private readonly onrelease: (index: number) => void) {
    this.element = h("section", { class: "cells", "aria-label": "cells" }, h("h2", {}, "Cell"), this.body);
  }

  show(shown: Shown[], threads: boolean, memory: Memory): void {
    const first = shown[0]?.cell;
    if (!first) {
      this.body.replaceChildren(
        h("p", { class: "hint" }, "Point at a cell, or reach it with Tab and the arrow keys. A click, Enter or Space pins it; Escape lets all go."),
      );
      return;
    }
    const row = (name: HTMLElement, values: string[]) =>
      h("tr", {}, h("th", { scope: "row" }, name), ...values.map((value) => h("td", {}, value)));
    const plain = (name: string, title = "") => h("span", title ? { title } : {}, name);
    const coordinates = first.coordinates.map(({ shape }, number) =>
      row(
        h("span", {}, "in ", h("code", {}, shape)),
        shown.map(({ cell }) => cell.coordinates[number]?.coordinate ?? ""),
      ),
    );
    const more = first.more ? h("tr", {}, h("td", { colspan: shown.length + 1, class: "hint" }, "and more coordinate sets")) : null;
    const { banks, bank, element } = memory;
    const bankOf = row(
      plain("bank", `${banks} banks of ${bank} bytes, elements of ${element} bits`),
      shown.map(({ cell }) => (cell.bank === null ? "–" : String(cell.bank))),
    );
    const thread = row(
      plain("thread, value", "mode 0 read as threads, mode 1 as values"),
      shown.map(({ cell }) => (cell.thread ? `T${cell.thread.thread} V${cell.thread.value}` : "–")),
    );
    const head = shown.map(({ cell, pinned }) => {
      const release = { type: "button", "aria-label": `unpin ${cell.index}`, onclick: () => this.onrelease(cell.index) };
      return h("th", { scope: "col" }, pinned ? h("button", release, "×") : h("span", { class: "here" }, "here"));
    });
    this.body.replaceChildren(
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "coordinate"), ...head)),
        h("tbody", {}, ...coordinates, more),
        h(
          "tbody",
          { class: "places" },
          row(
            plain("offset"),
            shown.map(({ cell }) => cell.offset),
          ),
          bankOf,
          threads ? thread : null,
        ),
      ),
    );
  }
}
