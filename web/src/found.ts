// The layouts in a text that was pasted, such as a log: each with its line and its label, to choose from.

import type { Scanned } from "./answers";
import { h, set } from "./dom";

/** A log may have thousands. */
const MOST = 500;

export class Found {
  readonly element: HTMLElement;
  private readonly status = h("p", { role: "status" });
  private readonly list = h("ul", { class: "scroll" });
  private pasted = "";
  private values: string[] = [];

  constructor(
    private readonly here: (text: string) => void,
    private readonly beside: (text: string) => void,
  ) {
    const close = h("button", { type: "button", class: "quiet", "aria-label": "close the list of layouts", onclick: () => this.show([]) }, "×");
    const onkeydown = (event: KeyboardEvent) => event.key === "Escape" && this.show([]);
    this.element = h("section", { class: "found", "data-name": "layouts in what was pasted", hidden: true, onkeydown }, h("header", {}, this.status, close), this.list);
  }

  show(found: Scanned[], pasted = ""): void {
    this.pasted = pasted;
    this.values = found.map(({ value }) => value);
    this.element.hidden = found.length === 0;
    const more = found.length > MOST ? `, the first ${MOST} of them below` : "";
    this.status.textContent = found.length === 0 ? "" : `${found.length} layout${found.length === 1 ? "" : "s"} in what was pasted${more}`;
    this.list.replaceChildren(...found.slice(0, MOST).map((one) => this.row(one)));
  }

  /** Marks the rows of this text, which is in the field, and closes the list if the text has nothing to do with it. */
  current(text: string): void {
    if (![this.pasted, ...this.values].some((own) => text.includes(own))) this.show([]);
    for (const row of this.list.querySelectorAll<HTMLElement>("[data-value]")) set(row, "aria-current", row.dataset["value"] === text ? "true" : null);
  }

  private row({ line, label, value }: Scanned): HTMLElement {
    const choose = h(
      "button",
      {
        type: "button",
        "data-value": value,
        onclick: () => this.here(value),
      },
      h("span", {}, `line ${line}`, label ? ` ${label}` : ""),
      h("code", {}, value),
    );
    const beside = { type: "button", class: "quiet", "aria-label": `line ${line} in a new pane`, title: "in a new pane", onclick: () => this.beside(value) };
    return h("li", {}, choose, h("button", beside, "+"));
  }
}
