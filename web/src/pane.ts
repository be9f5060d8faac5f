// The frame of a pane: what is asked, the button that closes it, what is wrong, and the answer. Panes of expressions have it, and
// those of one kind each: a tile of memory, a storage format, a tensor on many devices.

import type { Picture as Answer, Wrong } from "./answers";
import { type Child, h, id, set } from "./dom";
import type { Engine } from "./engine";
import { type Listener, Picture } from "./picture";

/** What every pane uses of the page. */
export interface Host {
  engine: Engine;
  dark: boolean;
  /** The texts of the panes of expressions, whose names the other panes may use. */
  texts(): string[];
  /** Something in the state has changed. */
  changed(): void;
}

/** A pane beside those of expressions, at most one of its kind. */
export interface Single<S> {
  readonly frame: Frame;
  readonly state: S;
  focus(): void;
  update(): void;
}

export class Frame {
  readonly element = h("article", { class: "pane" });
  readonly message = h("p", { class: "message", role: "status", id: id() });
  private readonly button: HTMLButtonElement;

  constructor(name: string, private readonly close: () => void) {
    this.button = h("button", { type: "button", class: "close", onclick: close }, "×");
    this.name(name);
  }

  name(name: string): void {
    set(this.element, "aria-label", name);
    set(this.button, "aria-label", `close ${name}`);
  }

  fill(ask: HTMLElement, ...answer: Child[]): void {
    this.element.append(h("div", { class: "ask" }, ask, this.button), this.message, ...answer.filter((part) => part !== null));
  }

  /** Escape closes it, where nothing in it takes the key. */
  escapes(): this {
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !this.button.hidden) this.close();
    });
    return this;
  }

  /** A single pane cannot be closed. */
  alone(alone: boolean): void {
    this.button.hidden = alone;
  }

  say(error: Wrong | null, before = ""): void {
    this.message.replaceChildren(
      ...(error ? [h("span", { class: "code" }, before + error.code), ` ${error.message}`, error.help ? h("span", { class: "help" }, ` – ${error.help}`) : ""] : []),
    );
  }

  /** A field of one line. */
  field(name: string, value: string, placeholder: string, oninput: () => void): HTMLInputElement {
    return h("input", { "aria-label": name, value, placeholder, spellcheck: "false", autocomplete: "off", "aria-describedby": this.message.id, oninput });
  }
}

/** Fields of one line with their names before them, and what is below. */
export function lines(fields: HTMLInputElement[], below: Child): HTMLElement {
  const rows = fields.map((field) => h("label", { class: "line" }, h("span", {}, field.getAttribute("aria-label")), field));
  return h("div", { class: "lines" }, ...rows, below);
}

/** A picture and what is said of it. */
export class Figure {
  readonly element: HTMLElement;
  readonly picture: Picture;
  private readonly caption = h("figcaption", {});

  constructor(listener: Partial<Listener> = {}) {
    const nothing = () => undefined;
    this.picture = new Picture({ onpoint: nothing, onpin: nothing, onrelease: nothing, onplace: nothing, sentence: () => "", ...listener });
    this.element = h("figure", { class: "figure" }, this.picture.element, this.caption);
  }

  /** Without a picture, the reason. */
  show(answer: Answer | null, pins: number[], label: string, reason = ""): void {
    this.caption.textContent = answer?.caption ?? reason;
    set(this.picture.element, "hidden", !answer);
    this.element.hidden = !answer && reason === "";
    if (answer) this.picture.show(answer, null, pins, `${label}, arrow keys go from cell to cell`);
  }
}
