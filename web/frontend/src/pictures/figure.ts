// One value: a matrix with its name, or a number. Of a tensor with more axes one matrix at a time, with inputs to step.
import type { Axes } from "../api";
import { h, visible } from "../dom";
import { t } from "../words";
import type { Scale } from "./colour";
import { Grid } from "./grid";
import { steppers } from "./steppers";
import { isTensor, leadSizes, matrixAt, number, type TensorValue } from "./values";

export interface FigureOptions {
  axes?: Axes | undefined;
  scale?: Scale;
  digits?: number;
}

const DENSE = 16;

/** Shape and dtype, and whether this is a part only. */
export const facts = (value: TensorValue): string =>
  t("result.shape", { shape: `[${value.shape.join(", ")}]`, dtype: value.dtype }) + (value.cut ? ` · ${t("result.cut")}` : "");

/** Names of the last two axes. */
export const lastAxes = (axes: string[] | undefined): [string, string] => [axes?.at(-2) ?? t("picture.row"), axes?.at(-1) ?? t("picture.column")];

export function figure(name: string, value: unknown, options: FigureOptions = {}): HTMLElement {
  const head = h("figcaption", {}, h("strong", {}, visible(name)), isTensor(value) ? h("span", { class: "quiet" }, ` ${facts(value)}`) : null);
  const made = h("figure", { class: "tensor picture", translate: "no" }, head);
  if (isTensor(value)) made.append(...tensor(name, value, options));
  else if (Array.isArray(value) && value.some((part) => typeof part === "object" && part !== null)) {
    value.forEach((part, i) => made.append(figure(`${name}[${i}]`, part, options)));
  } else made.append(h("code", {}, Array.isArray(value) ? `[${value.map((part) => number(part, options.digits)).join(", ")}]` : number(value, options.digits)));
  return made;
}

function tensor(name: string, value: TensorValue, options: FigureOptions): HTMLElement[] {
  const scale = options.scale ?? { kind: options.axes?.mask ? "mask" : "plain" };
  const from = value.from ?? value.shape.map(() => 0);
  const write = (one: unknown): string => number(one, options.digits);
  const box = h("div", { class: "scroll" });
  const line = h("p", { class: "value-line" });
  const names = options.axes?.axes ?? [];
  const [rowName, columnName] = lastAxes(options.axes?.axes);
  const draw = (lead: number[]): void => {
    const rows = matrixAt(value.values, lead);
    const [row0, column0] = [from.at(-2) ?? 0, from.at(-1) ?? 0];
    const label = (r: number, c: number): string => `${place(rows.length > 1 || value.shape.length > 1, rowName, r + row0)}${columnName} ${c + column0} · ${write(rows[r]?.[c])}`;
    const grid = new Grid({
      name, rows, scale, axes: [rowName, columnName], from: [row0, column0], write, label, worst: null,
      select: (r, c) => {
        grid.show(r, c);
        line.textContent = label(r, c);
      },
    });
    box.replaceChildren(grid.element);
    const dense = rows.length > DENSE || (rows[0]?.length ?? 0) > DENSE;
    line.hidden = !dense;
  };
  const sizes = leadSizes(value.values, value.shape.length);
  draw(sizes.map(() => 0));
  const steps = steppers(sizes, from, names, sizes.map(() => 0), draw);
  return [...(steps ? [steps] : []), box, line];
}

const place = (wanted: boolean, name: string, index: number): string => (wanted ? `${name} ${index}, ` : "");
