// Input, expected and got of a sample case as small tables; see `judge/grading/pictures.py` for where they come from.
import type { Picture } from "./api";
import { h } from "./dom";
import { t } from "./words";

interface TensorValue {
  shape: number[];
  dtype: string;
  values: unknown;
  cut: boolean;
}
const isTensor = (value: unknown): value is TensorValue =>
  typeof value === "object" && value !== null && "shape" in value && "values" in value;

/** Four significant digits, or more; True and False; NaN and infinities come as words. */
export function number(value: unknown, digits = 4): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(digits - 2) : String(Number(value.toPrecision(digits)));
}

/** The innermost two axes are rows and columns; one table for each index of the axes before them. */
function matrices(values: unknown, path: number[] = []): { path: number[]; rows: unknown[][] }[] {
  if (!Array.isArray(values)) return [{ path, rows: [[values]] }];
  if (!values.length || !Array.isArray(values[0])) return [{ path, rows: [values] }];
  if (!Array.isArray(values[0][0])) return [{ path, rows: values as unknown[][] }];
  return values.flatMap((part, i) => matrices(part, [...path, i]));
}

export function figure(name: string, value: unknown, digits = 4): HTMLElement {
  const facts = isTensor(value)
    ? t("result.shape", { shape: `[${value.shape.join(", ")}]`, dtype: value.dtype }) + (value.cut ? ` · ${t("result.cut")}` : "")
    : "";
  const made = h(
    "figure", { class: "tensor", translate: "no" },
    h("figcaption", {}, h("strong", {}, name), " ", h("span", { class: "quiet" }, facts)),
  );
  if (!isTensor(value)) {
    const text = Array.isArray(value) && !value.some((part) => typeof part === "object") ? `[${value.map((part) => number(part, digits)).join(", ")}]` : null;
    if (text !== null || !Array.isArray(value)) made.append(h("code", {}, text ?? number(value, digits)));
    else value.forEach((part, i) => made.append(figure(`[${i}]`, part, digits)));
    return made;
  }
  for (const { path, rows } of matrices(value.values)) {
    const head = path.length && path.some((index) => index > 0 || value.shape.slice(0, -2).some((size) => size > 1));
    const table = h("table", {}, head ? h("caption", {}, `[${path.join(", ")}]`) : null);
    for (const row of rows) table.append(h("tr", {}, ...row.map((cell) => h("td", {}, number(cell, digits)))));
    made.append(h("div", { class: "scroll", tabindex: 0 }, table));
  }
  return made;
}

export function pictures(found: Picture[]): HTMLElement {
  const box = h("div", { class: "pictures" });
  for (const picture of found) {
    const inputs = picture.inputs.map((value, i) => figure(picture.names[i] ?? t("result.input"), value));
    box.append(
      h("div", { class: "tensors" }, ...inputs),
      h("div", { class: "tensors" }, figure(t("result.expected"), picture.expected), figure(t("result.got"), picture.got)),
    );
  }
  return box;
}
