// The SVG of tilework-draw on a canvas.
//
// A browser takes 60 ms to lay out the text of 1024 cells in SVG, which is felt at every key; the same marks on a canvas
// take 10. Nothing is decided here: what is where, and in which colour, is read from the SVG, of which this knows the
// part that the writer uses. A test holds every picture of the writer's own tests against it.

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
  text: string;
  font: string;
  size: number;
  middle: boolean;
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
  /** The tags that are not drawn here. */
  unknown: string[];
}

interface Group {
  class: string;
  size: number;
  middle: boolean;
}

interface Style {
  fill: string | null;
  stroke: string | null;
  lineWidth: number | null;
  family: string;
  round: boolean;
}

const ELEMENT = /<(\/?)([a-zA-Z]+)([^>]*)>([^<]*)/g;
const ATTRIBUTE = /([a-zA-Z-]+)="([^"]*)"/g;
/** Tags that hold others, or nothing to see. */
const SILENT = new Set(["svg", "g", "style", "title"]);

export function scan(svg: string): Drawing {
  const drawing: Drawing = { width: 0, height: 0, marks: [], corners: [], unknown: [] };
  const groups: Group[] = [{ class: "", size: 16, middle: false }];
  let styles = new Styles("");
  let wantsCorner = false;
  for (const [, closing, tag = "", written = "", text = ""] of svg.matchAll(ELEMENT)) {
    if (closing) {
      if (tag === "g") groups.pop();
      continue;
    }
    if (tag === "style") {
      styles = new Styles(text);
      continue;
    }
    const group = groups.at(-1) as Group;
    const has = attributes(written);
    const size = has["font-size"] === undefined ? group.size : Number(has["font-size"]);
    const anchor = has["text-anchor"];
    const middle = anchor === undefined ? group.middle : anchor === "middle";
    const name = has["class"] ?? "";
    if (tag === "svg") {
      drawing.width = Number(has["width"]);
      drawing.height = Number(has["height"]);
    } else if (tag === "g") {
      groups.push({ class: name, size, middle });
      wantsCorner = name.split(" ").includes("cells");
    } else if (tag === "rect" || tag === "path" || tag === "text") {
      const style = styles.of(tag, name, group.class);
      const mark: Mark = {
        kind: tag,
        x: Number(has["x"] ?? 0),
        y: Number(has["y"] ?? 0),
        width: Number(has["width"] ?? 0),
        height: Number(has["height"] ?? 0),
        fill: style.fill,
        stroke: style.stroke,
        lineWidth: Number(has["stroke-width"] ?? style.lineWidth ?? 1),
        round: style.round,
        radius: Number(has["rx"] ?? 0),
        path: has["d"] ?? "",
        text: tag === "text" ? plain(text) : "",
        font: style.family,
        size,
        middle,
      };
      if (tag === "rect" && wantsCorner) {
        drawing.corners.push({ x: mark.x, y: mark.y, width: mark.width, height: mark.height });
        wantsCorner = false;
      }
      drawing.marks.push(mark);
    } else if (!SILENT.has(tag)) {
      drawing.unknown.push(tag);
    }
  }
  return drawing;
}

function attributes(written: string): Record<string, string> {
  const found: Record<string, string> = {};
  ATTRIBUTE.lastIndex = 0;
  for (let match = ATTRIBUTE.exec(written); match; match = ATTRIBUTE.exec(written)) {
    found[match[1] as string] = match[2] as string;
  }
  return found;
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
    const paint = (value: string | undefined) => (value === undefined || value === "none" ? null : value);
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

/** Below this many pixels a letter is no more than a speck. */
const READABLE = 2.5;

/** Draws what lies in the window; `scale` says how large a unit of the drawing will be seen. */
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
      context.fillStyle = mark.fill;
      context.fillText(mark.text, x, y);
      continue;
    }
    if (mark.kind === "rect") {
      const { x, y, width, height } = mark;
      if (x > right || y > bottom || x + width < left || y + height < top) continue;
      if (mark.fill) {
        context.fillStyle = mark.fill;
        if (mark.radius > 0) {
          context.beginPath();
          context.roundRect(x, y, width, height, mark.radius);
          context.fill();
        } else {
          context.fillRect(x, y, width, height);
        }
      }
      if (mark.stroke) {
        context.strokeStyle = mark.stroke;
        context.lineWidth = mark.lineWidth;
        context.strokeRect(x, y, width, height);
      }
      continue;
    }
    const path = new Path2D(mark.path);
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
