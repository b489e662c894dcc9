// Input, expected and got of a sample case; see `judge/grading/comparisons.py` for where they come from.
import type { OwnInput, Picture } from "./api";
import { h } from "./dom";
import { comparison } from "./pictures/comparison";
import { figure } from "./pictures/figure";
import { inputButtons } from "./own/inputs";
import { isTensor } from "./pictures/values";
import { t } from "./words";

/** What a sample showed as an input of one's own, where it is shown whole. */
function ownInput(picture: Picture): OwnInput | null {
  const whole = picture.inputs.every((value) => !isTensor(value) || !value.cut);
  if (!picture.call || !whole || !picture.names.length) return null;
  const given = picture.inputs.map((value) => (isTensor(value) ? { dtype: value.dtype, shape: value.shape, values: value.values } : value));
  return { call: picture.call, arguments: Object.fromEntries(picture.names.map((name, i) => [name, given[i] ?? null])) };
}

export function pictures(found: Picture[]): HTMLElement {
  const box = h("div", { class: "pictures" });
  for (const picture of found) {
    const inputs = picture.inputs.map((value, i) => {
      const name = picture.names[i] ?? t("result.input");
      return figure(name, value, { axes: picture.axes?.[name] });
    });
    box.append(h("div", { class: "tensors" }, ...inputs), comparison(picture));
    const input = ownInput(picture);
    if (input) box.append(inputButtons(input));
  }
  return box;
}
