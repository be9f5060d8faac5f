// The list of functions: the question that each answers, and, unfolded, its definition, examples, CuTe's names and
// errors.

import type { FunctionRow } from "./answers";
import { type Child, h, search } from "./dom";

const LANGUAGES = ["C++ CuTe", "CuTe DSL", "pycute"];

interface Entry {
  element: HTMLElement;
  /** Its whole documentation, in lower case. */
  text: string;
}

export class Functions {
  readonly element: HTMLElement;
  private readonly field = search("functions", "divide tile", () => this.list());
  private readonly status = h("p", { role: "status", class: "hint" });
  private readonly entries: Entry[] = [];
  private readonly families: HTMLElement[];

  /** `choose` is called with an example. */
  constructor(
    functions: FunctionRow[],
    private readonly choose: (expression: string) => void,
  ) {
    this.families = [...Map.groupBy(functions, ({ family }) => family)].map(([family, rows]) =>
      h("section", {}, h("h3", {}, family), ...rows.map((row) => this.entry(row))),
    );
    this.element = h("div", { class: "functions" }, this.field, this.status, ...this.families);
  }

  /** Lists those whose documentation contains all the words. */
  list(): void {
    const words = this.field.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const { element, text } of this.entries) {
      element.hidden = !words.every((word) => text.includes(word));
      if (!element.hidden) count += 1;
    }
    for (const family of this.families) family.hidden = !family.querySelector("details:not([hidden])");
    this.status.textContent = `${count} function${count === 1 ? "" : "s"}`;
  }

  private entry(row: FunctionRow): HTMLElement {
    const { forms, summary } = row;
    const head = h("summary", {}, ...forms.map((form) => h("code", {}, form)), h("span", {}, summary));
    const element = h("details", { name: "function" }, head);
    // There are hundreds of them, and few are read.
    element.addEventListener("toggle", () => element.append(this.manual(row)), { once: true });
    this.entries.push({ element, text: Object.values(row).flat(2).join(" ").toLowerCase() });
    return element;
  }

  private manual({ definition, examples, cute, aliases, errors }: FunctionRow): HTMLElement {
    const line = (name: string, ...content: Child[]) => h("div", {}, h("dt", {}, name), h("dd", {}, ...content));
    const example = ([expression, result]: [string, string]) =>
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => this.choose(expression) },
        h("code", {}, expression),
        " = ",
        h("code", {}, result),
      );
    const names = LANGUAGES.flatMap((language, at) => (cute[at] ? [line(language, h("code", {}, cute[at]))] : []));
    return h(
      "dl",
      {},
      line("definition", definition),
      line(examples.length === 1 ? "example" : "examples", ...examples.map(example)),
      ...names,
      aliases.length > 0 ? line("also", h("code", {}, aliases.join(", "))) : null,
      errors ? line("refuses", errors) : null,
    );
  }
}
