// Building elements. Text only ever enters as text nodes.

type Child = Node | string | null | undefined | false;

/** `h("p", { class: "quiet" }, "text")` */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child || child === "") element.append(child as Node | string);
  return element;
}

export function button(label: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = h("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/** An author's sentence: what stands between backticks is code. */
export function sentence(text: string): Child[] {
  return text.split("`").map((part, at, all) => (at % 2 && at < all.length - 1 ? h("code", {}, part) : at % 2 ? `\`${part}` : part));
}

/** The icon of a verdict or status; the word beside it carries the meaning. */
export function icon(mark: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#icon-${mark}`);
  svg.append(use);
  return svg;
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** Control characters and terminal escapes made visible: ESC becomes ␛. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0))).replace(
    /[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
