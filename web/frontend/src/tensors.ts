// Input, expected and got of a sample case; see `judge/grading/comparisons.py` for where they come from.
import type { Picture } from "./api";
import { h } from "./dom";
import { comparison } from "./pictures/comparison";
import { figure } from "./pictures/figure";
import { t } from "./words";

export function pictures(found: Picture[]): HTMLElement {
  const box = h("div", { class: "pictures" });
  for (const picture of found) {
    const inputs = picture.inputs.map((value, i) => {
      const name = picture.names[i] ?? t("result.input");
      return figure(name, value, { axes: picture.axes?.[name] });
    });
    box.append(h("div", { class: "tensors" }, ...inputs), comparison(picture));
  }
  return box;
}
