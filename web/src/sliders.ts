// The names of a value: a slider for each, the clauses of its guard, and whether the value is correct at these numbers.

import type { NamesAnswer } from "./answers";
import { h, set } from "./dom";

/** The largest value: exact in JavaScript, with room for sums. */
const MOST = 999_999_999_999_999;
const RANGE = 256;

interface Row {
  range: HTMLInputElement;
  number: HTMLInputElement;
  element: HTMLElement;
  /** The numbers at which the value is shown. */
  value: number;
}

export class Sliders {
  readonly element: HTMLElement;
  private readonly rows = new Map<string, Row>();
  private readonly list = h("div", { class: "sliders" });
  private readonly refused = h("p", { class: "refused", role: "alert", hidden: true });
  private readonly clauses = h("ul", { class: "clauses", "aria-label": "conditions" });
  private readonly sentence = h("p", { class: "verdict", role: "status" });
  private readonly right = h("p", { class: "right" });

  constructor(private readonly onchange: (name: string, value: number | null) => void) {
    this.element = h(
      "section",
      { class: "names", "data-name": "names", hidden: true },
      h("h2", {}, "Names"),
      this.list,
      this.refused,
      this.clauses,
      this.sentence,
      this.right,
    );
  }

  show(names: NamesAnswer | null): void {
    this.element.hidden = !names;
    this.refused.hidden = true;
    if (!names) return;
    const rows = names.sliders.map(({ name, value }) => this.row(name, value));
    // A slider that is being dragged must stay in the document.
    if (rows.some((row, place) => this.list.children[place] !== row) || this.list.children.length !== rows.length) {
      this.list.replaceChildren(...rows);
    }
    const item = (text: string, holds: boolean) =>
      h("li", { class: holds ? "yes" : "no" }, h("code", {}, text), h("span", {}, holds ? " holds" : " fails"));
    this.clauses.hidden = names.clauses.length + names.broken.length === 0;
    this.clauses.replaceChildren(
      ...names.broken.map((fact) => item(`assume ${fact}`, false)),
      ...names.clauses.map(({ text, holds }) => item(text, holds)),
    );
    this.sentence.textContent = names.sentence;
    set(this.sentence, "data-agrees", String(names.agrees));
    this.right.hidden = names.right === null;
    this.right.replaceChildren("The value here is ", h("code", {}, names.value ?? ""), ", and the text comes to ", h("code", {}, names.right ?? ""), ".");
  }

  private row(name: string, value: number): HTMLElement {
    const row = this.rows.get(name) ?? this.made(name);
    const { range, number, element } = row;
    row.value = value;
    range.max = String(Math.max(RANGE, Number(range.max), value > Number(range.max) ? 2 * value : 0));
    range.value = String(value);
    if (document.activeElement !== number) number.value = String(value);
    return element;
  }

  private made(name: string): Row {
    const take = (input: HTMLInputElement) => () => {
      const value = input.valueAsNumber;
      // Without a number the name is free again; `-` and `1e` are not numbers yet.
      if (input.value === "" && !input.validity.badInput) this.onchange(name, null);
      else if (Number.isInteger(value) && value >= 0 && value <= MOST) this.onchange(name, value);
      else this.refuse(name, row.value);
    };
    const range = h("input", { type: "range", min: 1, max: RANGE, "aria-label": name });
    const number = h("input", { type: "number", min: 0, max: MOST, "aria-label": `${name} as a number` });
    range.oninput = take(range);
    number.oninput = take(number);
    // After the last key the field shows the value in use.
    number.onchange = () => (number.value = String(row.value));
    const element = h("div", { class: "slider" }, h("code", {}, name), range, number);
    const row: Row = { range, number, element, value: 1 };
    this.rows.set(name, row);
    return row;
  }

  private refuse(name: string, value: number): void {
    this.refused.textContent = `${name} is an integer from 0 to ${MOST}, and stays ${value}.`;
    this.refused.hidden = false;
  }
}
