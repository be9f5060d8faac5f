// Creates elements in one expression.

type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;
export type Child = Node | string | null;

/** An element: `on...` attributes are listeners, `false` and `null` omit an attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A search field, whose words `list` searches for. */
export function search(what: string, words: string, list: () => void): HTMLInputElement {
  return h("input", {
    type: "search",
    placeholder: `words, such as ${words}`,
    "aria-label": `search ${what}`,
    spellcheck: "false",
    oninput: list,
  });
}

/** Sets or removes an attribute. */
export function set(element: Element, name: string, value: string | number | boolean | null): void {
  if (value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** ARIA refers to elements by id, and there are many panes. */
let last = 0;
export function id(): string {
  last += 1;
  return `n${last}`;
}

/** Downloads a file. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
