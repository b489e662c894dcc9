// The form for one input: a field for each argument, as nested lists; a tensor's sizes can be changed in one place.
import type { OwnInput } from "../api";
import { button, h } from "../dom";
import { t } from "../words";
import { isTensor } from "../pictures/values";
import { read, resized, shapeOf, written } from "./literal";

interface Host {
  run: (input: OwnInput) => void;
  close: () => void;
}
interface Field {
  element: HTMLElement;
  /** The value, or throws with a sentence. */
  value: () => unknown;
}

export function form(input: OwnInput, host: Host): HTMLElement {
  const fields = new Map<string, Field>(Object.entries(input.arguments).map(([name, value]) => [name, field(name, value)]));
  const init = input.init?.length ? field(t("own.init"), input.init) : null;
  const seed = input.init?.length && !Object.keys(input.weights ?? {}).length ? field(t("own.seed"), input.seed ?? 0) : null;
  const fault = h("p", { class: "fault", role: "alert" });
  const made = h(
    "form", { class: "own-form" },
    init?.element, seed?.element, ...[...fields.values()].map((one) => one.element), fault,
    h("p", { class: "picture-tools" }, h("button", { type: "submit" }, t("own.run")), button(t("own.close"), host.close)),
  );
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      const values = Object.fromEntries([...fields].map(([name, one]) => [name, one.value()]));
      const own: OwnInput = { ...input, arguments: values };
      if (init) own.init = init.value() as unknown[];
      if (seed) own.seed = Number(seed.value());
      if (init && JSON.stringify(own.init) !== JSON.stringify(input.init)) delete own.weights; // they fit other sizes
      host.run(own);
    } catch (error) {
      fault.textContent = error instanceof SyntaxError ? error.message : String(error);
    }
  });
  return made;
}

function field(name: string, value: unknown): Field {
  const tensor = isTensor(value);
  const values = tensor ? value.values : value;
  const text = h("textarea", { rows: Math.min(8, written(values).split("\n").length), spellcheck: false, autocapitalize: "off", autocomplete: "off", translate: "no" });
  text.value = written(values);
  const parse = (): unknown => read(text.value, name);
  const sizes = tensor ? h("input", { type: "text", inputmode: "numeric", value: value.shape.join(", "), class: "sizes" }) : null;
  sizes?.addEventListener("change", () => {
    const shape = sizes.value.split(/[^0-9]+/u).filter(Boolean).map(Number);
    try {
      text.value = written(resized(parse(), shape));
    } catch {
      text.value = written(resized([], shape));
    }
  });
  text.addEventListener("change", () => {
    try {
      if (sizes) sizes.value = shapeOf(parse()).join(", ");
    } catch {
      // told when it is run
    }
  });
  const element = h(
    "div", { class: "own-field", translate: "no" },
    h("label", {}, h("strong", {}, name), tensor ? ` ${value.dtype}` : "", text),
    sizes ? h("label", { class: "quiet" }, `${t("own.sizes")} `, sizes) : null,
  );
  const read_ = (): unknown => {
    const found = parse();
    return tensor ? { dtype: value.dtype, shape: shapeOf(found), values: found } : found;
  };
  return { element, value: read_ };
}
