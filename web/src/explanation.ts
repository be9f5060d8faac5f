// How an operation computed its result, one operation of the expression at a time.

import type { OperationAnswer, PaneAnswer, Picture, Section } from "./answers";
import { h, set } from "./dom";

export class Explanation {
  readonly element: HTMLElement;
  private readonly place = h("span", { class: "count", "aria-live": "polite" });
  private readonly back = h("button", { type: "button", "aria-label": "previous operation", onclick: () => this.step(-1) }, "‹");
  private readonly forth = h("button", { type: "button", "aria-label": "next operation", onclick: () => this.step(1) }, "›");
  private readonly body = h("div", { class: "reasons" });
  private operations: PaneAnswer["operations"] = [];
  private number = 0;

  constructor(private readonly onstep: (number: number) => void) {
    this.element = h(
      "section",
      { class: "explanation", "data-name": "explanation" },
      h("header", {}, h("h2", {}, "How it comes about"), h("div", { class: "stepper" }, this.back, this.place, this.forth)),
      this.body,
    );
  }

  private step(by: number): void {
    this.onstep(Math.min(Math.max(this.number + by, 0), this.operations.length - 1));
  }

  show(operations: PaneAnswer["operations"], number: number, answer: OperationAnswer | null): void {
    this.operations = operations;
    this.number = number;
    // A literal needs no reasons, and its properties are among the facts.
    this.element.hidden = !answer || answer.name === "value";
    if (!answer) return;
    const count = operations.length;
    this.place.textContent = `${number + 1} of ${count}`;
    set(this.element.querySelector(".stepper") as Element, "hidden", count < 2);
    // Stays focusable, so that the keyboard does not lose its place at either end.
    set(this.back, "aria-disabled", String(number === 0));
    set(this.forth, "aria-disabled", String(number === count - 1));
    this.body.replaceChildren(
      h("h3", {}, h("span", { class: "operation" }, answer.name), " ", h("code", {}, answer.expression)),
      ...this.operands(answer),
      ...answer.sections.map(section),
      ...(answer.value === null ? [] : [h("p", { class: "outcome" }, "= ", h("code", {}, answer.value))]),
    );
  }

  private operands(answer: OperationAnswer): HTMLElement[] {
    if (answer.operands.length === 0) return [];
    const figures = answer.operands.map(({ source, value, picture }) => this.figure(source, value, picture));
    const arrow = h("span", { class: "arrow", "aria-hidden": "true" }, "→");
    const result = answer.value === null ? null : this.figure("result", answer.value, answer.picture);
    return [h("div", { class: "operands" }, ...figures, ...(result ? [arrow, result] : []))];
  }

  private figure(source: string, value: string, picture: Picture | null): HTMLElement {
    const same = source.replace(/\s/g, "") === value.replace(/\s/g, "");
    const name = same ? null : h("span", { class: "source" }, source === "result" ? source : h("code", {}, source));
    const cut = picture?.caption ? h("span", { class: "source" }, picture.caption) : null;
    return h("figure", {}, picture && h("div", { class: "scroll" }, this.image(picture, value)), h("figcaption", {}, name, h("code", {}, value), cut));
  }

  /** As an image, it costs the page nothing until the browser draws it. */
  private image({ svg }: Picture, value: string): HTMLElement {
    const [, width = "0"] = /^<svg[^>]* width="([\d.]+)"/.exec(svg) ?? [];
    return h("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: `picture of ${value}`, draggable: "false", style: `--natural: ${width}px` });
  }
}

function section({ title, lines, table }: Section): HTMLElement {
  const rows = table && [
    h("thead", {}, h("tr", {}, ...table.header.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...table.rows.map((row) => h("tr", {}, ...row.map((text) => h("td", {}, text))))),
  ];
  return h(
    "section",
    { class: "reason" },
    h("h4", {}, title),
    ...lines.map((line) => h("p", {}, line)),
    rows && h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, h("table", {}, ...rows)),
  );
}
