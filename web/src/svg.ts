// The SVG of tilework-draw on a canvas.
//
// A browser takes 60 ms to lay out the text of 1024 cells in SVG, which is felt at every key; the same marks on a canvas
// take 10. Positions and colours are read from the SVG; only the subset that the writer uses is supported. A test
// compares it with every picture of the writer's own tests.

export interface Mark {
  kind: "rect" | "path" | "text";
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string | null;
  stroke: string | null;
  lineWidth: number;
  round: boolean;
  radius: number;
  path: string;
  shape?: Path2D;
  text: string;
  font: string;
  size: number;
  middle: boolean;
  /** Whether it is a coordinate beside the cells. */
  label: boolean;
}

/** The first cell of a panel. */
export interface Corner {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Drawing {
  width: number;
  height: number;
  marks: Mark[];
  /** One for each panel. */
  corners: Corner[];
  /** The tags that are not supported. */
  unknown: string[];
}

interface Group {
  class: string;
  size: number;
  middle: boolean;
  lineWidth?: number | undefined;
}

interface Style {
  fill: string | null;
  stroke: string | null;
  lineWidth: number | null;
  family: string;
  round: boolean;
}

/** Tags that contain others, or nothing visible. */
const SILENT = new Set(["svg", "g", "style", "title"]);

export function scan(svg: string): Drawing {
  const drawing: Drawing = { width: 0, height: 0, marks: [], corners: [], unknown: [] };
  const groups: Group[] = [{ class: "", size: 16, middle: false }];
  let styles = new Styles("");
  // By hand, because a regular expression takes three times as long.
  for (let at = svg.indexOf("<"); at >= 0; ) {
    const end = svg.indexOf(">", at);
    if (end < 0) break;
    const next = svg.indexOf("<", end);
    const tag = word(svg, at + 1);
    const has = attributes(svg, at + 1 + tag.length, end);
    const text = next > end + 1 ? svg.slice(end + 1, next) : "";
    const group = groups.at(-1) ?? { class: "", size: 16, middle: false };
    const { class: name, size = group.size, middle = group.middle, lineWidth: stroked = group.lineWidth } = has;
    if (tag === "rect" || tag === "path" || tag === "text") {
      const { y, width, height, radius, path } = has;
      const { fill, stroke, lineWidth, family, round } = styles.of(tag, name, group.class);
      const line = stroked ?? lineWidth ?? 1;
      const mark = { kind: tag, y, width, height, fill, stroke, lineWidth: line, round, radius, path, font: family, size, middle, label: middle && group.class === "labels" } as const;
      if (tag === "text" && middle) {
        for (const [x, label] of labels(has.places, plain(text))) drawing.marks.push({ ...mark, x, text: label });
      } else {
        drawing.marks.push({ ...mark, x: has.places[0] ?? 0, text: tag === "text" ? plain(text) : "" });
      }
    } else if (tag === "/g") {
      groups.pop();
    } else if (tag === "g") {
      groups.push({ class: name || group.class, size, middle, lineWidth: stroked });
      if (has.cell) drawing.corners.push(has.cell);
    } else if (tag === "style") {
      styles = new Styles(text);
    } else if (tag === "svg") {
      drawing.width = has.width;
      drawing.height = has.height;
    } else if (!tag.startsWith("/") && !SILENT.has(tag)) {
      drawing.unknown.push(tag);
    }
    at = next;
  }
  return drawing;
}

/** The text up to a space, a slash or the end of the tag. */
function word(svg: string, start: number): string {
  let end = start + 1;
  for (let code = svg.charCodeAt(end); code > 47 && code !== 62; code = svg.charCodeAt(end)) end += 1;
  return svg.slice(start, end);
}

interface Attributes {
  class: string;
  places: number[];
  y: number;
  width: number;
  height: number;
  radius: number;
  path: string;
  size?: number;
  middle?: boolean;
  lineWidth?: number;
  cell?: Corner;
}

function attributes(svg: string, start: number, end: number): Attributes {
  const has: Attributes = { class: "", places: [], y: 0, width: 0, height: 0, radius: 0, path: "" };
  for (let at = start; ; ) {
    const sign = svg.indexOf('="', at);
    if (sign < 0 || sign > end) return has;
    const close = svg.indexOf('"', sign + 2);
    const value = svg.slice(sign + 2, close);
    switch (svg.slice(at, sign).trim()) {
      case "class": has.class = value; break;
      case "x": has.places = value.split(" ").map(Number); break;
      case "y": has.y = +value; break;
      case "width": has.width = +value; break;
      case "height": has.height = +value; break;
      case "rx": has.radius = +value; break;
      case "d": has.path = value; break;
      case "font-size": has.size = +value; break;
      case "text-anchor": has.middle = value === "middle"; break;
      case "stroke-width": has.lineWidth = +value; break;
      case "data-cell": {
        const [x = 0, y = 0, width = 0, height = 0] = value.split(" ").map(Number);
        has.cell = { x, y, width, height };
        break;
      }
    }
    at = close + 1;
  }
}

/** The words of a line with their middles; the places are those of its characters. */
function labels(places: number[], line: string): [number, string][] {
  let at = 0;
  return line.split(" ").map((word) => {
    const first = places[at] ?? 0;
    const last = places[at + word.length - 1] ?? first;
    at += word.length + 1;
    return [(first + last) / 2, word];
  });
}

function plain(text: string): string {
  if (!text.includes("&")) return text;
  const names: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };
  return text.replace(/&(lt|gt|quot|amp);/g, (name) => names[name] ?? name);
}

