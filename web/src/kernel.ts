// A GPU program, and its form in an address.
//
//   kernel=kernel+copy+32+threads%2C...&line=4&run=M:70&emit=cuda

import { type Named, read, written } from "./named";

export interface Kernel {
  text: string;
  /** The line of the statement that is drawn; by default the first. */
  line: number | null;
  /** The sizes of a run that the reader has chosen. */
  run: Named;
  /** The language of the source text; empty while it is not shown. */
  emit: string;
}

export const TARGETS = ["wgsl", "cuda"] as const;
/** Without a text it begins with the first program of the library. */
export const FIRST_KERNEL: Kernel = { text: "", line: null, run: {}, emit: "" };

/** Its form in an address; defaults are omitted. */
export function kernelParts({ text, line, run, emit }: Kernel): [string, string][] {
  const parts: [string, string][] = [["kernel", text], ["line", String(line ?? "")], ["run", written(run)], ["emit", emit]];
  return parts.filter(([key, value]) => key === "kernel" || value !== "");
}

/** The program with one more part of an address; `null` if the part is not of a program. */
export function kernelTaken(before: Kernel | null, key: string, value: string): Kernel | null {
  if (key === "kernel") return { ...(before ?? FIRST_KERNEL), text: value };
  if (!before) return null;
  if (key === "line") return { ...before, line: /^[1-9]\d{0,4}$/.test(value) ? Number(value) : null };
  if (key === "run") return { ...before, run: read(value) };
  return key === "emit" && TARGETS.some((target) => target === value) ? { ...before, emit: value } : null;
}
