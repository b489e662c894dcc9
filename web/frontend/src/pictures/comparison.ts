// Yours, expected and the difference side by side: one selected cell in all three, one line that tells its values.
import type { Compared, Contrast, Contrasts } from "../api";
import { button, h } from "../dom";
import { t } from "../words";
import type { Scale } from "./colour";
import { facts, figure, lastAxes } from "./figure";
import { Grid } from "./grid";
import { legend } from "./legend";
import { steppers } from "./steppers";
import { asText, python } from "./text";
import { isTensor, largest, leadSizes, matrixAt, number, signed, smallest, type TensorValue } from "./values";

const DIGITS = [4, 7, 10, 17];
/** Colours of the difference are logarithmic where the largest is that many times the tolerance, and the smallest tiny. */
const LOGARITHMIC = 1e4;
const TINY = 1e3;

const written = (value: unknown, digits: number): string => JSON.stringify(value, (_, part: unknown) => (typeof part === "number" ? number(part, digits) : part)) ?? "";

/** As few as show a difference. */
export const digitsFor = (one: unknown, other: unknown): number => DIGITS.find((n) => written(one, n) !== written(other, n)) ?? 4;

/** Results that can be subtracted as three matrices; others as they are. */
export function comparison(found: Compared, name = "", scale?: Scale): HTMLElement {
  const { expected, got, contrast } = found;
  if (Array.isArray(contrast) && Array.isArray(expected) && Array.isArray(got)) {
    const parts = contrast.map((one: Contrasts | null, i) => comparison({ expected: expected[i], got: got[i], contrast: one }, t("picture.part", { n: i + 1 })));
    return h("div", { class: "comparisons" }, ...parts);
  }
  if (contrast && !Array.isArray(contrast) && isTensor(expected) && isTensor(got)) return new Comparison(expected, got, contrast, name, scale).element;
  const digits = digitsFor(expected, got);
  const results = [figure(t("result.expected"), expected, { digits })];
  if (got !== null) results.unshift(figure(t("result.got"), got, { digits }));
  return h("div", { class: "tensors" }, ...results);
}

class Comparison {
  readonly element: HTMLElement;
  private readonly matrices = h("div", { class: "matrices" });
  private readonly line = h("p", { class: "value-line" });
  private readonly digits: number;
  private readonly scale: Scale;
  private readonly differences: Scale;
  private grids: Grid[] = [];
  private lead: number[];

  constructor(
    private readonly expected: TensorValue,
    private readonly got: TensorValue,
    private readonly contrast: Contrast,
    name: string,
    scale?: Scale,
  ) {
    this.digits = digitsFor(expected.values, got.values);
    this.scale = scale ?? scaleOf(expected, got, contrast);
    const most = largest(contrast.values);
    const ratio = contrast.tolerance ? most / contrast.tolerance : 0;
    const spread = ratio > LOGARITHMIC && most > TINY * smallest(contrast.values);
    this.differences = { kind: "signed", most, ...(spread ? { logarithmic: ratio } : {}) };
    const sizes = leadSizes(contrast.values, contrast.shape.length);
    this.lead = sizes.map((_, axis) => (contrast.at ? (contrast.at[axis] ?? 0) - (contrast.from[axis] ?? 0) : 0));
    const steps = steppers(sizes, contrast.from, contrast.axes, this.lead, (lead) => this.draw(lead));
    const text = h("pre", { class: "output picture-text", tabindex: 0, hidden: true });
    const toggle = button(t("picture.as_text"), () => {
      text.hidden = !text.hidden;
      toggle.setAttribute("aria-expanded", String(!text.hidden));
      if (!text.hidden) text.textContent = this.text();
    }, { "aria-expanded": "false" });
    this.element = h(
      "figure", { class: "picture comparison", translate: "no" },
      h("figcaption", {}, name ? h("strong", {}, `${name} `) : null, contrast.caption, h("span", { class: "quiet" }, ` · ${facts(got)}`)),
      contrast.blocks ? this.overview(contrast.blocks) : null,
      steps, this.matrices, this.line,
      legend([[`${t("result.got")}, ${t("result.expected")}`, this.scale, [expected.values, got.values]], [t("picture.difference"), this.differences, [contrast.values]]]),
      h("p", { class: "picture-tools" }, toggle, copier(() => `yours = ${python(this.got)}\nexpected = ${python(this.expected)}\n`)),
      text,
    );
    this.draw(this.lead);
  }

  private rows(values: unknown): unknown[][] {
    return matrixAt(values, this.lead);
  }

  private parts(): [string, unknown, Scale][] {
    return [
      [t("result.got"), this.got.values, this.scale],
      [t("result.expected"), this.expected.values, this.scale],
      [t("picture.difference"), this.contrast.values, this.differences],
    ];
  }

