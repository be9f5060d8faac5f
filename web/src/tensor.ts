// The lines of a tensor on many devices, and their form in an address: the names are those of `tilework shard` and
// `tilework reshard`.
//
//   shape=(1024,512)&mesh=x%3D2,y%3D4&spec=P(x,+y)&to=P(x)&bits=16&links=x%3D50,y%3D900&device=3

export interface Tensor {
  shape: string;
  mesh: string;
  spec: string;
  /** The sharding to redistribute to; empty for none. */
  to: string;
  /** The speeds of the links; empty for equal ones. */
  links: string;
  /** Bits of an element. */
  bits: number;
  /** The device whose messages are shown; by default the last one. */
  device: number | null;
}

export const LINES = ["shape", "mesh", "spec", "to", "links"] as const;
const BITS = 32;
export const MOST_BITS = 1024;

export function tensor(shape: string, mesh: string, spec: string, more: Partial<Tensor> = {}): Tensor {
  return { shape, mesh, spec, to: "", links: "", bits: BITS, device: null, ...more };
}

/** Its form in an address; defaults are omitted. */
export function lines(tensor: Tensor): [string, string][] {
  const written = LINES.filter((line) => line === "shape" || tensor[line] !== "");
  const parts: [string, string][] = written.map((line) => [line, tensor[line]]);
  if (tensor.bits !== BITS) parts.push(["bits", String(tensor.bits)]);
  if (tensor.device !== null) parts.push(["device", String(tensor.device)]);
  return parts;
}

/** The tensor with one more part of an address; `null` if the part is not of a tensor. */
export function taken(before: Tensor | null, key: string, value: string): Tensor | null {
  const line = LINES.find((line) => line === key);
  const tensorOf = (more: Partial<Tensor>) => ({ ...(before ?? tensor("", "", "")), ...more });
  if (line === "shape" || (line && before)) return tensorOf({ [line]: value });
  const number = before && /^\d{1,15}$/.test(value) ? Number(value) : null;
  if (number === null) return null;
  if (key === "bits" && number >= 1 && number <= MOST_BITS) return tensorOf({ bits: number });
  return key === "device" ? tensorOf({ device: number }) : null;
}
