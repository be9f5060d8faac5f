// What the reader has written and chosen, and its form in the address after `#`.
//
//   #e=(4,8):(8,1)&a=banks&p=1&c=3.17&s=0&z=1.5,10,20&n=M:100,ld:128&e=...&m=32,4,16&v=1
//
// The lines of a tensor on many devices are given by name, from `shape` on (tensor.ts), and those of a tile of memory from
// `tile` on (tile.ts). `e` begins a pane, which
// continues up to the next `e`. Defaults are omitted. `v` is the version; it comes last so that the address never ends
// in `)`, which programs that find links would cut off.

import { lines, taken, type Tensor } from "./tensor";
import { type Tile, tileParts, tileTaken } from "./tile";

/** The place of a picture: its scale, and the distance of its corner from that of its window. */
export interface Place {
  scale: number;
  x: number;
  y: number;
}

export interface PaneState {
  text: string;
  /** What the picture shows, by name. */
  aspect: string;
  /** What the colours represent, by name; empty for the aspect's default. */
  color: string;
  path: boolean;
  /** The shape of the tile that threads are shown in; empty for the smallest. */
  tile: string;
  /** The element that is traced through an operation. */
  element: number | null;
  /** The pinned cells, by their numbers in the picture. */
  pins: number[];
  /** The operation that is explained; by default the last one. */
  step: number | null;
  /** `null` if the picture fits its window. */
  place: Place | null;
  /** The values that the reader has chosen for names. */
  names: Record<string, number>;
}

export interface Memory {
  banks: number;
  /** Bytes of a bank. */
  bytes: number;
  /** Bits of an element, where they are given; a tensor has its own. */
  bits: number | null;
}

export interface State {
  panes: PaneState[];
  memory: Memory;
  /** The tensor on many devices, if there is one. */
  tensor: Tensor | null;
  /** The tile of shared memory, if there is one. */
  tile: Tile | null;
}

export const MEMORY: Memory = { banks: 32, bytes: 4, bits: null };
export const MOST_PANES = 8;
export const MOST_PINS = 6;
export const MOST_NAMES = 16;
export const OFFSETS = "offsets";

export function pane(text: string, more: Partial<PaneState> = {}): PaneState {
  return { text, aspect: OFFSETS, color: "", path: false, tile: "", element: null, pins: [], step: null, place: null, names: {}, ...more };
}

export function encode(state: State): string {
  const parts: string[] = [];
  const put = (key: string, value: string) => parts.push(`${key}=${escape(value)}`);
  for (const { text, aspect, color, path, tile, element, pins, step, place, names } of state.panes) {
    put("e", text);
    if (aspect !== OFFSETS) put("a", aspect);
    if (color !== "") put("b", color);
    if (path) put("p", "1");
    if (tile !== "") put("t", tile);
    if (element !== null) put("i", String(element));
    if (pins.length > 0) put("c", pins.join("."));
    if (step !== null) put("s", String(step));
    if (place) put("z", [place.scale.toFixed(3), place.x.toFixed(0), place.y.toFixed(0)].join(","));
    const chosen = Object.entries(names).map(([name, value]) => `${name}:${value}`);
    if (chosen.length > 0) put("n", chosen.join(","));
  }
  if (state.tile) tileParts(state.tile).forEach(([key, value]) => put(key, value));
  if (state.tensor) lines(state.tensor).forEach(([key, value]) => put(key, value));
  const { banks, bytes, bits } = state.memory;
  const memory = [banks, bytes, bits].join(",");
  if (memory !== Object.values(MEMORY).join(",")) put("m", memory);
  put("v", "1");
  return parts.join("&");
}

/** `null` if the text has no pane of any kind; invalid parts keep their defaults. */
export function decode(hash: string): State | null {
  const state: State = { panes: [], memory: { ...MEMORY }, tensor: null, tile: null };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key, value] = split(part);
    const last = state.panes.at(-1);
    const tensor = taken(state.tensor, key, value);
    const tile = tileTaken(state.tile, key, value);
    if (tensor) state.tensor = tensor;
    else if (tile) state.tile = tile;
    else if (key === "e" && state.panes.length < MOST_PANES) state.panes.push(pane(value));
    else if (key === "m") state.memory = memory(value) ?? state.memory;
    else if (last) take(last, key, value);
  }
  return state.panes.length > 0 || state.tensor || state.tile ? state : null;
}

function take(pane: PaneState, key: string, value: string): void {
  if (key === "a" && /^[a-z]+$/.test(value)) pane.aspect = value;
  if (key === "b" && /^[a-z]+$/.test(value)) pane.color = value;
  if (key === "t") pane.tile = value;
  if (key === "i") pane.element = count(value);
  if (key === "p") pane.path = value === "1";
  if (key === "c") pane.pins = value.split(".").map(count).filter((index) => index !== null).slice(0, MOST_PINS);
  if (key === "s") pane.step = count(value);
  if (key === "z") pane.place = place(value);
  if (key === "n") pane.names = chosen(value);
}

function count(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function chosen(text: string): Record<string, number> {
  const pairs = text.split(",").map((pair) => /^([A-Za-z]\w{0,63}|\?\d{1,14}):(\d{1,15})$/.exec(pair));
  const known = pairs.flatMap((pair): [string, number][] => (pair ? [[pair[1] ?? "", Number(pair[2])]] : []));
  return Object.fromEntries(known.slice(0, MOST_NAMES));
}

function memory(text: string): Memory | null {
  const [banks, bytes, bits] = text.split(",").map(count);
  return banks && bytes ? { banks, bytes, bits: bits || null } : null;
}

function place(text: string): Place | null {
  const [scale, x, y] = text.split(",").map(Number);
  if (scale === undefined || x === undefined || y === undefined) return null;
  const known = [scale, x, y].every((number) => Number.isFinite(number) && Math.abs(number) < 1e6);
  return known && scale > 0 ? { scale, x, y } : null;
}

/** The characters of layouts are not escaped if an address may contain them. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|3A|2F|40|3B|20)/g, (code) =>
    code === "%20" ? "+" : decodeURIComponent(code),
  );
}

function split(part: string): [string, string] {
  const at = part.indexOf("=");
  if (at < 0) return [part, ""];
  const value = part.slice(at + 1).replaceAll("+", " ");
  try {
    return [part.slice(0, at), decodeURIComponent(value)];
  } catch {
    return [part.slice(0, at), value];
  }
}
