// The picture of a pane: a canvas to pan and zoom, whose cells can be pointed at, traversed by keyboard and pinned.
//
// Screen readers see a grid with one cell, the current one: the grid is too large to be listed.

import type { Picture as Answer } from "./answers";
import { h, id, set } from "./dom";
import type { Place } from "./state";
import { type Corner, type Drawing, type Mark, paint, READABLE, scan } from "./svg";

export interface Listener {
  /** The cell under the pointer or the keyboard. */
  onpoint(cell: number): void;
  onpin(cell: number): void;
  onrelease(): void;
  onplace(place: Place | null): void;
  /** The text for screen readers about a cell. Cells are numbered through the panels, row by row. */
  sentence(cell: number): string;
}

/** A cell: panel, row and column. */
interface Spot {
  panel: number;
  row: number;
  column: number;
}

const LARGEST = 8;
/** A step of the wheel or of a key. */
const STEP = 1.25;
/** A pointer that moves less than this has clicked. */
const STILL = 4;
const ACCENT = "#d55e00";
/** The size of letters beside a picture whose own are too small. */
const AXIS = 11;

/** The outermost level of coordinates that has several. */
function outermost(labels: Mark[], level: (label: Mark) => number): Mark[] {
  const levels = [...Map.groupBy(labels, level)].sort(([one], [other]) => one - other).map(([, own]) => own);
  return levels.find((own) => own.length > 1) ?? levels.at(-1) ?? [];
}

export class Picture {
  readonly element: HTMLElement;
  private readonly base = h("canvas", { class: "base", "aria-hidden": "true" });
  private readonly over = h("canvas", { class: "over", "aria-hidden": "true" });
  private readonly cell = h("div", { role: "gridcell", id: id() });
  private readonly row = h("div", { role: "row", class: "unseen" }, this.cell);
  private drawing: Drawing = { width: 1, height: 1, marks: [], corners: [], unknown: [] };
  private panels: Answer["panels"] = [];
  private fallback: HTMLImageElement | null = null;
  private place: Place | null = null;
  private pins: number[] = [];
  private hovered: Spot | null = null;
  private focused: Spot | null = null;
  private width = 0;
  private height = 0;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private travelled = 0;
  private waiting = false;

