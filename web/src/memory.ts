// The pane of a tile of shared memory: what `tilework banks`, `swizzle`, `vector` and `operand` say of it.

import type { MemoryAnswer } from "./answers";
import { h, id, set } from "./dom";
import type { Engine } from "./engine";
import { Picture } from "./picture";
import { count, MOST_NUMBER, type Tile, TILE_LINES, TILE_NUMBERS } from "./tile";

export interface MemoryHost {
  engine: Engine;
  dark: boolean;
  /** The texts of all other panes, whose names the tile may use. */
  texts(): string[];
  changed(): void;
  closeMemory(): void;
}

type Line = (typeof TILE_LINES)[number];

const PLACEHOLDERS: Record<Line, string> = {
  tile: "Sw<2,3,3> o 0 o (64,32):(32,1)",
  access: "ldmatrix, ldmatrix.trans, rows, a layout of threads and values, tiled_mma(..).a",
  copy: "the layout that it is copied to",
  operand: "wgmma.a.k, wgmma.b.mn, tcgen05.a.k, ldmatrix",
};
const QUESTIONS: Record<string, string> = {
  banks: "Do lanes meet in a bank?",
  swizzle: "Which swizzle has no conflicts?",
  vector: "How many elements at once?",
  operand: "Does the instruction accept it?",
};

export class MemoryPane {
  readonly element: HTMLElement;
  private readonly inputs: Record<Line, HTMLInputElement>;
  private readonly numbers: HTMLInputElement[];
  private readonly message = h("p", { class: "message", role: "status", id: id() });
  private readonly answers = h("dl", { class: "said" });
  private readonly picture: Picture;
  private readonly caption = h("figcaption", {});
  private readonly figure: HTMLElement;
  private readonly close = h("button", { type: "button", class: "close", "aria-label": "close memory", onclick: () => this.host.closeMemory() }, "×");

  constructor(
    private readonly host: MemoryHost,
    readonly tile: Tile,
  ) {
    const oninput = () => this.edit();
    const input = (line: Line) =>
      h("input", { "aria-label": line, value: tile[line], placeholder: PLACEHOLDERS[line], spellcheck: "false", autocomplete: "off", "aria-describedby": this.message.id, oninput });
    this.inputs = Object.fromEntries(TILE_LINES.map((line) => [line, input(line)])) as Record<Line, HTMLInputElement>;
    this.numbers = TILE_NUMBERS.map((name) => h("input", { type: "number", min: 1, max: MOST_NUMBER, "aria-label": name, value: String(tile[name] ?? ""), oninput }));
    const nothing = () => undefined;
    this.picture = new Picture({ onpoint: nothing, onpin: nothing, onrelease: nothing, onplace: nothing, sentence: () => "" });
    this.figure = h("figure", { class: "figure" }, this.picture.element, this.caption);
    const rows = TILE_LINES.map((line) => h("label", { class: "line" }, h("span", {}, line), this.inputs[line]));
    const [width, vector] = this.numbers;
    const numbers = h(
      "div",
      { class: "choices" },
      h("label", {}, "elements of ", width ?? null, " bits"),
      h("label", {}, "vectors of ", vector ?? null, " values"),
    );
    this.element = h(
      "article",
      { class: "pane sharding", "aria-label": "memory" },
      h("div", { class: "ask" }, h("div", { class: "lines" }, ...rows, numbers), this.close),
      this.message,
      this.answers,
      this.figure,
    );
  }

  focus(): void {
    this.inputs.tile.focus();
  }

  /** A single pane cannot be closed. */
  alone(alone: boolean): void {
    this.close.hidden = alone;
  }

  private edit(): void {
    for (const line of TILE_LINES) this.tile[line] = this.inputs[line].value;
    TILE_NUMBERS.forEach((name, at) => (this.tile[name] = count(this.numbers[at]?.value ?? "")));
    this.update();
    this.host.changed();
  }

  update(): void {
    const { tile, access, copy, operand, width: bits, vector } = this.tile;
    const view = { bits, dark: this.host.dark };
    const { answers, picture, error } = this.host.engine.ask("memory", { text: tile, before: this.host.texts(), access, copy, operand, vector, view });
    set(this.inputs.tile, "aria-invalid", error ? "true" : null);
    this.message.replaceChildren(
      ...(error ? [h("span", { class: "code" }, error.code), ` ${error.message}`, error.help ? h("span", { class: "help" }, ` – ${error.help}`) : ""] : []),
    );
    this.answers.replaceChildren(...answers.map(said));
    this.figure.hidden = !picture;
    if (picture) this.picture.show(picture, null, [], `banks that ${access} of ${tile} reaches, arrow keys go from word to word`);
    this.caption.textContent = picture?.caption ?? "";
  }
}

function said({ command, text, yes }: MemoryAnswer["answers"][number]): HTMLElement {
  const verdict = yes === null ? "none" : yes ? "yes" : "no";
  return h("div", { "data-verdict": verdict }, h("dt", {}, QUESTIONS[command] ?? command), h("dd", {}, h("code", {}, text)));
}
