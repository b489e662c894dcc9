// The same numbers as text: aligned columns to read, a Python literal to paste.
import { glyph, type Scale } from "./colour";
import { isTensor } from "./values";

const MASK: Record<string, string> = { "1": "█", "×": "░" };

/** One block of aligned columns; a mask as █ and ░. */
export function asText(rows: unknown[][], scale: Scale, write: (value: unknown) => string): string {
  const cells = rows.map((row) => row.map((value) => glyph(value, scale, write)));
  if (scale.kind === "mask") return cells.map((row) => row.map((text) => MASK[text] ?? text).join("")).join("\n");
  const width = Math.max(0, ...cells.flat().map((text) => text.length));
  return cells.map((row) => row.map((text) => text.padStart(width)).join("  ")).join("\n");
}

const WORDS: Record<string, string> = { nan: "torch.nan", inf: "torch.inf", "-inf": "-torch.inf" };

function literal(value: unknown, float: boolean): string {
  if (Array.isArray(value)) return `[${value.map((part) => literal(part, float)).join(", ")}]`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null || value === undefined) return "None";
  if (typeof value === "string") return WORDS[value] ?? JSON.stringify(value);
  return float && Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Python for a value: `torch.tensor([[1.0, 0.5]])`, of a large tensor what is shown of it. */
export function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (!isTensor(value)) return literal(value, false);
  const dtype = ["float32", "int64", "bool"].includes(value.dtype) ? "" : `, dtype=torch.${value.dtype}`;
  return `torch.tensor(${literal(value.values, value.dtype.includes("float"))}${dtype})`;
}
