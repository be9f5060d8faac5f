// The pane of a GPU program: what `tilework kernel` finds in it, a picture of what a statement touches, and its source text.

import type { KernelQuestion, PlaceAnswer, ProgramAnswer, ProgramLine, Start } from "./answers";
import { h, set } from "./dom";
import { type Kernel, TARGETS } from "./kernel";
import { given } from "./named";
import { Figure, Frame, type Host, type Single } from "./pane";

const HINT = "Point at an element to see the threads that touch it. The picture is of the statement at the cursor.";
/** How long the keys have to rest before what takes longer than a frame is asked: checks, runs and source text. */
const REST = 300;

export class ProgramPane implements Single<Kernel> {
  readonly frame: Frame;
  private readonly numbers = h("pre", { class: "gutter", "aria-hidden": "true" });
  private readonly field: HTMLTextAreaElement;
  private readonly starts: Start[];
  private readonly start: HTMLSelectElement;
  private readonly statement = h("select", { onchange: () => this.draw(Number(this.statement.value)) });
  private readonly sizes = h("span", { class: "axes" });
  private readonly verdict = h("p", { class: "verdict", role: "status" });
  private readonly findings = h("ul", {});
  private readonly report = h("section", { class: "checks", "aria-label": "checks, programs" }, h("h2", {}, "Checked for all sizes"), this.verdict, this.findings);
  private readonly figure: Figure;
  private readonly place = h("section", { class: "cells", "aria-label": "element, programs" });
  private readonly ran = h("pre", { class: "scroll", tabindex: 0 });
  private readonly source = h("pre", { class: "scroll source", tabindex: 0 });
  private readonly target: HTMLSelectElement;
  private readonly emitted: HTMLDetailsElement;
  private readonly columns: HTMLElement;
  private shown: ProgramAnswer | null = null;
  private names = "";
  private waiting = 0;

  constructor(
    private readonly host: Host,
    readonly state: Kernel,
    close: () => void,
  ) {
    this.frame = new Frame("programs", close).escapes();
    this.starts = host.engine.ask("starts", {});
    if (state.text === "") state.text = this.starts[0]?.text ?? "";
    this.field = h("textarea", {
      "aria-label": "program",
      "aria-describedby": this.frame.message.id,
      wrap: "off",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      oninput: () => this.write(this.field.value),
      onkeyup: () => this.follow(),
      onclick: () => this.follow(),
    });
    this.field.value = state.text;
    const options = this.starts.map(({ name }) => h("option", { value: name }, name));
    this.start = h("select", { onchange: () => this.begin() }, h("option", { value: "" }, "choose"), ...options);
    this.target = h("select", { onchange: () => this.emit() }, ...TARGETS.map((target) => h("option", { value: target, selected: target === state.emit }, target)));
    this.emitted = h("details", { open: state.emit !== "", ontoggle: () => this.emit() }, h("summary", {}, "Source text"), h("label", { class: "choices" }, "language ", this.target), this.source);
    this.figure = new Figure({
      onpoint: (cell) => this.show(this.ask(cell)),
      onpin: (cell) => this.show(this.ask(cell)),
      onrelease: () => this.show(null),
      sentence: (cell) => this.ask(cell)?.sentence ?? "",
    });
    const choices = h("div", { class: "choices" }, h("label", {}, "begin with ", this.start), h("label", { class: "wide-choice" }, h("span", {}, "picture of"), this.statement));
    const run = h("section", { class: "facts", "aria-label": "run, programs" }, h("h2", {}, "At sizes"), h("div", { class: "choices" }, this.sizes), this.ran);
    const side = h("div", { class: "side" }, this.place, run);
    this.columns = h("div", { class: "columns" }, h("div", { class: "figure" }, choices, this.figure.element), side, h("div", { class: "explanation" }, this.report, this.emitted));
    this.frame.fill(h("div", { class: "listing" }, this.numbers, this.field), this.columns);
    this.show(null);
  }

  focus(): void {
    this.field.focus();
  }

  private write(text: string): void {
    this.state.text = text;
    this.state.line = this.lineAt();
    this.update();
    this.host.changed();
  }

  private begin(): void {
    const start = this.starts.find(({ name }) => name === this.start.value);
    this.start.value = "";
    if (!start) return;
    this.field.value = start.text;
    this.state.run = {};
    this.field.setSelectionRange(0, 0);
    this.write(start.text);
  }

  /** The line of the cursor, from 1. */
  private lineAt(): number {
    return this.field.value.slice(0, this.field.selectionStart).split("\n").length;
  }

  /** The picture is of the statement at the cursor. */
  private follow(): void {
    const line = this.lineAt();
    if (line !== this.shown?.line && this.shown?.statements.some((statement) => statement.line === line)) this.draw(line);
  }

  private draw(line: number): void {
    this.state.line = line;
    this.picture();
    this.host.changed();
  }

