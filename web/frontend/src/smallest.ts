// The smallest failing input: small tables of what goes in, what should come out and what came, and Python to copy.
import type { Smallest } from "./api";
import { button, h, visible } from "./dom";
import { inputButtons } from "./own/inputs";
import { inside } from "./pictures/inside";
import { comparison } from "./pictures/comparison";
import { figure } from "./pictures/figure";
import { t } from "./words";

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
  const inputs = Object.entries(found.inputs).map(([name, value]) => figure(name, value, { axes: found.axes?.[name] }));
  const code = h("pre", { class: "output", tabindex: 0, translate: "no" }, found.code);
  return h(
    "section", { class: "smallest" },
    h("h3", {}, t("result.smallest"), h("code", { translate: "no" }, found.call)),
    found.circumstances.length ? h("p", { class: "quiet" }, found.circumstances.join("; ")) : null,
    h("div", { class: "tensors" }, ...inputs),
    comparison(found),
    found.inside ? inside(found.inside) : null,
    found.input ? inputButtons(found.input) : null,
    h("p", { class: "message", translate: "no" }, visible(found.message)),
    found.code ? h("details", {}, h("summary", {}, t("result.smallest_code")), code, h("p", { class: "buttons" }, copied(code))) : null,
  );
}
