// A storage format at sizes, and its form in an address: the names are those of `tilework format`.
//
//   format=scale_128x4&sizes=M:40,S:7&by=piece

import { type Named, read, written } from "./named";

export interface Stored {
  /** A name, or words to search for. */
  format: string;
  /** The sizes that the reader has chosen. */
  sizes: Named;
  /** What the colours represent; empty for what suits the format. */
  by: string;
}

export const COLORS = ["", "byte", "piece"] as const;
export const FIRST_STORED: Stored = { format: "awq_gemm", sizes: {}, by: "" };

/** Its form in an address; defaults are omitted. */
export function storedParts({ format, sizes, by }: Stored): [string, string][] {
  const parts: [string, string][] = [["format", format], ["sizes", written(sizes)], ["by", by]];
  return parts.filter(([key, value]) => key === "format" || value !== "");
}

/** The format with one more part of an address; `null` if the part is not of a format. */
export function storedTaken(before: Stored | null, key: string, value: string): Stored | null {
  if (key === "format") return { ...(before ?? { sizes: {}, by: "" }), format: value };
  if (!before) return null;
  if (key === "sizes") return { ...before, sizes: read(value) };
  return key === "by" && COLORS.some((by) => by === value) ? { ...before, by: value } : null;
}