  private question(): KernelQuestion {
    const { text, run: sizes } = this.state;
    return { text, line: this.state.line, sizes, view: { dark: this.host.dark } };
  }

  private ask(number: number): PlaceAnswer | null {
    return this.host.engine.ask("touch", { ...this.question(), line: this.shown?.line ?? null, number });
  }

  update(): void {
    this.picture();
    this.verdict.textContent = "checking";
    this.verdict.dataset["verdict"] = "";
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      this.check();
      this.run();
      this.emit();
    }, REST);
  }

  private picture(): void {
    const answer = this.host.engine.ask("program", this.question());
    const { name, error, statements, picture, line, sizes } = answer;
    const count = this.field.value.split("\n").length;
    this.numbers.replaceChildren(...Array.from({ length: count }, (_, at) => h("span", { class: at + 1 === error?.line ? "wrong" : at + 1 === line ? "shaded" : "" }, `${at + 1}\n`)));
    this.field.rows = count;
    this.frame.say(error && { code: error.line === null ? "program" : `line ${error.line}`, message: error.text, help: null, start: 0, end: 0 });
    set(this.field, "aria-invalid", error ? "true" : null);
    // While a line is being written, the previous picture stays, paler.
    const stale = name === null && this.shown !== null;
    this.frame.element.classList.toggle("stale", stale);
    this.columns.hidden = name === null && !stale;
    if (name === null) return;
    this.shown = answer;
    this.statement.replaceChildren(...statements.map(({ line: own, text }) => h("option", { value: String(own), selected: own === line }, `${own}: ${text}`)));
    this.figure.show(picture, [], `what threads touch in line ${line ?? "none"}`, "no statement touches global or shared memory");
    this.measure(sizes);
    this.show(null);
  }

  /** A field for each size, kept while it is written in. */
  private measure(sizes: ProgramAnswer["sizes"]): void {
    const names = sizes.map(([name]) => name).join();
    if (this.names !== names) {
      const field = ([name]: [string, number]) => h("label", {}, `${name} `, h("input", { type: "number", min: 1, "aria-label": name, oninput: (event: Event) => this.resize(name, (event.target as HTMLInputElement).value) }));
      this.sizes.replaceChildren(...sizes.map(field));
      this.names = names;
    }
    for (const [at, input] of [...this.sizes.querySelectorAll("input")].entries()) {
      if (input !== document.activeElement || input.value === "") input.value = String(sizes[at]?.[1] ?? "");
    }
  }

  private resize(name: string, text: string): void {
    this.state.run = given(this.state.run, name, text);
    this.run();
    this.host.changed();
  }

  private check(): void {
    const { verdict, findings, conditions, error } = this.host.engine.ask("check", this.question());
    const said: Record<string, string> = { proved: "Proved for all sizes", slow: "Proved for all sizes, with bank conflicts", tried: "Nothing wrong was found, and not all is proved", wrong: "It is wrong" };
    this.verdict.textContent = error ? "It is not a program yet" : `${said[verdict] ?? verdict}. Launch if ${conditions}.`;
    this.verdict.dataset["verdict"] = error ? "none" : verdict;
    const row = ({ line, certainty, text }: (typeof findings)[number]) =>
      h("li", { "data-certainty": certainty }, h("span", { class: "kind" }, certainty), line === null ? null : this.jump(line), h("span", {}, text));
    const order = ["wrong", "tried", "slow", "proved"];
    this.findings.replaceChildren(...findings.toSorted((one, other) => order.indexOf(one.certainty) - order.indexOf(other.certainty)).map(row));
  }

  /** A line that is selected in the text. */
  private jump(line: number): HTMLElement {
    const select = () => {
      const lines = this.field.value.split("\n");
      const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      this.field.focus();
      this.field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
      this.follow();
    };
    return h("button", { type: "button", class: "quiet", onclick: select }, `line ${line}`);
  }

  private run(): void {
    const { text, error } = this.host.engine.ask("run", this.question());
    this.ran.textContent = text ?? said(error);
    set(this.ran, "data-wrong", error !== null);
  }

  private emit(): void {
    const emit = this.emitted.open ? this.target.value : "";
    if (emit !== this.state.emit) {
      this.state.emit = emit;
      this.host.changed();
    }
    if (emit === "") return;
    const { text, error } = this.host.engine.ask("emit", { ...this.question(), language: emit });
    this.source.textContent = text ?? said(error);
    set(this.source, "data-wrong", error !== null);
  }

  private show(place: PlaceAnswer | null): void {
    const title = place ? `Element ${place.element}` : "Element";
    this.place.replaceChildren(h("h2", {}, title), h("p", { class: place ? "" : "hint" }, place ? place.text : HINT), place ? h("p", { class: "hint" }, place.panel) : "");
  }
}

function said(error: ProgramLine | null): string {
  return error ? `${error.line === null ? "" : `line ${error.line}: `}${error.text}` : "";
}
