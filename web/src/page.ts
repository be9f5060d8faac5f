// The page: the panes side by side, the controls above them, and the address bar.

import type { ChoiceRow, FunctionRow } from "./answers";
import { Atoms } from "./atoms";
import { h, set } from "./dom";
import type { Engine } from "./engine";
import { CHAPTERS, FIRST, FIRST_TENSOR } from "./examples";
import { Functions } from "./functions";
import { type MemoryHost, MemoryPane } from "./memory";
import { type Host, Pane } from "./pane";
import { type ShardingHost, ShardingPane } from "./sharding";
import { decode, encode, MEMORY, type Memory, MOST_PANES, pane, type PaneState, type State } from "./state";
import type { Tensor } from "./tensor";
import { FIRST_TILE, type Tile } from "./tile";

type Theme = "light" | "dark";

const REMEMBERED = "tilework theme";

export class Page implements Host, MemoryHost, ShardingHost {
  readonly functions: FunctionRow[];
  readonly aspects: ChoiceRow[];
  readonly colors: ChoiceRow[];
  memory: Memory = { ...MEMORY };
  private panes: Pane[] = [];
  private tile: MemoryPane | null = null;
  private sharding: ShardingPane | null = null;
  private readonly board: HTMLElement;
  private readonly add: HTMLButtonElement;
  private readonly share: HTMLButtonElement;
  private readonly prefers = window.matchMedia("(prefers-color-scheme: dark)");
  private written = "";
  private waiting = 0;

  constructor(
    readonly engine: Engine,
    root: HTMLElement,
  ) {
    this.functions = engine.ask("functions", {});
    this.aspects = engine.ask("aspects", {});
    this.colors = engine.ask("colors", {});
    this.board = h("main", { class: "board" });
    this.add = h("button", { type: "button", onclick: () => this.open() }, "New pane");
    this.share = h("button", { type: "button", onclick: () => void this.copyLink() }, "Copy link");
    const examples = dialog("Examples", this.examples());
    const table = new Functions(this.functions, (expression) => {
      functions.close();
      this.show(expression);
    });
    const functions = dialog("Functions", table.element);
    const atoms = new Atoms(engine, (name) => {
      instructions.close();
      this.show(`atom(${name})`);
    });
    const instructions = dialog("Instructions", atoms.element);
    const browse = (list: { list(): void }, box: HTMLDialogElement) => () => {
      list.list();
      box.showModal();
    };
    const actions = h(
      "nav",
      { "aria-label": "explorer" },
      h("button", { type: "button", onclick: () => examples.showModal() }, "Examples"),
      h("button", { type: "button", onclick: browse(table, functions) }, "Functions"),
      h("button", { type: "button", onclick: browse(atoms, instructions) }, "Instructions"),
      h("button", { type: "button", onclick: () => this.remember() }, "Memory"),
      h("button", { type: "button", onclick: () => this.shard() }, "Sharding"),
      this.add,
      this.share,
      h("button", { type: "button", class: "theme", "aria-label": "light or dark", title: "light or dark", onclick: () => this.turn() }, "◐"),
    );
    document.querySelector("header.top")?.append(actions);
    root.replaceChildren(this.board, examples, functions, instructions);
    this.prefers.addEventListener("change", () => this.themed());
    window.addEventListener("hashchange", () => this.visited());
    window.addEventListener("pagehide", () => this.write());
    this.themed(false);
    this.load(decode(location.hash) ?? { panes: FIRST, memory: MEMORY, tensor: null, tile: null });
  }

  get dark(): boolean {
    return (remembered() ?? (this.prefers.matches ? "dark" : "light")) === "dark";
  }

  before(pane: Pane): string[] {
    return this.panes.slice(0, this.panes.indexOf(pane)).map(({ state }) => state.text);
  }

  edited(pane: Pane): void {
    // Later panes may use the names of this one.
    this.update(this.panes.indexOf(pane));
    this.changed();
  }

  changed(): void {
    clearTimeout(this.waiting);
    // Browsers limit how often an address may change.
    this.waiting = window.setTimeout(() => this.write(), 200);
  }

  private update(from = 0): void {
    for (const pane of this.panes.slice(from)) pane.update();
    this.tile?.update();
    this.sharding?.update();
  }

  remembered(memory: Memory): void {
    this.memory = memory;
    for (const pane of this.panes) pane.update();
    this.changed();
  }

  close(pane: Pane): void {
    const at = this.panes.indexOf(pane);
    this.panes.splice(at, 1);
    pane.element.remove();
    this.arrange();
    this.update(at);
    this.panes[Math.max(at - 1, 0)]?.editor.field.focus();
    this.changed();
  }

  /** A text in a new pane, or, if there is no room for one, in the last. */
  show(text: string): void {
    if (this.panes.length < MOST_PANES) return this.open(text);
    const state = this.state();
    this.load({ ...state, panes: [...state.panes.slice(0, -1), pane(text)] });
  }

  private state(): State {
    const panes = this.panes.map(({ state }) => state);
    return { panes, memory: this.memory, tensor: this.sharding?.tensor ?? null, tile: this.tile?.tile ?? null };
  }

  texts(): string[] {
    return this.panes.map(({ state }) => state.text);
  }