/** The rules of a style sheet whose selectors are a tag, a class, both, or one of them within a class. */
class Styles {
  private readonly rules = new Map<string, Record<string, string>>();
  private readonly known = new Map<string, Style>();

  constructor(sheet: string) {
    for (const [, selectors = "", body = ""] of sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      const declared = Object.fromEntries(
        body.split(";").map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]),
      );
      for (const selector of selectors.split(",").map((selector) => selector.trim())) {
        this.rules.set(selector, { ...this.rules.get(selector), ...declared });
      }
    }
  }

  /** Weak selectors first, as in CSS. */
  of(tag: string, name: string, parent: string): Style {
    const key = `${tag} ${name} ${parent}`;
    const known = this.known.get(key);
    if (known) return known;
    const classes = name.split(" ").filter(Boolean);
    const parents = parent.split(" ").filter(Boolean);
    const selectors = [
      tag,
      ...classes.map((one) => `.${one}`),
      ...parents.map((above) => `.${above} ${tag}`),
      ...classes.map((one) => `${tag}.${one}`),
      ...parents.flatMap((above) => classes.map((one) => `.${above} .${one}`)),
    ];
    const declared: Record<string, string> = Object.assign({}, ...selectors.map((one) => this.rules.get(one)));
    const paint = (value: string | undefined) =>
      value === undefined || value === "none" ? null : value === "currentColor" ? (declared["color"] ?? "#000") : value;
    const style: Style = {
      fill: declared["fill"] === undefined ? "#000" : paint(declared["fill"]),
      stroke: paint(declared["stroke"]),
      lineWidth: declared["stroke-width"] === undefined ? null : Number.parseFloat(declared["stroke-width"]),
      family: declared["font-family"] ?? "monospace",
      round: declared["stroke-linejoin"] === "round",
    };
    this.known.set(key, style);
    return style;
  }
}

/** A part of the drawing. */
export interface Window {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Below this many pixels letters are unreadable, and they take most of the time. */
export const READABLE = 5;

/** Draws the visible part; `scale` is the pixels per unit of the drawing. */
export function paint(context: CanvasRenderingContext2D, drawing: Drawing, window: Window, scale: number): void {
  const { left, top, right, bottom } = window;
  let font = "";
  for (const mark of drawing.marks) {
    if (mark.kind === "text") {
      const { x, y, size } = mark;
      if (size * scale < READABLE || y < top || y - size > bottom) continue;
      const reach = mark.text.length * size;
      if (x + reach < left || x - reach > right || !mark.fill) continue;
      const wanted = `${size}px ${mark.font}`;
      if (wanted !== font) context.font = font = wanted;
      context.textAlign = mark.middle ? "center" : "left";
      if (mark.stroke) {
        context.lineJoin = "round";
        context.strokeStyle = mark.stroke;
        context.lineWidth = mark.lineWidth;
        context.strokeText(mark.text, x, y);
      }
      context.fillStyle = mark.fill;
      context.fillText(mark.text, x, y);
      continue;
    }
    if (mark.kind === "rect") {
      const { x, y, width, height } = mark;
      if (x > right || y > bottom || x + width < left || y + height < top) continue;
      if (mark.radius > 0) {
        context.beginPath();
        context.roundRect(x, y, width, height, mark.radius);
        context.fillStyle = mark.fill ?? "transparent";
        context.fill();
        continue;
      }
      // A rectangle on top of a larger one takes half the time of a frame.
      const line = mark.stroke ? mark.lineWidth / 2 : 0;
      if (mark.stroke) {
        context.fillStyle = mark.stroke;
        context.fillRect(x - line, y - line, width + 2 * line, height + 2 * line);
      }
      if (mark.fill) {
        context.fillStyle = mark.fill;
        context.fillRect(x + line, y + line, width - 2 * line, height - 2 * line);
      }
      continue;
    }
    const path = (mark.shape ??= new Path2D(mark.path));
    if (mark.fill) {
      context.fillStyle = mark.fill;
      context.fill(path);
    }
    if (mark.stroke) {
      context.lineJoin = mark.round ? "round" : "miter";
      context.lineCap = mark.round ? "round" : "butt";
      context.strokeStyle = mark.stroke;
      context.lineWidth = mark.lineWidth;
      context.stroke(path);
    }
  }
}
