// Values as the server sends them (`judge/grading/pictures.py`): numbers, nested lists, tensors cut to a window.
import { visible } from "../dom";

export interface TensorValue {
  shape: number[];
  dtype: string;
  values: unknown;
  cut: boolean;
  /** Where the window begins, for each axis; absent: at 0. */
  from?: number[];
}
export const isTensor = (value: unknown): value is TensorValue =>
  typeof value === "object" && value !== null && "shape" in value && "values" in value;

/** Four significant digits, or more; True and False; NaN and infinities come as words. */
export function number(value: unknown, digits = 4): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (typeof value !== "number") return visible(String(value));
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(digits - 2) : String(Number(value.toPrecision(digits)));
}

/** With a sign, for a difference. */
export const signed = (value: unknown, digits = 4): string =>
  typeof value === "number" && value > 0 ? `+${number(value, digits)}` : number(value, digits);

/** The matrix at the index `lead` of the axes before the last two; a vector is one row, a number one cell. */
export function matrixAt(values: unknown, lead: number[]): unknown[][] {
  let found = values;
  for (const index of lead) found = Array.isArray(found) ? found[index] : [];
  if (!Array.isArray(found)) return [[found]];
  return found.length && Array.isArray(found[0]) ? (found as unknown[][]) : [found];
}

/** How many of each axis before the last two are there. */
export function leadSizes(values: unknown, axes: number): number[] {
  const sizes: number[] = [];
  let found = values;
  for (let axis = 0; axis < axes - 2; axis += 1) {
    sizes.push(Array.isArray(found) ? found.length : 0);
    found = Array.isArray(found) ? found[0] : [];
  }
  return sizes;
}

/** The largest size of a finite number in nested lists. */
export function largest(values: unknown): number {
  if (Array.isArray(values)) return values.reduce((most: number, one) => Math.max(most, largest(one)), 0);
  return typeof values === "number" ? Math.abs(values) : 0;
}

/** The smallest of the finite numbers other than 0, by size; infinite if there is none. */
export function smallest(values: unknown): number {
  if (Array.isArray(values)) return values.reduce((least: number, one) => Math.min(least, smallest(one)), Infinity);
  return typeof values === "number" && values !== 0 ? Math.abs(values) : Infinity;
}