  constructor(private readonly listener: Listener) {
    this.element = h(
      "div",
      {
        class: "picture",
        role: "grid",
        tabindex: 0,
        "aria-label": "picture",
        onkeydown: (event: KeyboardEvent) => this.key(event),
        onfocus: () => this.focus(),
        onblur: () => this.mark(),
        onpointerdown: (event: PointerEvent) => this.down(event),
        onpointermove: (event: PointerEvent) => this.move(event),
        onpointerup: (event: PointerEvent) => this.up(event),
        onpointercancel: (event: PointerEvent) => this.pointers.delete(event.pointerId),
        ondblclick: () => this.fit(),
      },
      this.base,
      this.over,
      this.row,
    );
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  show(answer: Answer, place: Place | null, pins: number[], label: string): void {
    this.drawing = scan(answer.svg);
    this.panels = answer.panels;
    this.place = place;
    this.pins = pins;
    this.hovered = null;
    if (this.focused && this.numberOf(this.focused) === null) this.focused = { panel: 0, row: 0, column: 0 };
    this.fallback = null;
    if (this.drawing.unknown.length > 0) this.load(answer.svg);
    set(this.element, "aria-label", label);
    set(this.element, "aria-rowcount", Math.max(...answer.panels.map((panel) => panel.rows), 1));
    set(this.element, "aria-colcount", Math.max(...answer.panels.map((panel) => panel.columns), 1));
    this.element.style.setProperty("--ratio", `${this.drawing.width} / ${this.drawing.height}`);
    this.element.style.setProperty("--natural", `${this.drawing.height}px`);
    this.measure();
    this.draw();
    this.speak();
  }

  /** The browser draws pictures that this page does not support. */
  private load(svg: string): void {
    const image = new Image();
    const { drawing } = this;
    image.onload = () => {
      // Another picture may have come before it.
      if (drawing !== this.drawing) return;
      this.fallback = image;
      this.draw();
    };
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }

  pin(pins: number[]): void {
    this.pins = pins;
    this.mark();
  }

  zoom(factor: number): void {
    this.scaleAt(factor, this.width / 2, this.height / 2);
  }

  fit(): void {
    this.place = null;
    this.moved();
  }

  /** The picture as a file: complete, twice as large as in SVG. */
  async png(background: string): Promise<Blob | null> {
    const { width, height } = this.drawing;
    const scale = Math.min(2, 16_000 / Math.max(width, height));
    const canvas = h("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    const context = canvas.getContext("2d");
    if (!context) return null;
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(scale, scale);
    if (this.fallback) context.drawImage(this.fallback, 0, 0);
    else paint(context, this.drawing, { left: 0, top: 0, right: width, bottom: height }, scale);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  private measure(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === this.width && clientHeight === this.height) return;
    this.width = clientWidth;
    this.height = clientHeight;
    const pixels = devicePixelRatio;
    for (const canvas of [this.base, this.over]) {
      canvas.width = Math.round(clientWidth * pixels);
      canvas.height = Math.round(clientHeight * pixels);
    }
    this.draw();
  }

  private fitting(): Place {
    const { width, height } = this.drawing;
    const scale = Math.min(1.25, this.width / width, this.height / height);
    return { scale, x: Math.max(0, (this.width - scale * width) / 2), y: Math.max(0, (this.height - scale * height) / 2) };
  }

  private now(): Place {
    return this.place ?? this.fitting();
  }

  private moved(): void {
    this.listener.onplace(this.place);
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  private context(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const context = canvas.getContext("2d");
    if (!context || this.width === 0) return null;
    const { scale, x, y } = this.now();
    const pixels = devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(scale * pixels, 0, 0, scale * pixels, x * pixels, y * pixels);
    return context;
  }

  private draw(): void {
    const context = this.context(this.base);
    if (!context) return;
    const { scale, x, y } = this.now();
    const window = { left: -x / scale, top: -y / scale, right: (this.width - x) / scale, bottom: (this.height - y) / scale };
    if (this.fallback) context.drawImage(this.fallback, 0, 0);
    else paint(context, this.drawing, window, scale * devicePixelRatio);
    this.axes(context);
    // While the whole picture is visible, a finger scrolls the page and not the picture.
    this.element.style.touchAction = this.place ? "none" : "pan-y";
    this.mark();
  }

  /** Coordinates along the sides where those of the picture are too small: as many as have room. */
  private axes(context: CanvasRenderingContext2D): void {
    const { scale, x, y } = this.now();
    const labels = this.drawing.marks.filter(({ label }) => label);
    const size = labels[0]?.size ?? 0;
    if (size * scale * devicePixelRatio >= READABLE) return;
    const style = getComputedStyle(this.element);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.font = `${AXIS}px monospace`;
    context.fillStyle = style.getPropertyValue("--ink");
    context.strokeStyle = style.getPropertyValue("--surface");
    context.lineWidth = 3;
    context.lineJoin = "round";
    const write = (text: string, left: number, base: number) => {
      context.strokeText(text, left, base);
      context.fillText(text, left, base);
    };
    for (const [panel, corner] of this.drawing.corners.entries()) {
      const { rows = 0, columns = 0 } = this.panels[panel] ?? {};
      const above = (at: number, start: number) => at < start && at > start - 6 * size;
      const along = (at: number, start: number, length: number) => at >= start && at <= start + length;
      const across = labels.filter((one) => above(one.y, corner.y) && along(one.x, corner.x, columns * corner.width));
      const down = labels.filter((one) => above(one.x, corner.x) && along(one.y, corner.y, rows * corner.height));
      const [left, top] = [x + scale * corner.x, y + scale * corner.y];
      // Another panel is not written on.
      const others = this.drawing.corners.map((other, at) => ({
        right: x + scale * (other.x + other.width * (this.panels[at]?.columns ?? 0)),
        bottom: y + scale * (other.y + other.height * (this.panels[at]?.rows ?? 0)),
      }));
      const beside = Math.max(0, ...others.filter(({ right }) => right <= left).map(({ right }) => right));
      const over = Math.max(0, ...others.filter(({ bottom }) => bottom <= top).map(({ bottom }) => bottom));
      let end = -Infinity;
      for (const { text, x: middle } of outermost(across, ({ y }) => y)) {
        const width = context.measureText(text).width;
        const start = x + scale * middle - width / 2;
        if (start < end + AXIS || top - AXIS < over) continue;
        write(text, start, Math.max(top - 3, AXIS));
        end = start + width;
      }
      end = -Infinity;
      for (const { text, y: base } of outermost(down, ({ x }) => x)) {
        const at = y + scale * base;
        const start = Math.max(left - context.measureText(text).width - 4, 1);
        if (at < end + 2 * AXIS || start < beside) continue;
        write(text, start, at + AXIS / 3);
        end = at;
      }
    }
  }

  /** Frames the cells that are pinned, focused and pointed at. */
  private mark(): void {
    const context = this.context(this.over);
    if (!context) return;
    const colourOf = (name: string) => getComputedStyle(this.element).getPropertyValue(name);
    const frame = (spot: Spot, width: number, colour: string) => {
      const { x, y, width: w, height } = this.rect(spot);
      const line = width / Math.min(this.now().scale, 1.5);
      context.strokeStyle = colourOf("--surface");
      context.lineWidth = line + 2 / this.now().scale;
      context.strokeRect(x, y, w, height);
      context.strokeStyle = colour;
      context.lineWidth = line;
      context.strokeRect(x, y, w, height);
    };
    for (const cell of this.pins) {
      const spot = this.spotOf(cell);
      if (spot) frame(spot, 3.5, ACCENT);
    }
    if (this.hovered) frame(this.hovered, 2.5, ACCENT);
    if (this.focused && this.element.matches(":focus-visible")) {
      frame(this.focused, 2.5, colourOf("--ink"));
    }
  }

  private rect({ panel, row, column }: Spot): Corner {
    const corner = this.drawing.corners[panel] ?? { x: 0, y: 0, width: 0, height: 0 };
    const { x, y, width, height } = corner;
    return { x: x + column * width, y: y + row * height, width, height };
  }

  private numberOf({ panel, row, column }: Spot): number | null {
    const found = this.panels[panel];
    if (!found || row < 0 || column < 0 || row >= found.rows || column >= found.columns) return null;
    const number = row * found.columns + column;
    if (number >= found.cells) return null;
    return this.panels.slice(0, panel).reduce((sum, { cells }) => sum + cells, number);
  }

  private spotOf(cell: number): Spot | null {
    let rest = cell;
    for (const [panel, { columns, cells }] of this.panels.entries()) {
      if (rest < cells) return { panel, row: Math.floor(rest / columns), column: rest % columns };
      rest -= cells;
    }
    return null;
  }

  /** The cell at a point of the window. */
  private spotAt(x: number, y: number): Spot | null {
    const place = this.now();
    const [inX, inY] = [(x - place.x) / place.scale, (y - place.y) / place.scale];
    for (const [panel, corner] of this.drawing.corners.entries()) {
      const spot = {
        panel,
        row: Math.floor((inY - corner.y) / corner.height),
        column: Math.floor((inX - corner.x) / corner.width),
      };
      if (this.numberOf(spot) !== null) return spot;
    }
    return null;
  }

  private inside(event: MouseEvent): { x: number; y: number } {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** The last cell pointed at stays described, so that its numbers can be read. */
  private point(spot: Spot | null): void {
    const cell = spot && this.numberOf(spot);
    if (cell === null || cell === (this.hovered && this.numberOf(this.hovered))) return;
    this.hovered = spot;
    this.listener.onpoint(cell);
    this.mark();
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, this.inside(event));
    this.travelled = 0;
    this.element.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    const at = this.inside(event);
    if (!before) {
      this.point(this.spotAt(at.x, at.y));
      return;
    }
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    this.travelled += Math.hypot(dx, dy);
    const other = [...this.pointers].find(([pointer]) => pointer !== event.pointerId)?.[1];
    if (this.travelled < STILL) return;
    this.pointers.set(event.pointerId, at);
    if (other) {
      const reach = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y);
      this.scaleAt(reach(at) / Math.max(reach(before), 1), (at.x + other.x) / 2, (at.y + other.y) / 2);
    } else if (event.pointerType === "mouse" || this.place) {
      this.pan(dx, dy);
    }
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId) || this.travelled >= STILL) return;
    const { x, y } = this.inside(event);
    const spot = this.spotAt(x, y);
    const cell = spot && this.numberOf(spot);
    if (spot === null || cell === null) return;
    this.focused = spot;
    this.listener.onpin(cell);
    this.speak();
  }

