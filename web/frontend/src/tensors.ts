// Input, expected and got of a sample case as small tables.
import type { Tensor } from "./api";
import { h } from "./dom";
import { t, type Key } from "./words";

const ROLES: Record<string, Key> = { input: "result.input", expected: "result.expected", got: "result.got" };

/** Four significant digits, of one width; NaN and infinities by name. */
export function number(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "number") return String(value ?? "–");
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(2) : Number(value.toPrecision(4)).toString();
}

type Values = unknown[] | number | boolean | string | null;

/** The innermost two axes are rows and columns; a table for each index of the axes before them. */
function matrices(values: Values, path: number[] = []): { path: number[]; rows: unknown[][] }[] {
  if (!Array.isArray(values)) return [{ path, rows: [[values]] }];
  if (!values.length || !Array.isArray(values[0])) return [{ path, rows: [values] }];
  if (!Array.isArray((values[0] as unknown[])[0])) return [{ path, rows: values as unknown[][] }];
  return values.flatMap((part, i) => matrices(part as Values, [...path, i]));
}

export function tensorTables(tensors: Tensor[]): HTMLElement {
  const box = h("div", { class: "tensors" });
  for (const tensor of tensors) {
    const role = String(tensor["role"] ?? "");
    const name = String(tensor["name"] ?? "");
    const shape = Array.isArray(tensor["shape"]) ? `[${tensor["shape"].join(", ")}]` : "";
    const caption = h(
      "figcaption", {},
      h("strong", {}, [ROLES[role] ? t(ROLES[role]) : "", name].filter(Boolean).join(" ")), " ",
      h("span", { class: "quiet" }, shape ? t("result.shape", { shape, dtype: String(tensor["dtype"] ?? "") }) : "", tensor["cut"] ? ` · ${t("result.cut")}` : ""),
    );
    const figure = h("figure", { class: "tensor", translate: "no" }, caption);
    for (const { path, rows } of matrices((tensor["values"] ?? null) as Values)) {
      const table = h("table", {}, path.length ? h("caption", {}, `[${path.join(", ")}]`) : null);
      for (const row of rows) table.append(h("tr", {}, ...row.map((value) => h("td", {}, number(value)))));
      figure.append(h("div", { class: "scroll", tabindex: 0 }, table));
    }
    box.append(figure);
  }
  return box;
}
