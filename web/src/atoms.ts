// The instructions by name: families at first, then the names that contain the typed words.

import { h, search } from "./dom";
import type { Engine } from "./engine";

export class Atoms {
  readonly element: HTMLElement;
  private readonly field = search("instructions", "sm80 f64", () => this.list());
  private readonly status = h("p", { role: "status" });
  private readonly names = h("ul", {});

  constructor(
    private readonly engine: Engine,
    private readonly choose: (name: string) => void,
  ) {
    this.element = h("div", { class: "atoms" }, this.field, this.status, this.names);
  }

  /** Lists the instructions that match the words. */
  list(): void {
    const { count, names, families } = this.engine.ask("atoms", { words: this.field.value });
    const more = names.length < count && families.length === 0 ? `, the first ${names.length} of them below` : "";
    this.status.textContent = `${count.toLocaleString("en")} instruction${count === 1 ? "" : "s"}${more}`;
    const rows = families.length > 0
      ? families.map(({ architecture, instructions, count, example }) => this.family(architecture, `${instructions} (${count})`, example))
      : names.map((name) => h("li", {}, this.button(name, h("code", {}, name))));
    this.names.replaceChildren(...rows);
  }

  /** An example of a family, and the search for its architecture. */
  private family(architecture: string, about: string, example: string): HTMLElement {
    const onclick = () => {
      this.field.value = architecture === "any" ? (example.split("<")[0] ?? "") : architecture;
      this.list();
      this.field.focus();
    };
    return h(
      "li",
      {},
      h("button", { type: "button", class: "quiet", onclick }, architecture),
      h("span", {}, about),
      this.button(example, h("code", {}, example)),
    );
  }

  private button(name: string, content: HTMLElement): HTMLElement {
    return h("button", { type: "button", class: "quiet", onclick: () => this.choose(name) }, content);
  }
}
