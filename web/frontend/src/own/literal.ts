// Values as a learner writes them: Python or JSON lists, True, None, nan, inf.
import { t } from "../words";

const PYTHON: Record<string, string> = { True: "true", False: "false", None: "null", nan: '"nan"', inf: '"inf"' };
const MOST_NUMBERS = 4096;

/** The value of a text. Throws SyntaxError with a sentence that names the argument. */
export function read(text: string, name: string): unknown {
  const json = text
    .replace(/torch\.(?=nan|inf)/gu, "")
    .replace(/["']/gu, "")
    .replace(/-\s*inf\b/gu, '"-inf"')
    .replace(/(?<!["\w-])(True|False|None|nan|inf)\b/gu, (word) => PYTHON[word] ?? word)
    .replace(/(\d)\.(?=[\s,\]]|$)/gu, "$1.0")
    .replace(/(?<![\d\w])\.(?=\d)/gu, "0.")
    .replace(/,(?=\s*\])/gu, "");
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new SyntaxError(t("own.unreadable", { name }));
  }
}

/** Rows of the last axis on lines of their own. */
export function written(value: unknown, indent = ""): string {
  if (!Array.isArray(value)) return value === true ? "True" : value === false ? "False" : value === null ? "None" : String(value);
  if (!value.length || !Array.isArray(value[0])) return `[${value.map((part) => written(part)).join(", ")}]`;
  return `[${value.map((part) => written(part, `${indent} `)).join(`,\n${indent} `)}]`;
}

export function shapeOf(value: unknown): number[] {
  return Array.isArray(value) ? [value.length, ...shapeOf(value[0] ?? null)] : [];
}

/** The same numbers where there were some, small whole ones elsewhere. */
export function resized(value: unknown, shape: number[]): unknown {
  if (shape.reduce((all, size) => all * size, 1) > MOST_NUMBERS) return value;
  const bools = typeof first(value) === "boolean";
  let count = 0;
  const build = (old: unknown, rest: number[]): unknown => {
    const [size, ...inner] = rest;
    if (size === undefined) {
      count += 1;
      return Array.isArray(old) || old === undefined ? (bools ? count % 2 === 1 : ((count * 7) % 5) - 2) : old;
    }
    return Array.from({ length: size }, (_, i) => build(Array.isArray(old) ? old[i] : undefined, inner));
  };
  return build(value, shape);
}

const first = (value: unknown): unknown => (Array.isArray(value) ? first(value[0]) : value);
