// What the colours and forms mean; forms that do not occur are left out.
import { h } from "../dom";
import { t } from "../words";
import { look, type Scale } from "./colour";
import { number } from "./values";

type Entry = [name: string, scale: Scale, values: unknown[]];

export function legend(entries: Entry[]): HTMLElement {
  const made = h("p", { class: "legend" });
  for (const [name, scale, values] of entries) {
    const bar = scale.kind === "mask" ? null : ends(scale);
    if (bar) made.append(h("span", { class: "legend-part" }, `${name} `, bar));
    if (scale.kind === "mask") made.append(swatch("allowed", t("picture.allowed")), swatch("blocked", t("picture.blocked")));
    if (values.some((one) => has(one, null))) made.append(swatch("right", t("picture.right")));
  }
  const all = entries.map(([, , values]) => values);
  if (has(all, "nan")) made.append(swatch("odd nan", "NaN"));
  if (has(all, "inf") || has(all, "-inf")) made.append(swatch("odd infinite", "±∞"));
  return made;
}

const has = (values: unknown, wanted: unknown): boolean => (Array.isArray(values) ? values.some((one) => has(one, wanted)) : values === wanted);

function swatch(form: string, text: string): HTMLElement {
  return h("span", { class: "legend-part" }, h("span", { class: `swatch ${form}`, "aria-hidden": "true" }), ` ${text}`);
}

/** The colours from end to end, with numbers at both ends and in the middle. */
function ends(scale: Scale): HTMLElement | null {
  const weights = scale.kind === "weights";
  if (!weights && (scale.kind !== "signed" || !scale.most)) return null;
  const most = scale.kind === "signed" ? scale.most : 1;
  const steps = weights ? [[0, 3], [7, 10]] : [[-10, -6, -2], [2, 6, 10]];
  const [left, right] = steps.map((half) => h("span", { class: "swatches", "aria-hidden": "true" }, ...half.map((step) => colour(step, weights))));
  return h(
    "span", { class: "legend-bar" },
    number(weights ? 0 : -most), left, weights ? "0.5" : "0", right, number(most),
    scale.kind === "signed" && scale.logarithmic ? `(${t("picture.logarithmic")})` : "",
  );
}

function colour(step: number, weights: boolean): HTMLElement {
  const made = h("span", { class: `swatch ${weights ? "weight" : look(step, { kind: "signed", most: 10 }).form}` });
  made.dataset["level"] = String(Math.abs(step));
  return made;
}
