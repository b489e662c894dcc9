// The smallest failing input: small tables of what goes in, what should come out and what came, and Python to copy.
import type { Smallest } from "./api";
import { button, h, visible } from "./dom";
import { figure, number } from "./tensors";
import { t } from "./words";

const DIGITS = [4, 7, 10, 17];

const written = (value: unknown, digits: number): string => JSON.stringify(value, (_, part: unknown) => (typeof part === "number" ? number(part, digits) : part)) ?? "";

/** As few as show a difference. */
const digitsFor = (one: unknown, other: unknown): number => DIGITS.find((n) => written(one, n) !== written(other, n)) ?? 4;

function copied(code: HTMLElement): HTMLButtonElement {
  const made = button(t("result.copy"), () => {
    const done = (word: string): void => { made.textContent = word; };
    // without a secure origin there is no clipboard: then the text is selected, for the keys to copy it
    const select = (): void => { window.getSelection()?.selectAllChildren(code); done(t("result.copy_failed")); };
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent ?? "").then(() => done(t("result.copied")), select);
    else select();
  }, { class: "copy-code" });
  return made;
}

export function smallestInput(found: Smallest): HTMLElement {
  const digits = digitsFor(found.expected, found.got);
  const inputs = Object.entries(found.inputs).map(([name, value]) => figure(name, value));
  const results = [figure(t("result.expected"), found.expected, digits)];
  if (found.got !== null) results.push(figure(t("result.got"), found.got, digits));
  const code = h("pre", { class: "output", tabindex: 0, translate: "no" }, found.code);
  return h(
    "section", { class: "smallest" },
    h("h3", {}, t("result.smallest"), ": ", h("code", { translate: "no" }, found.call)),
    found.circumstances.length ? h("p", { class: "quiet" }, found.circumstances.join("; ")) : null,
    h("div", { class: "tensors" }, ...inputs),
    h("div", { class: "tensors" }, ...results),
    h("p", { class: "message", translate: "no" }, visible(found.message)),
    found.code ? h("details", {}, h("summary", {}, t("result.smallest_code")), code, h("p", { class: "buttons" }, copied(code))) : null,
  );
}
