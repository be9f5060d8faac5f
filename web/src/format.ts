// The pane of a storage format: where each element is, and what each byte contains, as `tilework format` says it.

import type { FormatAnswer, FormatQuestion, PlaceAnswer } from "./answers";
import { h, set } from "./dom";
import { given } from "./named";
import { Figure, Frame, type Host, lines, type Single } from "./pane";
import { COLORS, type Stored } from "./stored";

const HINT = "Point at an element or a place of the storage, or reach it with Tab and the arrow keys: both sides show where it is.";

export class FormatPane implements Single<Stored> {
  readonly frame: Frame;
  private readonly name: HTMLInputElement;
  private readonly axes = h("span", { class: "axes" });
  private readonly color: HTMLSelectElement;
  private readonly purpose = h("p", { class: "purpose" });
  private readonly count = h("p", { role: "status" });
  private readonly names = h("ul", {});
  private readonly found = h("section", { class: "found", "aria-label": "formats with these words" }, h("header", {}, this.count), this.names);
  private readonly figure: Figure;
  private readonly place = h("section", { class: "cells", "aria-label": "element, formats" });
  private readonly facts = h("dl", {});
  private readonly known = h("dl", {});
  private readonly side: HTMLElement;
  private readonly columns: HTMLElement;
  private shown = "";

  constructor(
    private readonly host: Host,
    readonly state: Stored,
    close: () => void,
  ) {
    this.frame = new Frame("formats", close).escapes();
    this.name = this.frame.field("format", state.format, "a name such as marlin_4, or words such as scale blackwell", () => this.choose(this.name.value));
    const options = COLORS.map((by) => h("option", { value: by, selected: by === state.by }, by || "usual"));
    this.color = h("select", { onchange: () => this.edit() }, ...options);
    this.figure = new Figure({
      onpoint: (cell) => this.show(this.ask(cell)),
      onpin: (cell) => this.show(this.ask(cell)),
      onrelease: () => this.show(null),
      sentence: (cell) => this.ask(cell)?.sentence ?? "",
    });
    const choices = h("div", { class: "choices" }, this.axes, h("label", {}, "colour by ", this.color));
    const facts = h("section", { class: "facts", "aria-label": "sizes, formats" }, h("h2", {}, "At these sizes"), this.facts);
    const known = h("section", { class: "explanation facts", "aria-label": "meaning, formats" }, h("h2", {}, "For all sizes"), this.known);
    this.side = h("div", { class: "side" }, this.place, facts);
    this.columns = h("div", { class: "columns" }, this.figure.element, this.side, known);
    this.frame.fill(lines([this.name], choices), this.found, this.purpose, this.columns);
  }

  focus(): void {
    this.name.focus();
  }

  /** The sizes of another format are its own. */
  private choose(format: string): void {
    this.state.format = format;
    this.state.sizes = {};
    this.edit();
  }

  private edit(): void {
    this.state.by = this.color.value;
    this.update();
    this.host.changed();
  }

  private resize(name: string, text: string): void {
    this.state.sizes = given(this.state.sizes, name, text);
    this.edit();
  }

  private question(): FormatQuestion {
    const { format, sizes, by } = this.state;
    return { name: format, sizes, by, view: { dark: this.host.dark } };
  }

  private ask(number: number): PlaceAnswer | null {
    return this.host.engine.ask("place", { ...this.question(), number });
  }

  update(): void {
    const { format, found, picture, error } = this.host.engine.ask("format", this.question());
    this.frame.say(error);
    set(this.name, "aria-invalid", error && !format ? "true" : null);
    this.list(found);
    this.purpose.hidden = this.columns.hidden = !format;
    // While a size is being written, the previous picture stays, paler.
    const stale = error !== null && format?.name === this.shown;
    this.frame.element.classList.toggle("stale", stale);
    if (!format) {
      this.axes.replaceChildren();
      this.shown = "";
      return;
    }
    this.measure(format);
    if (stale) return;
    this.side.hidden = error !== null;
    this.purpose.textContent = `${format.name}: ${format.purpose}`;
    this.figure.show(picture, [], `where the elements of ${format.name} are`);
    this.facts.replaceChildren(...format.facts.map((fact) => told(fact)));
    this.known.replaceChildren(...format.known.map((fact) => (fact[0] === "pieces" ? this.pieces(format) : told(fact))));
    this.show(null);
  }

  /** A field for each size, kept while it is written in. */
  private measure({ name, axes }: NonNullable<FormatAnswer["format"]>): void {
    if (this.shown !== name) {
      const field = ({ name, noun }: (typeof axes)[number]) =>
        h("label", { title: noun }, `${name} `, h("input", { type: "number", min: 0, "aria-label": `${name} ${noun}`, oninput: (event: Event) => this.resize(name, (event.target as HTMLInputElement).value) }));
      this.axes.replaceChildren(...axes.map(field));
      this.shown = name;
    }
    for (const [at, input] of [...this.axes.querySelectorAll("input")].entries()) {
      if (input !== document.activeElement || input.value === "") input.value = String(axes[at]?.size ?? "");
    }
  }

  private list(found: FormatAnswer["found"]): void {
    this.found.hidden = found.length === 0;
    this.count.textContent = found.length === 1 ? "1 format" : `${found.length} formats`;
    const row = ({ name, purpose, aliases }: (typeof found)[number]) =>
      h("li", {}, h("button", { type: "button", class: "quiet", title: aliases.join(", "), onclick: () => this.take(name) }, h("code", {}, name), h("span", {}, purpose)));
    this.names.replaceChildren(...found.map(row));
  }

  private take(name: string): void {
    this.name.value = name;
    this.choose(name);
    this.name.focus();
  }

  private pieces({ name, pieces }: NonNullable<FormatAnswer["format"]>): HTMLElement {
    const button = (piece: string) =>
      h("button", { type: "button", class: "quiet", "aria-pressed": String(piece === name), onclick: () => this.take(piece) }, piece);
    return h("div", { class: "wide" }, h("dt", {}, "pieces"), h("dd", { class: "tools" }, ...pieces.map(button)));
  }

  private show(place: PlaceAnswer | null): void {
    this.figure.picture.pin(place?.cells ?? []);
    const title = place?.element ? `Element ${place.element}` : place ? "No element" : "Element";
    this.place.replaceChildren(h("h2", {}, title), h("p", { class: place ? "" : "hint" }, place?.text ?? HINT));
  }
}

function told([title, texts]: [string, string[]]): HTMLElement {
  const code = title === "layout";
  return h("div", { class: "wide" }, h("dt", {}, title), h("dd", {}, ...texts.map((text) => h("p", {}, code ? h("code", {}, text) : text))));
}
