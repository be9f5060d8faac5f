// The pane of a tile of shared memory: what `tilework banks`, `swizzle`, `vector` and `operand` say of it.

import type { MemoryAnswer } from "./answers";
import { h, set } from "./dom";
import { Figure, Frame, type Host, lines, type Single } from "./pane";
import { count, MOST_NUMBER, type Tile, TILE_LINES, TILE_NUMBERS } from "./tile";

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

export class MemoryPane implements Single<Tile> {
  readonly frame: Frame;
  private readonly inputs: Record<Line, HTMLInputElement>;
  private readonly numbers: HTMLInputElement[];
  private readonly answers = h("dl", { class: "said" });
  private readonly figure = new Figure();

  constructor(
    private readonly host: Host,
    readonly state: Tile,
    close: () => void,
  ) {
    this.frame = new Frame("memory", close).escapes();
    const oninput = () => this.edit();
    this.inputs = Object.fromEntries(TILE_LINES.map((line) => [line, this.frame.field(line, state[line], PLACEHOLDERS[line], oninput)])) as Record<Line, HTMLInputElement>;
    this.numbers = TILE_NUMBERS.map((name) => h("input", { type: "number", min: 1, max: MOST_NUMBER, "aria-label": name, value: String(state[name] ?? ""), oninput }));
    const [width, vector] = this.numbers;
    const numbers = h(
      "div",
      { class: "choices" },
      h("label", {}, "elements of ", width ?? null, " bits"),
      h("label", {}, "vectors of ", vector ?? null, " values"),
    );
    this.frame.fill(lines(Object.values(this.inputs), numbers), this.answers, this.figure.element);
  }

  focus(): void {
    this.inputs.tile.focus();
  }

  private edit(): void {
    for (const line of TILE_LINES) this.state[line] = this.inputs[line].value;
    TILE_NUMBERS.forEach((name, at) => (this.state[name] = count(this.numbers[at]?.value ?? "")));
    this.update();
    this.host.changed();
  }

  update(): void {
    const { tile, access, copy, operand, width: bits, vector } = this.state;
    const view = { bits, dark: this.host.dark };
    const { answers, picture, error } = this.host.engine.ask("memory", { text: tile, before: this.host.texts(), access, copy, operand, vector, view });
    set(this.inputs.tile, "aria-invalid", error ? "true" : null);
    this.frame.say(error);
    this.answers.replaceChildren(...answers.map(said));
    this.figure.show(picture, [], `banks that ${access} of ${tile} reaches`);
  }
}

function said({ command, text, yes }: MemoryAnswer["answers"][number]): HTMLElement {
  const verdict = yes === null ? "none" : yes ? "yes" : "no";
  return h("div", { "data-verdict": verdict }, h("dt", {}, QUESTIONS[command] ?? command), h("dd", {}, h("code", {}, text)));
}
