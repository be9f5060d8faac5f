// The page: the panes side by side, the controls above them, and the address bar.

import type { ChoiceRow, FunctionRow } from "./answers";
import { Atoms } from "./atoms";
import { h, set } from "./dom";
import type { Engine } from "./engine";
import { CHAPTERS, FIRST, FIRST_TENSOR } from "./examples";
import { Functions } from "./functions";
import { type ExpressionHost, ExpressionPane } from "./expression";
import { FormatPane } from "./format";
import { FIRST_KERNEL } from "./kernel";
import { MemoryPane } from "./memory";
import type { Host, Single } from "./pane";
import { ProgramPane } from "./program";
import { ShardingPane } from "./sharding";
import { decode, encode, type Kind, KINDS, MEMORY, type Memory, MOST_PANES, pane, type PaneState, type Singles, type State, state } from "./state";
import { FIRST_STORED } from "./stored";
import { FIRST_TILE } from "./tile";

type Theme = "light" | "dark";

const REMEMBERED = "tilework theme";

/** The panes of which there is one at most: the name of the button, what one begins with, and what the title of the page has of it. */
const SINGLES: { [K in Kind]: { name: string; first: Singles[K]; pane: new (host: Host, state: Singles[K], close: () => void) => Single<Singles[K]>; title: keyof Singles[K] } } = {
  tile: { name: "Memory", first: FIRST_TILE, pane: MemoryPane, title: "tile" },
  stored: { name: "Formats", first: FIRST_STORED, pane: FormatPane, title: "format" },
  kernel: { name: "Programs", first: FIRST_KERNEL, pane: ProgramPane, title: "text" },
  tensor: { name: "Sharding", first: FIRST_TENSOR, pane: ShardingPane, title: "shape" },
};

export class Page implements ExpressionHost {
  readonly functions: FunctionRow[];
  readonly aspects: ChoiceRow[];
  readonly colors: ChoiceRow[];
  memory: Memory = { ...MEMORY };
  private panes: ExpressionPane[] = [];
  private singles: { [K in Kind]: Single<Singles[K]> | null } = { tile: null, stored: null, kernel: null, tensor: null };
  /** What panes had that were closed. */
  private closed: Partial<Singles> = {};
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
      ...KINDS.map((kind) => h("button", { type: "button", onclick: () => this.enter(kind) }, SINGLES[kind].name)),
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
    this.load(decode(location.hash) ?? state(FIRST));
  }

  get dark(): boolean {
    return (remembered() ?? (this.prefers.matches ? "dark" : "light")) === "dark";
  }

  before(pane: ExpressionPane): string[] {
    return this.panes.slice(0, this.panes.indexOf(pane)).map(({ state }) => state.text);
  }

  edited(pane: ExpressionPane): void {
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
    for (const kind of KINDS) this.singles[kind]?.update();
  }

  remembered(memory: Memory): void {
    this.memory = memory;
    for (const pane of this.panes) pane.update();
    this.changed();
  }

  close(pane: ExpressionPane): void {
    const at = this.panes.indexOf(pane);
    this.panes.splice(at, 1);
    pane.frame.element.remove();
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
    const singles = Object.fromEntries(KINDS.map((kind) => [kind, this.singles[kind]?.state ?? null]));
    return state(this.panes.map(({ state }) => state), { memory: this.memory, ...singles });
  }

  texts(): string[] {
    return this.panes.map(({ state }) => state.text);
  }

  /** The pane of a kind, which begins with what it had when it was closed. */
  private enter(kind: Kind): void {
    if (!this.singles[kind]) this.hold(kind, this.closed[kind] ?? SINGLES[kind].first);
    const pane = this.singles[kind];
    pane?.update();
    pane?.frame.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    pane?.focus();
    this.changed();
  }

  private hold<K extends Kind>(kind: K, own: Singles[K] | null): void {
    const singles: { [P in K]: Single<Singles[P]> | null } = this.singles;
    singles[kind]?.frame.element.remove();
    singles[kind] = own && new SINGLES[kind].pane(this, structuredClone(own), () => this.leave(kind));
    const held = singles[kind];
    if (held) this.board.insertBefore(held.frame.element, this.first(KINDS.slice(KINDS.indexOf(kind) + 1)));
    this.arrange();
  }

  private leave<K extends Kind>(kind: K): void {
    const closed: Partial<Pick<Singles, K>> = this.closed;
    closed[kind] = this.singles[kind]?.state;
    this.hold(kind, null);
    this.panes.at(-1)?.editor.field.focus();
    this.changed();
  }

  /** The first pane of some kinds. */
  private first(kinds: Kind[]): HTMLElement | null {
    return kinds.flatMap((kind) => this.singles[kind]?.frame.element ?? [])[0] ?? null;
  }

  private open(text = ""): void {
    const added = this.insert(pane(text));
    this.arrange();
    added.update();
    added.editor.field.focus();
    added.frame.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.changed();
  }

  private insert(state: PaneState): ExpressionPane {
    const added = new ExpressionPane(this, state);
    this.panes.push(added);
    this.board.insertBefore(added.frame.element, this.first(KINDS));
    return added;
  }

  private arrange(): void {
    const count = this.panes.length + KINDS.filter((kind) => this.singles[kind]).length;
    this.panes.forEach((pane, at) => pane.place(at + 1, count));
    for (const kind of KINDS) this.singles[kind]?.frame.alone(count < 2);
    this.add.disabled = this.panes.length >= MOST_PANES;
    set(this.board, "data-panes", count);
  }

  load(state: State): void {
    this.panes = [];
    this.singles = { tile: null, stored: null, kernel: null, tensor: null };
    this.board.replaceChildren();
    this.memory = { ...state.memory };
    for (const own of state.panes) this.insert(structuredClone(own));
    for (const kind of KINDS) this.hold(kind, state[kind]);
    this.update();
    this.write();
  }

  private write(): void {
    clearTimeout(this.waiting);
    this.written = `#${encode(this.state())}`;
    if (location.hash !== this.written) history.replaceState(null, "", this.written);
    const [title] = [...this.texts(), ...KINDS.flatMap((kind) => this.title(kind) ?? [])];
    document.title = [title?.slice(0, 80), "tilework explorer"].filter(Boolean).join(" – ");
  }

  private title<K extends Kind>(kind: K): string | null {
    const own: Singles[K] | undefined = this.singles[kind]?.state;
    return own ? String(own[SINGLES[kind].title]) : null;
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
    const one = ({ title, note, panes, tensor, stored }: (typeof CHAPTERS)[number]["examples"][number]) =>
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
              this.load(state(panes, { memory: this.memory, tensor: tensor ?? null, stored: stored ?? null }));
            },
          },
          h("strong", {}, title),
          h("span", {}, note),
          ...panes.map(({ text }) => h("code", {}, text)),
          ...(tensor ? [tensor.spec, tensor.to].filter(Boolean).map((spec) => h("code", {}, spec)) : []),
          ...(stored ? [h("code", {}, stored.format)] : []),
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
