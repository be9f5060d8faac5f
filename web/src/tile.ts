// The lines of a tile of shared memory, and their form in an address: the names are those of the commands of `tilework`.
//
//   tile=(64,32):(32,1)&access=ldmatrix&copy=(64,32):(32,1)&operand=ldmatrix&width=16&vector=8

export interface Tile {
  tile: string;
  access: string;
  /** The layout that it is copied to. */
  copy: string;
  /** The instruction that takes it. */
  operand: string;
  /** Bits of an element, where they are given; a tensor has its own. */
  width: number | null;
  /** Consecutive values of a thread that one instruction accesses; by default those of the access. */
  vector: number | null;
}

export const TILE_LINES = ["tile", "access", "copy", "operand"] as const;
export const TILE_NUMBERS = ["width", "vector"] as const;
export const MOST_NUMBER = 4096;
export const FIRST_TILE: Tile = {
  tile: "Sw<2,3,3> o 0 o (64,32):(32,1)",
  access: "ldmatrix",
  copy: "(64,32):(32,1)",
  operand: "ldmatrix",
  width: 16,
  vector: null,
};
const EMPTY: Tile = { tile: "", access: "", copy: "", operand: "", width: null, vector: null };

/** Its form in an address; what is empty is omitted. */
export function tileParts(tile: Tile): [string, string][] {
  const written = [...TILE_LINES, ...TILE_NUMBERS].map((key): [string, string] => [key, String(tile[key] ?? "")]);
  return written.filter(([key, value]) => key === "tile" || value !== "");
}

/** The tile with one more part of an address; `null` if the part is not of a tile. */
export function tileTaken(before: Tile | null, key: string, value: string): Tile | null {
  const line = TILE_LINES.find((line) => line === key);
  if (line === "tile" || (line && before)) return { ...(before ?? EMPTY), [line]: value };
  const number = TILE_NUMBERS.find((number) => number === key);
  return before && number ? { ...before, [number]: count(value) } : null;
}

/** A number of the page, from 1. */
export function count(text: string): number | null {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= MOST_NUMBER ? number : null;
}
