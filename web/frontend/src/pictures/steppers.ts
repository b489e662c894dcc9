// Which sequence, which head: one number input for each axis before the last two that has more than one.
import { h } from "../dom";
import { t } from "../words";

/** `draw` is told the chosen place in the values that are there; `from` is what that place is called. */
export function steppers(sizes: number[], from: number[], names: string[], start: number[], draw: (lead: number[]) => void): HTMLElement | null {
  const lead = [...start];
  const inputs = sizes.map((size, axis) => {
    const first = from[axis] ?? 0;
    const input = h("input", { type: "number", min: first, max: first + size - 1, value: (start[axis] ?? 0) + first });
    input.addEventListener("input", () => {
      const chosen = Math.round(Number(input.value)) - first;
      if (!(chosen >= 0 && chosen < size)) return;
      lead[axis] = chosen;
      draw([...lead]);
    });
    return size > 1 ? h("label", {}, `${names[axis] ?? t("picture.slice")} `, input) : null;
  });
  return inputs.some((one) => one) ? h("div", { class: "steppers" }, ...inputs) : null;
}