  private pan(dx: number, dy: number): void {
    const { scale, x, y } = this.now();
    // Part of the picture stays in the window.
    const within = (value: number, size: number, window: number) =>
      Math.min(window - 40, Math.max(40 - scale * size, value));
    const { width, height } = this.drawing;
    this.place = { scale, x: within(x + dx, width, this.width), y: within(y + dy, height, this.height) };
    this.moved();
  }

  private scaleAt(factor: number, x: number, y: number): void {
    const place = this.now();
    const least = this.fitting().scale;
    const scale = Math.min(Math.max(LARGEST, least), place.scale * factor);
    if (scale <= least) {
      this.fit();
      return;
    }
    const grown = scale / place.scale;
    this.place = { scale, x: x - grown * (x - place.x), y: y - grown * (y - place.y) };
    this.moved();
  }

  private wheel(event: WheelEvent): void {
    // At the smallest scale the wheel scrolls the page.
    if (event.deltaY > 0 && !this.place && !event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    const { x, y } = this.inside(event);
    this.scaleAt(Math.exp((-event.deltaY * lines) / 400), x, y);
  }

  private focus(): void {
    // While a pointer is down, it determines the cell.
    if (this.pointers.size > 0) return;
    if (this.focused === null || this.numberOf(this.focused) === null) this.focused = { panel: 0, row: 0, column: 0 };
    this.tell(this.focused);
  }

  /** The keyboard has moved to a cell, which replaces the one under the pointer. */
  private tell(spot: Spot): void {
    const cell = this.numberOf(spot);
    if (cell === null) return;
    this.hovered = null;
    this.speak();
    this.listener.onpoint(cell);
    this.mark();
  }

  /** Puts the focused cell into the grid for screen readers. */
  private speak(): void {
    const cell = this.focused && this.numberOf(this.focused);
    if (!this.focused || cell === null) return;
    set(this.row, "aria-rowindex", this.focused.row + 1);
    set(this.cell, "aria-colindex", this.focused.column + 1);
    set(this.cell, "aria-selected", String(this.pins.includes(cell)));
    this.cell.textContent = this.listener.sentence(cell);
    set(this.element, "aria-activedescendant", this.cell.id);
  }

  private go(spot: Spot | null): void {
    const cell = spot && this.numberOf(spot);
    if (!spot || cell === null) return;
    this.focused = spot;
    const { x, y, width, height } = this.rect(spot);
    const place = this.now();
    const into = (start: number, size: number, window: number) =>
      start < 0 ? -start : Math.min(0, window - start - size);
    const dx = into(place.x + place.scale * x, place.scale * width, this.width);
    const dy = into(place.y + place.scale * y, place.scale * height, this.height);
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
    this.tell(spot);
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!this.command(event.key, event.shiftKey)) return;
    event.preventDefault();
  }

