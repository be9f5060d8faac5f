// The pane of an expression: its value, its picture and its reasons.
//
// What is visible below the field answers one question: every part of it is asked and shown at the same time, and what is
// asked later, about a cell or a step, is asked of the same question. While an expression is being written, that is the
// previous one as a whole, paler.

import type { ChoiceRow, CellAnswer, FunctionRow, OperationAnswer, PaneAnswer, Source, View } from "./answers";
import { Cells } from "./cells";
import { h, save, set } from "./dom";
import { Editor } from "./editor";
import { Explanation } from "./explanation";
import { Found } from "./found";
import { names } from "./names";
import { Frame, type Host } from "./pane";
import { Picture } from "./picture";
import { Sliders } from "./sliders";
import { MEMORY, type Memory, MOST_PINS, OFFSETS, type PaneState } from "./state";

export interface ExpressionHost extends Host {
  functions: FunctionRow[];
  aspects: ChoiceRow[];
  colors: ChoiceRow[];
  memory: Memory;
  /** The texts of the panes before this one. */
  before(pane: ExpressionPane): string[];
  /** The text of a pane has changed. */
  edited(pane: ExpressionPane): void;
  remembered(memory: Memory): void;
  /** A text in a new pane. */
  show(text: string): void;
  close(pane: ExpressionPane): void;
}

const FIELDS: [keyof Memory, string][] = [
  ["banks", "banks of"],
  ["bytes", "bytes, elements of"],
  ["bits", "bits"],
];
/** Pictures of operands are small, and drawn at every key. */
const OPERAND_CELLS = 256;
/** With more cells a picture is slow to draw and unreadable. */
const MOST_CELLS = 20_000;

/** A question and its answer. */
interface Shown {
  source: Source;
  view: View & Memory;
  answer: PaneAnswer;
}

export class ExpressionPane {
  readonly frame: Frame;
  readonly editor: Editor;
  private readonly title = h("h1", { class: "unseen" });
  private readonly found: Found;
  private readonly value = h("code", {});
  private readonly kind = h("span", { class: "kind" });
  private readonly copy = h("button", { type: "button", class: "quiet", onclick: () => void this.copied() }, "Copy");
  private readonly result = h("div", { class: "result", role: "group", "aria-label": "value" }, this.value, this.kind, this.copy);
  private readonly sliders = new Sliders((name, value) => this.give(name, value));
  private readonly picture: Picture;
  private readonly caption = h("figcaption", {});
  private readonly figure: HTMLElement;
  private readonly aspect: HTMLSelectElement;
  private readonly color: HTMLSelectElement;
  private readonly path = h("input", { type: "checkbox", onchange: () => this.choose() });
  private readonly tile = h("input", { size: 8, placeholder: "smallest", spellcheck: "false", oninput: () => this.choose() });
  private readonly follow = h("input", { type: "number", min: 0, placeholder: "none", oninput: () => this.choose() });
  private readonly memory: HTMLElement;
  private readonly cells = new Cells((cell) => this.pin(cell));
  private readonly facts = h("dl", {});
  private readonly factsBox = h("section", { class: "facts", "data-name": "facts" }, h("h2", {}, "Facts"), this.facts);
  private readonly explanation = new Explanation((number) => this.step(number));
  /** The answer to the text in the field. */
  private answer: PaneAnswer | null = null;
  /** The previous one, if that one is an error. */
  private shown: Shown | null = null;
  private cuts: number | null = null;
  private pointed: number | null = null;