  /** The pane of a tensor on many devices, after the others. */
  private shard(): void {
    if (!this.sharding) this.hold(FIRST_TENSOR);
    this.enter(this.sharding);
  }

  /** The pane of a tile of shared memory, after those of expressions. */
  private remember(): void {
    if (!this.tile) this.keep(FIRST_TILE);
    this.enter(this.tile);
  }

  private enter(pane: MemoryPane | ShardingPane | null): void {
    pane?.update();
    pane?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    pane?.focus();
    this.changed();
  }

  private keep(tile: Tile | null): void {
    this.tile?.element.remove();
    this.tile = tile && new MemoryPane(this, { ...tile });
    if (this.tile) this.board.insertBefore(this.tile.element, this.sharding?.element ?? null);
    this.arrange();
  }

  closeMemory(): void {
    this.keep(null);
    this.panes.at(-1)?.editor.field.focus();
    this.changed();
  }

  private hold(tensor: Tensor | null): void {
    this.sharding?.element.remove();
    this.sharding = tensor && new ShardingPane(this, { ...tensor });
    if (this.sharding) this.board.append(this.sharding.element);
    this.arrange();
  }

  closeSharding(): void {
    this.hold(null);
    this.panes.at(-1)?.editor.field.focus();
    this.changed();
  }

  private open(text = ""): void {
    const added = this.insert(pane(text));
    this.arrange();
    added.update();
    added.editor.field.focus();
    added.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.changed();
  }

  private insert(state: PaneState): Pane {
    const added = new Pane(this, state);
    this.panes.push(added);
    this.board.insertBefore(added.element, this.tile?.element ?? this.sharding?.element ?? null);
    return added;
  }

  private arrange(): void {
    const count = this.panes.length + (this.sharding ? 1 : 0) + (this.tile ? 1 : 0);
    this.panes.forEach((pane, at) => pane.place(at + 1, count));
    this.sharding?.alone(count < 2);
    this.tile?.alone(count < 2);
    this.add.disabled = this.panes.length >= MOST_PANES;
    set(this.board, "data-panes", count);
  }

  load({ panes, memory, tensor, tile }: State): void {
    this.panes = [];
    this.sharding = this.tile = null;
    this.board.replaceChildren();
    this.memory = { ...memory };
    for (const state of panes) this.insert(structuredClone(state));
    this.hold(tensor);
    this.keep(tile);
    this.update();
    this.write();
  }

  private write(): void {
    clearTimeout(this.waiting);
    this.written = `#${encode(this.state())}`;
    if (location.hash !== this.written) history.replaceState(null, "", this.written);
    document.title = [(this.panes[0]?.state.text ?? this.tile?.tile.tile ?? this.sharding?.tensor.shape)?.slice(0, 80), "tilework explorer"].filter(Boolean).join(" – ");
  }

  /** The reader has edited the address. */
  private visited(): void {
    if (location.hash === this.written) return;
    const state = decode(location.hash);
    if (state) this.load(state);
  }

  private async copyLink(): Promise<void> {
    this.write();
    try {
      await navigator.clipboard.writeText(location.href);
      this.share.textContent = "Copied";
    } catch {
      this.share.textContent = "See the address bar";
    }
    setTimeout(() => (this.share.textContent = "Copy link"), 1500);
  }

  private turn(): void {
    const next: Theme = this.dark ? "light" : "dark";
    remember(next);
    this.themed();
  }

  private themed(draw = true): void {
    set(document.documentElement, "data-theme", this.dark ? "dark" : "light");
    if (draw) this.update();
  }

  private examples(): HTMLElement {
    const one = ({ title, note, panes, tensor }: (typeof CHAPTERS)[number]["examples"][number]) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            onclick: (event: Event) => {
              (event.target as Element).closest("dialog")?.close();
              // The reader can go back to the earlier state.
              this.write();
              history.pushState(null, "", location.href);
              this.load({ panes, memory: this.memory, tensor: tensor ?? null, tile: null });
            },
          },
          h("strong", {}, title),
          h("span", {}, note),
          ...panes.map(({ text }) => h("code", {}, text)),
          ...(tensor ? [tensor.spec, tensor.to].filter(Boolean).map((spec) => h("code", {}, spec)) : []),
        ),
      );
    const chapters = CHAPTERS.map(({ title, examples }) => h("section", {}, h("h3", {}, title), h("ul", {}, ...examples.map(one))));
    return h("div", { class: "examples" }, ...chapters);
  }
}

// If storage is blocked, the choice lasts as long as the page is open.
let chosen: Theme | null = null;

function remembered(): string | null {
  try {
    return chosen ?? localStorage.getItem(REMEMBERED);
  } catch {
    return chosen;
  }
}

function remember(theme: Theme): void {
  chosen = theme;
  try {
    localStorage.setItem(REMEMBERED, theme);
  } catch {
    // See above.
  }
}

/** A dialog that a click outside closes. */
function dialog(title: string, content: HTMLElement): HTMLDialogElement {
  const close = h("button", { type: "button", "aria-label": "close", onclick: () => box.close() }, "×");
  const box = h("dialog", { "aria-label": title }, h("header", {}, h("h2", {}, title), close), content);
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  return box;
}
