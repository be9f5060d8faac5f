// The names that the reader has defined.

/** The names that `let` defines in these texts. */
export function names(texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\blet\s+([A-Za-z]\w*)/g)].map((match) => match[1] ?? "")))];
}
