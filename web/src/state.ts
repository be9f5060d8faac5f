// What the reader has written and chosen, and the same as the part of an address behind its `#`.
//
//   #e=(4,8):(8,1)&r=banks&p=1&c=3.17&s=0&z=1.5,10,20&e=...&m=32,4,16&v=1
//
// `e` begins a pane and what follows belongs to it, up to the next `e`. What stands at its default is left out. `v` is
// the version, and comes last so that no program takes a `)` for the end of a sentence behind the address.

import type { Reading } from "./answers";

/** Where a picture is: its scale, and how far its corner is from that of its window. */
export interface Place {
  scale: number;
  x: number;
  y: number;
}

export interface PaneState {
  text: string;
  reading: Reading;
  path: boolean;
  /** The linear indices of the cells that are pinned. */
  pins: number[];
  /** The operation that is explained; the last one where there is no choice. */
  step: number | null;
  /** `null` where the picture fits its window. */
  place: Place | null;
}

export interface Memory {
  banks: number;
  bank: number;
  element: number;
}

export interface State {
  panes: PaneState[];
  memory: Memory;
}

export const MEMORY: Memory = { banks: 32, bank: 4, element: 16 };
export const MOST_PANES = 8;
export const MOST_PINS = 6;
const READINGS: readonly Reading[] = ["offsets", "banks", "threads"];

export function pane(text: string, more: Partial<PaneState> = {}): PaneState {
  return { text, reading: "offsets", path: false, pins: [], step: null, place: null, ...more };
}

export function encode(state: State): string {
  const parts: string[] = [];
  const put = (key: string, value: string) => parts.push(`${key}=${escape(value)}`);
  for (const { text, reading, path, pins, step, place } of state.panes) {
    put("e", text);
    if (reading !== "offsets") put("r", reading);
    if (path) put("p", "1");
    if (pins.length > 0) put("c", pins.join("."));
    if (step !== null) put("s", String(step));
    if (place) put("z", [place.scale.toFixed(3), place.x.toFixed(0), place.y.toFixed(0)].join(","));
  }
  const { banks, bank, element } = state.memory;
  const memory = [banks, bank, element].join(",");
  if (memory !== Object.values(MEMORY).join(",")) put("m", memory);
  put("v", "1");
  return parts.join("&");
}

/** `null` where the text says nothing about panes; what cannot be understood in it stays at its default. */
export function decode(hash: string): State | null {
  const state: State = { panes: [], memory: { ...MEMORY } };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key, value] = split(part);
    const last = state.panes.at(-1);
    if (key === "e" && state.panes.length < MOST_PANES) state.panes.push(pane(value));
    else if (key === "m") state.memory = memory(value) ?? state.memory;
    else if (last) take(last, key, value);
  }
  return state.panes.length > 0 ? state : null;
}

function take(pane: PaneState, key: string, value: string): void {
  if (key === "r") pane.reading = READINGS.find((reading) => reading === value) ?? pane.reading;
  if (key === "p") pane.path = value === "1";
  if (key === "c") pane.pins = value.split(".").map(count).filter((index) => index !== null).slice(0, MOST_PINS);
  if (key === "s") pane.step = count(value);
  if (key === "z") pane.place = place(value);
}

function count(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function memory(text: string): Memory | null {
  const [banks, bank, element] = text.split(",").map(count);
  return banks && bank && element ? { banks, bank, element } : null;
}

function place(text: string): Place | null {
  const [scale, x, y] = text.split(",").map(Number);
  if (scale === undefined || x === undefined || y === undefined) return null;
  const known = [scale, x, y].every((number) => Number.isFinite(number) && Math.abs(number) < 1e6);
  return known && scale > 0 ? { scale, x, y } : null;
}

/** The signs of layouts stay as they are, as far as an address may have them. */
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
