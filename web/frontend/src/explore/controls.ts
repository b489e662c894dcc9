// Labelled inputs of the explorers. Each tells of a change at once; what cannot be is set right when the input is left.
import { h } from "../dom";
import { bounded } from "./address";

type Options = { low: number; high: number; step?: number };

export function numberInput(id: string, label: string, value: number, { low, high, step }: Options, change: (value: number) => void): HTMLElement {
  const input = h("input", { id, type: "number", value, min: low, max: high, step: step ?? 1, inputmode: step ? "decimal" : "numeric" });
  const read = (): number => (step ? Math.min(Math.max(Number(input.value) || low, low), high) : bounded(input.value, value, low, high));
  input.addEventListener("input", () => input.value.trim() !== "" && change(read()));
  input.addEventListener("change", () => (input.value = String(read())));
  return h("label", { class: "field" }, h("span", {}, label), input);
}

export function textInput(id: string, label: string, value: string, change: (value: string) => void): HTMLElement {
  const input = h("input", { id, type: "text", value, inputmode: "numeric", autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => change(input.value));
  return h("label", { class: "field" }, h("span", {}, label), input);
}

export function select<T extends string>(id: string, label: string, options: readonly (readonly [T, string])[], value: T, change: (value: T) => void): HTMLElement {
  const made = h("select", { id }, ...options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)));
  made.addEventListener("change", () => change(made.value as T));
  return h("label", { class: "field" }, h("span", {}, label), made);
}

export function radios<T extends string>(name: string, legend: string, options: readonly (readonly [T, string])[], value: T, change: (value: T) => void): HTMLElement {
  return h(
    "fieldset", { class: "radios" }, h("legend", {}, legend),
    ...options.map(([option, text]) => {
      const input = h("input", { type: "radio", name, id: `${name}-${option}`, value: option, checked: option === value });
      input.addEventListener("change", () => change(option));
      return h("label", {}, input, text);
    }),
  );
}

/** Replaces what is in `place`; the element that had the focus (by its id) has it again. */
export function replace(place: HTMLElement, ...content: (Node | null)[]): void {
  const focused = place.contains(document.activeElement) ? document.activeElement?.id : "";
  place.replaceChildren(...content.filter((node) => node !== null));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}