  constructor(
    private readonly host: ExpressionHost,
    readonly state: PaneState,
  ) {
    this.frame = new Frame("pane", () => host.close(this));
    this.editor = new Editor(
      host.functions,
      {
        oninput: (text) => this.edit(text),
        onpaste: (text) => this.pasted(text),
        names: () => names([...host.before(this), this.state.text]),
      },
      "expression",
      this.frame.message.id,
    );
    this.found = new Found(
      (text) => {
        this.editor.text = text;
        this.edit(text);
      },
      (text) => host.show(text),
    );
    this.picture = new Picture({
      onpoint: (cell) => {
        this.pointed = cell;
        this.showCells();
      },
      onpin: (cell) => this.pin(cell),
      onrelease: () => this.release(),
      onplace: (place) => {
        this.state.place = place;
        this.host.changed();
      },
      sentence: (cell) => this.cell(cell)?.sentence ?? "",
    });
    const options = host.aspects.map(({ name, summary }) => h("option", { value: name, title: summary }, name));
    this.aspect = h("select", { onchange: () => this.choose() }, ...options);
    const colors = [{ name: "", summary: "what suits the picture" }, ...host.colors];
    const named = colors.map(({ name, summary }) => h("option", { value: name, title: summary }, name || "usual"));
    this.color = h("select", { onchange: () => this.choose() }, ...named);
    this.memory = h("div", { class: "memory for-banks" }, ...FIELDS.flatMap(([key, text]) => [this.number(key), ` ${text} `]));
    this.figure = this.build();
    this.frame.fill(
      this.editor.element,
      this.found.element,
      this.result,
      this.sliders.element,
      h("div", { class: "columns" }, this.figure, h("div", { class: "side" }, this.cells.element, this.factsBox), this.explanation.element),
    );
    this.frame.element.prepend(this.title);
    this.restore();
  }

  private edit(text: string): void {
    this.state.text = text;
    this.state.step = null;
    this.cuts = null;
    this.found.current(text);
    this.host.edited(this);
  }

  /** A text that is not an expression is searched for layouts; a text of several lines does not go into the field. */
  private pasted(text: string): boolean {
    const { error } = this.host.engine.ask("pane", { ...this.source(), text, view: { cells: 1 } });
    const found = error ? this.host.engine.ask("scan", { text }) : [];
    this.found.show(found, text);
    return found.length > 0 && text.trim().includes("\n");
  }

  private build(): HTMLElement {
    const button = (text: string, label: string, onclick: () => void) =>
      h("button", { type: "button", class: "quiet", "aria-label": label, title: label, onclick }, text);
    const files = h(
      "div",
      { class: "tools for-picture", role: "group", "aria-label": "save" },
      button("SVG", "save as SVG", () => this.export("svg")),
      button("PNG", "save as PNG", () => void this.exportPng()),
      button("LaTeX", "save as LaTeX", () => this.export("tex")),
    );
    const zoom = h(
      "div",
      { class: "tools for-picture", role: "group", "aria-label": "zoom" },
      button("−", "zoom out", () => this.picture.zoom(0.8)),
      button("fit", "fit the picture into its window", () => this.picture.fit()),
      button("+", "zoom in", () => this.picture.zoom(1.25)),
    );
    const choices = h(
      "div",
      { class: "choices" },
      h("label", {}, "show ", this.aspect),
      h("label", { class: "for-threads" }, "tile ", this.tile),
      h("label", { class: "for-operation" }, "element ", this.follow),
      h("label", { class: "for-picture" }, "colour by ", this.color),
      h("label", { class: "for-picture" }, this.path, " path"),
    );
    return h(
      "figure",
      { class: "figure" },
      h("div", { class: "toolbar" }, choices, zoom, files),
      this.memory,
      this.picture.element,
      this.caption,
    );
  }

  private number(key: keyof Memory): HTMLInputElement {
    const onchange = (event: Event) => {
      const wanted = Math.round((event.target as HTMLInputElement).valueAsNumber);
      const value = wanted >= 1 && wanted <= 1e6 ? wanted : MEMORY[key];
      this.host.remembered({ ...this.host.memory, [key]: value });
    };
    return h("input", { type: "number", min: 1, max: 1_000_000, "data-key": key, "aria-label": key, onchange });
  }

  /** Shows the state. */
  restore(): void {
    this.editor.text = this.state.text;
    this.aspect.value = this.host.aspects.some(({ name }) => name === this.state.aspect) ? this.state.aspect : OFFSETS;
    this.color.value = this.host.colors.some(({ name }) => name === this.state.color) ? this.state.color : "";
    this.path.checked = this.state.path;
    this.tile.value = this.state.tile;
    this.follow.value = String(this.state.element ?? "");
  }