  private draw(lead: number[]): void {
    this.lead = lead;
    const from: [number, number] = [this.contrast.from.at(-2) ?? 0, this.contrast.from.at(-1) ?? 0];
    const worst = this.worst(from);
    this.grids = this.parts().map(([name, values, scale]) => new Grid({
      name, rows: this.rows(values), scale, axes: lastAxes(this.contrast.axes), from, worst,
      write: (value) => (values === this.contrast.values ? signed(value, 3) : number(value, this.digits)),
      label: (r, c) => this.told(r, c),
      select: (r, c) => this.select(r, c),
    }));
    this.matrices.replaceChildren(...this.grids.map((grid) => h("div", { class: "scroll" }, grid.element)));
    this.select(...(worst ?? [0, 0]));
  }

  /** In the matrix that is shown: the worst of all where it is there, else the first with the largest difference. */
  private worst(from: [number, number]): [number, number] | null {
    const at = this.contrast.at;
    if (at?.slice(0, -2).every((index, axis) => index - (this.contrast.from[axis] ?? 0) === this.lead[axis])) {
      return [at.length > 1 ? (at.at(-2) ?? 0) - from[0] : 0, (at.at(-1) ?? 0) - from[1]];
    }
    const cells = this.rows(this.contrast.values).flatMap((row, r) => row.map((value, c) => ({ value, r, c })));
    const wrong = cells.filter((cell) => cell.value !== null);
    const size = (value: unknown): number => (typeof value === "number" ? Math.abs(value) : Infinity);
    const most = wrong.reduce((best, cell) => (size(cell.value) > size(best.value) ? cell : best), wrong[0] ?? { value: null, r: -1, c: -1 });
    return most.r < 0 ? null : [most.r, most.c];
  }

  private select(row: number, column: number): void {
    for (const grid of this.grids) grid.show(row, column);
    this.line.textContent = this.told(row, column);
  }

  private told(row: number, column: number): string {
    const [rowName, columnName] = lastAxes(this.contrast.axes);
    const [row0, column0] = [this.contrast.from.at(-2) ?? 0, this.contrast.from.at(-1) ?? 0];
    const place = `${this.contrast.shape.length > 1 ? `${rowName} ${row + row0}, ` : ""}${this.contrast.shape.length ? `${columnName} ${column + column0}` : ""}`;
    const cell = (values: unknown): unknown => this.rows(values)[row]?.[column];
    const difference = cell(this.contrast.values);
    return [
      place,
      `${t("picture.yours")} ${number(cell(this.got.values), this.digits)}`,
      `${t("picture.expected")} ${number(cell(this.expected.values), this.digits)}`,
      difference === null ? t("picture.within") : this.scale.kind === "mask" ? t(difference === 1 ? "picture.leaks" : "picture.missing") : `${t("picture.off")} ${signed(difference, 4)}`,
      this.contrast.tolerance ? `${t("picture.tolerance")} ${this.contrast.tolerance.toExponential()}` : "",
    ].filter(Boolean).join(" · ");
  }

  private text(): string {
    const write = (value: unknown): string => number(value, this.digits);
    return this.parts().map(([name, values, scale]) => `${name}\n${asText(this.rows(values), scale, write)}`).join("\n\n");
  }

  /** The whole of a large matrix, in blocks. */
  private overview(blocks: NonNullable<Contrast["blocks"]>): HTMLElement {
    const { rows, columns, values } = blocks;
    const line = h("p", { class: "value-line" });
    const [rowName, columnName] = lastAxes(this.contrast.axes);
    const label = (r: number, c: number): string =>
      t("picture.block", { rows: `${rowName} ${r * rows}–${(r + 1) * rows - 1}`, columns: `${columnName} ${c * columns}–${(c + 1) * columns - 1}`, share: number(100 * (values[r]?.[c] ?? 0), 3) });
    const grid = new Grid({
      name: t("picture.blocks", { rows, columns }), rows: values, scale: { kind: "weights" }, axes: [rowName, columnName], from: [0, 0],
      write: (value) => number(value, 2), label, worst: null,
      select: (r, c) => {
        grid.show(r, c);
        line.textContent = label(r, c);
      },
    });
    return h("div", { class: "overview" }, h("div", { class: "scroll" }, grid.element), line);
  }
}

function scaleOf(expected: TensorValue, got: TensorValue, contrast: Contrast): Scale {
  if (expected.dtype === "bool") return { kind: contrast.mask ? "mask" : "plain" };
  return { kind: "signed", most: Math.max(largest(expected.values), largest(got.values)) };
}

/** A button that copies; where there is no clipboard the text is shown, to be selected. */
export function copier(text: () => string, label = t("picture.copy")): HTMLElement {
  const made = button(label, () => {
    const failed = (): void => {
      made.replaceWith(h("pre", { class: "output", tabindex: 0 }, text()));
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text()).then(() => { made.textContent = t("result.copied"); }, failed);
    else failed();
  }, { class: "copy-python" });
  return made;
}
