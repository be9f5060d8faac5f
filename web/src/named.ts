// Numbers by name, and their form in an address: `M:100,ld:128`.

const MOST = 16;

export type Named = Record<string, number>;

export function written(numbers: Named): string {
  return Object.entries(numbers).map(([name, value]) => `${name}:${value}`).join(",");
}

/** What makes no sense is passed over. */
export function read(text: string): Named {
  const pairs = text.split(",").map((pair) => /^([A-Za-z]\w{0,63}|\?\d{1,14}):(\d{1,15})$/.exec(pair));
  const known = pairs.flatMap((pair): [string, number][] => (pair ? [[pair[1] ?? "", Number(pair[2])]] : []));
  return Object.fromEntries(known.slice(0, MOST));
}

/** The numbers with the one that is written in a field, or without it. */
export function given(numbers: Named, name: string, text: string): Named {
  const { [name]: _, ...others } = numbers;
  return /^\d{1,15}$/.test(text) ? { ...others, [name]: Number(text) } : others;
}
