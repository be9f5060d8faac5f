// What the reader has written and chosen, and its form in the address after `#`.
//
//   #e=(4,8):(8,1)&a=banks&p=1&c=3.17&s=0&z=1.5,10,20&n=M:100,ld:128&e=...&m=32,4,16&v=1
//
// The other panes are given by the names of their lines: a tile of memory from `tile` on (tile.ts), a storage format from `format`
// on (stored.ts), a GPU program from `kernel` on (kernel.ts), a tensor on many devices from `shape` on (tensor.ts). `e` begins a pane, which
// continues up to the next `e`. Defaults are omitted. `v` is the version; it comes last so that the address never ends
// in `)`, which programs that find links would cut off.

import { type Kernel, kernelParts, kernelTaken } from "./kernel";
import { type Named, read, written } from "./named";
import { type Stored, storedParts, storedTaken } from "./stored";
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
  names: Named;
}

export interface Memory {
  banks: number;
  /** Bytes of a bank. */
  bytes: number;
  /** Bits of an element, where they are given; a tensor has its own. */
  bits: number | null;
}

/** What has one pane at most, in the order of the panes. */
export interface Singles {
  tile: Tile;
  stored: Stored;
  kernel: Kernel;
  tensor: Tensor;
}

export type Kind = keyof Singles;

export type State = { panes: PaneState[]; memory: Memory } & { [K in Kind]: Singles[K] | null };

/** Forms in an address: the parts of a state, and a state with one more part, `null` if the part is of another. */
const FORMS: { [K in Kind]: { parts(state: Singles[K]): [string, string][]; taken(before: Singles[K] | null, key: string, value: string): Singles[K] | null } } = {
  tile: { parts: tileParts, taken: tileTaken },
  stored: { parts: storedParts, taken: storedTaken },
  kernel: { parts: kernelParts, taken: kernelTaken },
  tensor: { parts: lines, taken },
};

export const KINDS = Object.keys(FORMS) as Kind[];

export const MEMORY: Memory = { banks: 32, bytes: 4, bits: null };
export const MOST_PANES = 8;
export const MOST_PINS = 6;
export const OFFSETS = "offsets";

export function pane(text: string, more: Partial<PaneState> = {}): PaneState {
  return { text, aspect: OFFSETS, color: "", path: false, tile: "", element: null, pins: [], step: null, place: null, names: {}, ...more };
}

/** Panes of expressions, and others if they are given. */
export function state(panes: PaneState[], more: Partial<State> = {}): State {
  return { panes, memory: { ...MEMORY }, tile: null, stored: null, kernel: null, tensor: null, ...more };
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
    if (Object.keys(names).length > 0) put("n", written(names));
  }
  for (const kind of KINDS) partsOf(state, kind).forEach(([key, value]) => put(key, value));
  const { banks, bytes, bits } = state.memory;
  const memory = [banks, bytes, bits].join(",");
  if (memory !== Object.values(MEMORY).join(",")) put("m", memory);
  put("v", "1");
  return parts.join("&");
}

/** `null` if the text has no pane of any kind; invalid parts keep their defaults. */
export function decode(hash: string): State | null {
  const found = state([]);
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key, value] = split(part);
    const last = found.panes.at(-1);
    if (KINDS.some((kind) => takenBy(found, kind, key, value))) continue;
    if (key === "e" && found.panes.length < MOST_PANES) found.panes.push(pane(value));
    else if (key === "m") found.memory = memory(value) ?? found.memory;
    else if (last) take(last, key, value);
  }
  return found.panes.length > 0 || KINDS.some((kind) => found[kind]) ? found : null;
}

function partsOf<K extends Kind>(state: { [P in K]: Singles[P] | null }, kind: K): [string, string][] {
  const own = state[kind];
  return own ? FORMS[kind].parts(own) : [];
}

/** Whether the part is of this kind. */
function takenBy<K extends Kind>(state: { [P in K]: Singles[P] | null }, kind: K, key: string, value: string): boolean {
  const next = FORMS[kind].taken(state[kind], key, value);
  if (next) state[kind] = next;
  return next !== null;
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
  if (key === "n") pane.names = read(value);
}

function count(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
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
