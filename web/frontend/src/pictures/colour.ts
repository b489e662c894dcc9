// From a value to the form and colour of its cell. Colours are in styles/pictures.css; here are kinds and levels 0..10.

export type Scale =
  | { kind: "signed"; most: number; logarithmic?: number }
  | { kind: "weights" }
  | { kind: "hidden"; most: number } // as signed; -inf is a hidden key
  | { kind: "mask" }
  | { kind: "plain" };

export interface Look {
  /** Classes of the cell. */
  form: string;
  /** 0 to 10: how far from the middle (or from 0) the colour is. */
  level: number;
}

const STEPS = 10;

/** What is no finite number has a form of its own, outside the colours. */
function odd(value: unknown): string | null {
  if (value === "nan") return "odd nan";
  if (value === "inf" || value === "-inf") return "odd infinite";
  return null;
}

export function look(value: unknown, scale: Scale): Look {
  if (scale.kind === "hidden" && value === "-inf") return { form: "blocked", level: 0 };
  const form = odd(value);
  if (form) return { form, level: 0 };
  if (value === null) return { form: "right", level: 0 };
  if (scale.kind === "mask") return { form: value === true || value === 1 ? "allowed" : "blocked", level: 0 };
  if (typeof value !== "number" || scale.kind === "plain") return { form: "plain", level: 0 };
  if (scale.kind === "weights") return { form: "weight", level: Math.round(Math.min(1, Math.max(0, value)) * STEPS) };
  const share = scale.most ? Math.abs(value) / scale.most : 0;
  const far = scale.kind === "signed" && scale.logarithmic ? 1 + Math.log10(Math.max(share, 1e-30)) / Math.log10(scale.logarithmic) : share;
  // a wrong cell is never as pale as a right one
  const level = value === 0 ? 0 : Math.max(1, Math.round(Math.min(1, Math.max(0, far)) * STEPS));
  return { form: value < 0 ? "low" : "high", level };
}

/** What stands in a cell. */
export function glyph(value: unknown, scale: Scale, write: (value: unknown) => string): string {
  if (value === "nan") return "NaN";
  if (value === "inf") return "∞";
  if (value === "-inf") return "-∞";
  if (value === null) return "·";
  if (scale.kind === "mask") return value === true || value === 1 ? "1" : "×";
  if (typeof value === "boolean") return value ? "1" : "0";
  return write(value);
}