  /** Whether the key is handled here. */
  private command(key: string, shift: boolean): boolean {
    const spot = this.focused ?? { panel: 0, row: 0, column: 0 };
    const panel = this.panels[spot.panel];
    const arrows: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const arrow = arrows[key];
    if (arrow && shift) {
      this.pan(-60 * arrow[1], -60 * arrow[0]);
    } else if (arrow) {
      const next = { ...spot, row: spot.row + arrow[0], column: spot.column + arrow[1] };
      // Beyond the side of a panel the next one begins.
      const beyond = { panel: spot.panel + arrow[0] + arrow[1], row: 0, column: 0 };
      this.go(this.numberOf(next) === null ? beyond : next);
    } else if (key === "Home") {
      this.go({ ...spot, column: 0 });
    } else if (key === "End" && panel) {
      this.go({ ...spot, column: Math.min(panel.columns, panel.cells - spot.row * panel.columns) - 1 });
    } else if (key === "Enter" || key === " ") {
      const cell = this.numberOf(spot);
      if (cell !== null) this.listener.onpin(cell);
      this.speak();
    } else if (key === "Escape" && this.pins.length > 0) {
      this.listener.onrelease();
    } else if (key === "+" || key === "=") {
      this.zoom(STEP);
    } else if (key === "-") {
      this.zoom(1 / STEP);
    } else if (key === "0") {
      this.fit();
    } else {
      return false;
    }
    return true;
  }
}
