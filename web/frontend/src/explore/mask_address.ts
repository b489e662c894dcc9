// A mask in the address: `kind=window&w=3&T=4&S=6`; further rules with a number behind each name: `op2=and&kind2=padding`.
import { KINDS, type Kind, type Mask, type Rule } from "./mask";
import { whole } from "./address";

export const MAX_SIZE = 32;
export const MAX_RULES = 3;
const MAX_DOCUMENTS = 8;

export const defaultRule = (kind: Kind = "causal"): Rule => ({ op: "and", kind, w: 3, sinks: 1, prefix: 3, docs: [3, 2], left: 0, right: 1 });

/** Anything may stand in an address: what is no number, or out of range, is replaced by the nearest that can be shown. */
export function readMask(query: URLSearchParams): Mask {
  const T = whole(query, "T", 6, 1, MAX_SIZE);
  const S = whole(query, "S", Math.max(T, 6), 1, MAX_SIZE);
  const rules: Rule[] = [];
  for (let i = 1; i <= MAX_RULES; i++) {
    if (i > 1 && !query.has(`kind${i}`)) break;
    rules.push(readRule(query, i === 1 ? "" : String(i)));
  }
  return { T, S, rules, drawn: readDrawn(query.get("drawn") ?? "", T * S), block: whole(query, "block", 0, 0, MAX_SIZE) };
}

function readRule(query: URLSearchParams, suffix: string): Rule {
  const usual = defaultRule();
  const kind = query.get(`kind${suffix}`) as Kind;
  const size = (name: keyof Rule & string, low: number): number => whole(query, name + suffix, usual[name] as number, low, MAX_SIZE);
  return {
    op: query.get(`op${suffix}`) === "or" ? "or" : "and",
    kind: KINDS.includes(kind) ? kind : usual.kind,
    w: size("w", 1),
    sinks: size("sinks", 0),
    prefix: size("prefix", 0),
    docs: readLengths(query.get(`docs${suffix}`) ?? "") ?? usual.docs,
    left: size("left", 0),
    right: size("right", 0),
  };
}

/** "3, 2" or "3.2"; null without a number. */
export function readLengths(text: string): number[] | null {
  const found = (text.match(/\d+/g) ?? []).map(Number).filter((n) => n >= 1).slice(0, MAX_DOCUMENTS);
  return found.length ? found.map((n) => Math.min(n, MAX_SIZE)) : null;
}

const NEEDS: Record<Kind, (keyof Rule)[]> = {
  full: [], causal: [], topleft: [], window: ["w"], sinks: ["sinks", "w"], prefix: ["prefix"], documents: ["docs"], padding: ["left", "right"],
};
/** The numbers that a kind of rule reads. */
export const needs = (kind: Kind): (keyof Rule)[] => NEEDS[kind];

export function writeMask(mask: Mask): URLSearchParams {
  const query = new URLSearchParams({ T: String(mask.T), S: String(mask.S) });
  mask.rules.forEach((rule, i) => {
    const suffix = i ? String(i + 1) : "";
    if (i) query.set(`op${suffix}`, rule.op);
    query.set(`kind${suffix}`, rule.kind);
    for (const name of needs(rule.kind)) query.set(name + suffix, Array.isArray(rule[name]) ? rule[name].join(".") : String(rule[name]));
  });
  if (mask.block) query.set("block", String(mask.block));
  if (mask.drawn.size) query.set("drawn", writeDrawn(mask));
  return query;
}

// The drawn cells in hexadecimal: four cells a digit, the first cell the highest bit; trailing zeros are left out.
function writeDrawn(mask: Mask): string {
  const digits = Array.from({ length: Math.ceil((mask.T * mask.S) / 4) }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, bit) => sum * 2 + Number(mask.drawn.has(i * 4 + bit)), 0).toString(16),
  );
  return digits.join("").replace(/0+$/, "");
}

function readDrawn(text: string, cells: number): Set<number> {
  const drawn = new Set<number>();
  for (let i = 0; i < cells; i++) {
    const digit = parseInt(text[i >> 2] ?? "0", 16) || 0;
    if (digit & (8 >> (i & 3))) drawn.add(i);
  }
  return drawn;
}