  /** The page sets the number and the neighbours of a pane. */
  place(number: number, count: number): void {
    this.title.textContent = `Pane ${number}`;
    this.frame.name(`pane ${number}`);
    for (const region of this.frame.element.querySelectorAll("section[data-name]")) {
      set(region, "aria-label", `${(region as HTMLElement).dataset["name"]}, pane ${number}`);
    }
    this.frame.alone(count < 2);
  }

  private source(): Source {
    return { text: this.state.text, before: this.host.before(this) };
  }

  private view(): View & Memory {
    const { aspect, color, path, tile, element, names } = this.state;
    const view = { aspect, color, path, tile, element, names, dark: this.host.dark, ...this.host.memory };
    return this.cuts === null ? view : { ...view, cells: this.cuts };
  }

  /** Asks, and shows the answer. */
  update(): void {
    const before = this.shown;
    let reasons: OperationAnswer | null;
    let stale: boolean;
    try {
      const [source, view] = [this.source(), this.view()];
      const answer = this.host.engine.ask("pane", { ...source, view });
      const refused = answer.operations.at(-1)?.refused === true;
      stale = answer.error !== null && !refused && before !== null;
      const shown = stale ? before : { source, view, answer };
      reasons = stale ? null : this.reasons(shown, this.state.step);
      this.answer = answer;
      this.shown = shown;
    } catch (error) {
      this.frame.message.textContent = `The explorer failed at this expression, which is a defect of tilework: ${String(error)}`;
      this.editor.mark(null, null);
      this.result.hidden = true;
      this.frame.element.classList.add("stale");
      return;
    }
    const { value, names, facts } = this.answer;
    this.wrong();
    this.result.hidden = !value;
    this.copy.textContent = "Copy";
    if (value) {
      const { text, kind, name, function: whole } = value;
      this.value.textContent = whole ?? text;
      this.kind.textContent = name === null ? kind : `${name}, ${kind}`;
    }
    this.sliders.show(names);
    this.frame.element.classList.toggle("stale", stale);
    if (stale) return;
    this.pointed = null;
    this.draw(before?.answer.picture ?? null);
    this.factsBox.hidden = facts.length === 0;
    this.facts.replaceChildren(...facts.map(fact));
    this.showCells();
    this.explain(reasons);
  }

  private wrong(): void {
    const error = this.answer?.error ?? null;
    const written = this.state.text.trim() !== "";
    this.editor.mark(written ? error : null, this.shaded());
    this.frame.say(written ? error : null);
  }

  private draw(before: PaneAnswer["picture"]): void {
    const picture = this.answer?.picture ?? null;
    // A number may have pictures other than that of its offsets.
    this.figure.hidden = !picture && !(this.answer?.value && this.answer.operations.some(({ name }) => name !== "value"));
    this.figure.classList.toggle("bare", !picture);
    set(this.figure, "data-aspect", this.state.aspect);
    set(this.figure, "data-color", this.state.color);
    this.cells.element.hidden = !picture;
    this.caption.replaceChildren();
    if (!picture) return;
    const shape = (panels: NonNullable<typeof picture>["panels"]) => panels.map(({ rows, columns }) => `${rows}x${columns}`).join();
    if (before && shape(before.panels) !== shape(picture.panels)) this.state.place = null;
    const count = picture.panels.reduce((sum, { cells }) => sum + cells, 0);
    this.state.pins = this.state.pins.filter((cell) => cell < count);
    const label = `picture of ${this.answer?.value?.text ?? ""}, arrow keys go from cell to cell`;
    this.picture.show(picture, this.state.place, this.state.pins, label);
    const { cut } = picture;
    const more = cut !== null && cut < MOST_CELLS
      ? h("button", { type: "button", class: "quiet", onclick: () => this.more(4 * cut) }, "draw more")
      : null;
    this.caption.replaceChildren(picture.caption, ...(more ? [" ", more] : []));
    for (const input of this.memory.querySelectorAll("input")) {
      input.value = String(this.host.memory[input.dataset["key"] as keyof Memory] ?? "");
    }
  }

