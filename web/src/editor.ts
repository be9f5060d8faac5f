// The field for an expression: the error is underlined at its place, and names are completed.
//
// A field cannot underline part of its text. So the same text is below it, invisible except for its marks, and gives
// the field its height.

import type { FunctionRow } from "./answers";
import { h, id, set } from "./dom";

/** A part of the text. */
export interface Span {
  start: number;
  end: number;
}

export interface Listener {
  oninput(text: string): void;
  /** Whether a pasted text was handled, and does not go into the field. */
  onpaste(text: string): boolean;
  /** The names that `let` defined. */
  names(): string[];
}

interface Suggestion {
  name: string;
  form: string;
  summary: string;
}

const MOST = 8;

export class Editor {
  readonly element: HTMLElement;
  readonly field: HTMLTextAreaElement;
  private readonly under = h("div", { class: "under", "aria-hidden": "true" });
  private readonly list = h("ul", { class: "suggestions", role: "listbox", id: id(), "aria-label": "suggestions", hidden: true });
  private suggestions: Suggestion[] = [];
  private chosen = -1;

  constructor(
    private readonly functions: FunctionRow[],
    private readonly listener: Listener,
    label: string,
    describedBy: string,
  ) {
    this.field = h("textarea", {
      rows: 1,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      autocorrect: "off",
      "aria-label": label,
      "aria-describedby": describedBy,
      "aria-autocomplete": "list",
      "aria-controls": this.list.id,
      "aria-haspopup": "listbox",
      placeholder: "(4,8):(8,1) o 4:8, or paste a log",
      oninput: () => {
        this.listener.oninput(this.field.value);
        this.suggest();
      },
      onpaste: (event: ClipboardEvent) => {
        if (this.listener.onpaste(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
      },
      onkeydown: (event: KeyboardEvent) => this.key(event),
      onblur: () => this.close(),
      onscroll: () => (this.under.scrollTop = this.field.scrollTop),
    });
    this.element = h("div", { class: "editor" }, h("div", { class: "sheet" }, this.under, this.field), this.list);
  }

  set text(text: string) {
    if (this.field.value !== text) this.field.value = text;
    this.mark(null, null);
  }

  /** Underlines the error, and shades the operation that is explained. */
  mark(wrong: Span | null, shaded: Span | null): void {
    set(this.field, "aria-invalid", wrong ? "true" : null);
    const span = wrong ?? shaded;
    const text = this.field.value;
    if (!span || (!wrong && span.start === 0 && span.end >= text.trimEnd().length)) {
      // The line break gives an empty last line its height.
      this.under.textContent = `${text}\n`;
      return;
    }
    const marked = text.slice(span.start, span.end);
    const empty = marked.trim() === "";
    this.under.replaceChildren(
      text.slice(0, span.start),
      h("span", { class: (wrong ? "wrong" : "shaded") + (empty ? " empty" : "") }, empty ? "\u00a0" : marked),
      `${text.slice(span.end)}\n`,
    );
  }

  /** The word that ends at the caret. */
  private word(): string {
    const { selectionStart, selectionEnd, value } = this.field;
    if (selectionStart !== selectionEnd) return "";
    const word = /[A-Za-z][A-Za-z0-9_]*$/.exec(value.slice(0, selectionStart))?.[0] ?? "";
    return /^[A-Za-z0-9_]/.test(value.slice(selectionStart)) ? "" : word;
  }

  private suggest(): void {
    const word = this.word().toLowerCase();
    this.suggestions = word.length < 2 ? [] : this.matching(word);
    if (this.suggestions.length === 1 && this.suggestions[0]?.name.toLowerCase() === word) this.suggestions = [];
    this.chosen = -1;
    this.render();
  }

  private matching(word: string): Suggestion[] {
    const names = this.listener.names().map((name) => ({ name, form: name, summary: "a name of yours" }));
    const functions = this.functions.map(({ name, forms, summary }) => ({ name, form: forms[0] ?? name, summary }));
    const all = [...names, ...functions];
    const starts = all.filter(({ name }) => name.toLowerCase().startsWith(word));
    const within = all.filter(({ name }) => !name.toLowerCase().startsWith(word) && name.toLowerCase().includes(word));
    return [...starts, ...within].slice(0, MOST);
  }

  private render(): void {
    const open = this.suggestions.length > 0;
    this.list.hidden = !open;
    this.list.replaceChildren(
      ...this.suggestions.map(({ form, summary }, number) =>
        h(
          "li",
          {
            role: "option",
            id: `${this.list.id}-${number}`,
            "aria-selected": String(number === this.chosen),
            // Not a click, which would come after the field loses focus.
            onpointerdown: (event: PointerEvent) => {
              event.preventDefault();
              this.accept(number);
            },
          },
          h("code", {}, form),
          h("span", {}, summary),
        ),
      ),
    );
    set(this.field, "aria-activedescendant", this.chosen < 0 ? null : `${this.list.id}-${this.chosen}`);
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  private close(): void {
    this.suggestions = [];
    this.render();
  }

  private accept(number: number): void {
    const suggestion = this.suggestions[number];
    if (!suggestion) return;
    const { selectionStart, value } = this.field;
    const start = selectionStart - this.word().length;
    const call = suggestion.form.includes("(") && value[selectionStart] !== "(";
    this.field.setRangeText(suggestion.name + (call ? "(" : ""), start, selectionStart, "end");
    this.close();
    this.listener.oninput(this.field.value);
  }

  private key(event: KeyboardEvent): void {
    const count = this.suggestions.length;
    if (count === 0 || event.isComposing) return;
    if (event.key === "ArrowDown") this.chosen = (this.chosen + 1) % count;
    else if (event.key === "ArrowUp") this.chosen = (this.chosen <= 0 ? count : this.chosen) - 1;
    else if (event.key === "Escape") this.suggestions = [];
    // Tab moves to the next element of the page, unless the reader has moved into the list.
    else if ((event.key === "Enter" || event.key === "Tab") && this.chosen >= 0) {
      event.preventDefault();
      this.accept(this.chosen);
      return;
    } else return;
    event.preventDefault();
    this.render();
  }
}
