// The pane of a tensor on many devices: the parts that each device holds, and the messages of a redistribution.

import type { BlockAnswer, ShardingAnswer, TensorQuestion } from "./answers";
import { h, set } from "./dom";
import { Figure, Frame, type Host, lines, type Single } from "./pane";
import { LINES, MOST_BITS, type Tensor } from "./tensor";

type Line = (typeof LINES)[number];

const PLACEHOLDERS: Record<Line, string> = {
  shape: "(1024,512)",
  mesh: "x=2,y=4",
  spec: "P(x, y), [Shard(0), Replicate()], {devices=[2,4]<=[8]}, #sdy.sharding<...>, a layout",
  to: "another one, for the plan",
  links: "x=50,y=900, in GB/s",
};
const HINT = "Point at a block, or reach it with Tab and the arrow keys. A click, Enter or Space chooses its device; Escape lets it go.";

export class ShardingPane implements Single<Tensor> {
  readonly frame: Frame;
  private readonly inputs: Record<Line, HTMLInputElement>;
  private readonly bits = h("input", { type: "number", min: 1, max: MOST_BITS, "aria-label": "bits", oninput: () => this.edit() });
  private readonly device = h("input", { type: "number", min: 0, placeholder: "last", "aria-label": "device", oninput: () => this.edit() });
  private readonly layout = h("code", {});
  private readonly held = h("span", { class: "kind" });
  private readonly result = h("div", { class: "result", role: "group", "aria-label": "value" }, this.layout, this.held);
  private readonly figure: Figure;
  private readonly block = h("section", { class: "cells block", "aria-label": "block, sharding" });
  private readonly forms = h("dl", {});
  private readonly plan = h("section", { class: "explanation", "aria-label": "plan, sharding" });
  private readonly columns: HTMLElement;

  constructor(
    private readonly host: Host,
    readonly state: Tensor,
    close: () => void,
  ) {
    this.frame = new Frame("sharding", close).escapes();
    const input = (line: Line) => this.frame.field(line, state[line], PLACEHOLDERS[line], () => this.edit());
    this.inputs = Object.fromEntries(LINES.map((line) => [line, input(line)])) as Record<Line, HTMLInputElement>;
    this.bits.value = String(state.bits);
    this.device.value = String(state.device ?? "");
    this.figure = new Figure({
      onpoint: (cell) => this.show(this.ask(cell)),
      onpin: (cell) => this.choose(this.ask(cell)?.holders[0]?.device ?? null),
      onrelease: () => this.choose(null),
      sentence: (cell) => this.ask(cell)?.sentence ?? "",
    });
    const numbers = h(
      "div",
      { class: "choices" },
      h("label", {}, "elements of ", this.bits, " bits"),
      h("label", {}, "messages of device ", this.device),
    );
    const facts = h("section", { class: "facts", "aria-label": "forms, sharding" }, h("h2", {}, "In every form"), this.forms);
    this.columns = h("div", { class: "columns" }, this.figure.element, h("div", { class: "side" }, this.block, facts), this.plan);
    this.frame.fill(lines(Object.values(this.inputs), numbers), this.result, this.columns);
  }

  focus(): void {
    this.inputs.shape.focus();
  }

  private edit(): void {
    for (const line of LINES) this.state[line] = this.inputs[line].value;
    const [bits, device] = [this.bits.valueAsNumber, this.device.valueAsNumber];
    if (Number.isInteger(bits) && bits >= 1 && bits <= MOST_BITS) this.state.bits = bits;
    this.state.device = Number.isSafeInteger(device) && device >= 0 ? device : null;
    this.update();
    this.host.changed();
  }

  private choose(device: number | null): void {
    this.device.value = String(device ?? "");
    this.edit();
  }

  private question(): TensorQuestion {
    const { shape, mesh, spec, to, links, bits, device } = this.state;
    return { text: shape, before: this.host.texts(), mesh, spec, to, links, device, view: { bits, dark: this.host.dark } };
  }

  private ask(number: number | null): BlockAnswer | null {
    return number === null ? null : this.host.engine.ask("block", { ...this.question(), number });
  }

  update(): void {
    let answer: ShardingAnswer;
    try {
      answer = this.host.engine.ask("sharding", this.question());
    } catch (error) {
      this.frame.message.textContent = `The explorer failed at these lines, which is a defect of tilework: ${String(error)}`;
      this.columns.hidden = this.result.hidden = true;
      return;
    }
    const { forms, held, picture, unpictured, cells, plan, line, error } = answer;
    for (const name of LINES) set(this.inputs[name], "aria-invalid", line === name ? "true" : null);
    set(this.device, "aria-invalid", line === "device" ? "true" : null);
    this.frame.say(error, `${line}: `);
    this.columns.hidden = this.result.hidden = !forms;
    this.layout.textContent = forms?.layout ?? "";
    this.held.textContent = `${forms?.even === false ? "uneven, " : ""}${held ?? ""}`;
    this.figure.show(picture, cells, `who holds what of ${this.state.shape} by ${this.state.spec}`, unpictured ?? "");
    this.show(this.ask(cells[0] ?? null));
    const form = (name: string, text: string | { refused: string }) =>
      h("div", { class: "wide" }, h("dt", {}, name), h("dd", {}, typeof text === "string" ? h("code", {}, text) : h("span", { class: "hint" }, text.refused)));
    this.forms.replaceChildren(
      ...(forms?.mesh ? [form("mesh", forms.mesh)] : []),
      ...(forms ? [form("local", `(${forms.local.join(",")})`), form("JAX", forms.jax), form("PyTorch", forms.pytorch), form("HLO", forms.hlo), form("Shardy", forms.shardy)] : []),
    );
    this.plan.hidden = !plan;
    this.plan.replaceChildren(...(plan ? planned(plan) : []));
  }

  private show(block: BlockAnswer | null): void {
    if (!block) {
      this.block.replaceChildren(h("h2", {}, "Block"), h("p", { class: "hint" }, HINT));
      return;
    }
    const { indices, first, last, holders } = block;
    const row = (name: string, value: string) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
    const local = first === last ? first : `${first} to ${last}`;
    this.block.replaceChildren(
      h("h2", {}, "Block"),
      h(
        "div",
        { class: "scroll" },
        h("table", {}, h("tbody", {}, row("of the tensor", indices), row("local index", local), ...holders.map(({ device, place }) => row(`device ${device}`, place)))),
      ),
    );
  }
}

function planned({ text, sent, steps, links }: NonNullable<ShardingAnswer["plan"]>): HTMLElement[] {
  const ways = [
    ...(steps ?? []).map((step, at): [string, typeof step.links] => [`${at + 1}. ${step.step}`, step.links]),
    ...(links ? [["messages", links] as [string, typeof links]] : []),
  ];
  const axes = [...new Set(ways.flatMap(([, links]) => links.map(({ axis }) => axis)))];
  const bytes = (links: { axis: string; bytes: number }[], axis: string) => String(links.find((link) => link.axis === axis)?.bytes ?? 0);
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "bytes to a device"), ...axes.map((axis) => h("th", { scope: "col" }, `links of ${axis}`)))),
    h("tbody", {}, ...ways.map(([name, links]) => h("tr", {}, h("th", { scope: "row" }, name), ...axes.map((axis) => h("td", {}, bytes(links, axis)))))),
  );
  return [
    h("h2", {}, "Plan"),
    h("pre", { class: "scroll", tabindex: 0 }, text),
    ...(sent ? [h("pre", { class: "scroll", tabindex: 0 }, sent)] : []),
    ...(axes.length > 0 ? [h("div", { class: "scroll" }, table)] : []),
  ];
}