  /** A name is given a value, or is free again. */
  private give(name: string, value: number | null): void {
    const { [name]: _, ...others } = this.state.names;
    this.state.names = value === null ? others : { ...others, [name]: value };
    this.update();
    this.host.changed();
  }

  private more(cells: number): void {
    this.cuts = cells;
    this.update();
  }

  /** How a step of the question comes about, or its last. */
  private reasons(shown: Shown | null, step: number | null): OperationAnswer | null {
    if (!shown || shown.answer.operations.length === 0) return null;
    const view = { dark: this.host.dark, cells: OPERAND_CELLS };
    return this.host.engine.ask("operation", { ...shown.source, view, number: stepOf(shown, step) });
  }

  private explain(reasons: OperationAnswer | null): void {
    if (this.shown) this.explanation.show(this.shown.answer.operations, stepOf(this.shown, this.state.step), reasons);
  }

  private shaded(): PaneAnswer["operations"][number] | null {
    return this.state.step === null ? null : (this.answer?.operations[this.state.step] ?? null);
  }

  private step(number: number): void {
    this.state.step = number;
    this.wrong();
    this.explain(this.reasons(this.shown, number));
    this.host.changed();
  }

  private cell(number: number): CellAnswer | null {
    return this.shown && this.host.engine.ask("cell", { ...this.shown.source, view: this.shown.view, number });
  }

  private showCells(): void {
    const { pins } = this.state;
    const here = this.pointed !== null && !pins.includes(this.pointed) ? [this.pointed] : [];
    const shown = [...here, ...pins].flatMap((number) => {
      const cell = this.cell(number);
      return cell ? [{ number, cell, pinned: pins.includes(number) }] : [];
    });
    this.cells.show(shown, this.shown?.view ?? this.host.memory);
  }

  private pin(cell: number): void {
    const { pins } = this.state;
    this.state.pins = pins.includes(cell) ? pins.filter((pin) => pin !== cell) : [...pins, cell].slice(-MOST_PINS);
    this.pinned();
  }

  private release(): void {
    this.state.pins = [];
    this.pinned();
  }

  private pinned(): void {
    this.picture.pin(this.state.pins);
    this.showCells();
    this.host.changed();
  }

  private choose(): void {
    const element = this.follow.valueAsNumber;
    this.state.aspect = this.aspect.value;
    this.state.color = this.color.value;
    this.state.path = this.path.checked;
    this.state.tile = this.tile.value.trim();
    this.state.element = element >= 0 && Number.isInteger(element) ? element : null;
    this.update();
    this.host.changed();
  }

  private async copied(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.value.textContent ?? "");
      this.copy.textContent = "Copied";
      setTimeout(() => (this.copy.textContent = "Copy"), 1500);
    } catch {
      // Clipboard access may be denied; then the reader can copy the selection.
      getSelection()?.selectAllChildren(this.value);
    }
  }

  private export(format: "svg" | "tex"): void {
    if (!this.shown) return;
    const content = this.host.engine.ask("export", { ...this.shown.source, view: this.shown.view, format });
    if (content === null) return;
    save(`layout.${format}`, new Blob([content], { type: format === "svg" ? "image/svg+xml" : "application/x-tex" }));
  }

  private async exportPng(): Promise<void> {
    const png = await this.picture.png(getComputedStyle(this.frame.element).getPropertyValue("--surface"));
    if (png) save("layout.png", png);
  }
}

function fact({ name, value }: PaneAnswer["facts"][number]): HTMLElement {
  if (name.startsWith("is_")) {
    const answer = value === "true" ? "yes" : "no";
    return h("div", { class: answer }, h("dt", {}, name.slice(3)), h("dd", {}, answer));
  }
  const wide = /[:(]/.test(value) || value.length > 12;
  return h("div", { class: wide ? "wide" : "" }, h("dt", {}, name), h("dd", {}, h("code", {}, value)));
}

/** The number of a step, or of the last one. */
function stepOf({ answer: { operations } }: Shown, step: number | null): number {
  return Math.min(step ?? operations.length - 1, operations.length - 1);
}
