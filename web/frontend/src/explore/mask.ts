// Masks as rules: who sees whom, and why. Plain functions of plain values; tests compare them with torch.
//
// T queries are the last T of S positions: query q stands at position q + (S - T).

export const KINDS = ["full", "causal", "topleft", "window", "sinks", "prefix", "documents", "padding"] as const;
export type Kind = (typeof KINDS)[number];

/** One rule. A kind reads only what it needs; the rest keeps its value while another kind is tried. */
export interface Rule {
  /** How it joins the rules before it; that of the first is not read. */
  op: "and" | "or";
  kind: Kind;
  w: number;
  sinks: number;
  prefix: number;
  docs: number[];
  left: number;
  right: number;
}

export interface Mask {
  T: number;
  S: number;
  rules: Rule[];
  /** Cells turned over by hand, as q * S + k. */
  drawn: Set<number>;
  /** Side of a tile; 0: no tiles. */
  block: number;
}

export type ReasonCode =
  | "all" | "past" | "future" | "in_window" | "too_old" | "sink" | "no_sink" | "in_prefix" | "same_document"
  | "other_document" | "padding" | "real";

/** Why a rule lets a query see a key, or not: the name of a sentence, and the numbers in it. */
export interface Reason {
  sees: boolean;
  code: ReasonCode;
  fields: Record<string, string | number>;
}

/** "+ 2", "− 1" */
export const signed = (n: number): string => (n < 0 ? `− ${-n}` : `+ ${n}`);

export function reason(rule: Rule, mask: Mask, q: number, k: number): Reason {
  const shift = mask.S - mask.T;
  const at = q + shift;
  const fields = { q, k, shift: signed(shift), w: rule.w, sinks: rule.sinks, prefix: rule.prefix };
  const because = (sees: boolean, code: ReasonCode, more: Record<string, number> = {}): Reason => ({ sees, code, fields: { ...fields, ...more } });
  switch (rule.kind) {
    case "full":
      return because(true, "all");
    case "causal":
      return because(k <= at, k <= at ? "past" : "future");
    case "topleft":
      return { sees: k <= q, code: k <= q ? "past" : "future", fields: { ...fields, shift: signed(0) } };
    case "window":
      if (k > at) return because(false, "future");
      return because(k > at - rule.w, k > at - rule.w ? "in_window" : "too_old");
    case "sinks":
      if (k > at) return because(false, "future");
      if (k < rule.sinks) return because(true, "sink");
      return because(k > at - rule.w, k > at - rule.w ? "in_window" : "no_sink");
    case "prefix":
      if (k < rule.prefix) return because(true, "in_prefix");
      return because(k <= at, k <= at ? "past" : "future");
    case "documents": {
      const [mine, other] = [documentOf(at, rule.docs), documentOf(k, rule.docs)];
      return because(mine === other, mine === other ? "same_document" : "other_document", { mine, other });
    }
    case "padding": {
      const real = k >= rule.left && k < mask.S - rule.right;
      return because(real, real ? "real" : "padding");
    }
  }
}

/** The number of the document that holds a position; what is left after the last is one more. -1 before the first. */
export function documentOf(position: number, lengths: number[]): number {
  if (position < 0) return -1;
  let end = 0;
  for (const [number, length] of lengths.entries()) if (position < (end += length)) return number;
  return lengths.length;
}

export const drawnAt = (mask: Mask, q: number, k: number): boolean => mask.drawn.has(q * mask.S + k);

/** The rules from left to right, then what was drawn by hand. */
export function sees(mask: Mask, q: number, k: number): boolean {
  let seen = false;
  mask.rules.forEach((rule, i) => {
    const own = reason(rule, mask, q, k).sees;
    seen = i === 0 ? own : rule.op === "and" ? seen && own : seen || own;
  });
  return seen !== drawnAt(mask, q, k);
}

export const matrix = (mask: Mask): boolean[][] =>
  Array.from({ length: mask.T }, (_, q) => Array.from({ length: mask.S }, (_, k) => sees(mask, q, k)));

export type Tile = "whole" | "partial" | "skipped";

/** The kind of each tile; those at the lower and right edge may be smaller. */
export function tiles(cells: boolean[][], block: number): Tile[][] {
  const rows = cells.length;
  const columns = cells[0]?.length ?? 0;
  return Array.from({ length: Math.ceil(rows / block) }, (_, i) =>
    Array.from({ length: Math.ceil(columns / block) }, (_, j) => {
      const inside = cells.slice(i * block, (i + 1) * block).flatMap((row) => row.slice(j * block, (j + 1) * block));
      return inside.every(Boolean) ? "whole" : inside.some(Boolean) ? "partial" : "skipped";
    }),
  );
}

export interface Counts {
  seen: number;
  all: number;
  /** Queries that see no key. */
  empty: number[];
  whole: number;
  partial: number;
  skipped: number;
}

export function counts(cells: boolean[][], block: number): Counts {
  const flat = block ? tiles(cells, block).flat() : [];
  const of = (kind: Tile): number => flat.filter((tile) => tile === kind).length;
  return {
    seen: cells.flat().filter(Boolean).length,
    all: cells.flat().length,
    empty: cells.flatMap((row, q) => (row.some(Boolean) ? [] : [q])),
    whole: of("whole"),
    partial: of("partial"),
    skipped: of("skipped"),
  };
}

/** Softmax of equal scores: 1/n for each of the n keys that the query sees. A row without any is 0/0, or 0 where guarded. */
export function weights(cells: boolean[][], guarded: boolean): number[][] {
  return cells.map((row) => {
    const n = row.filter(Boolean).length;
    return row.map((seen) => (n === 0 ? (guarded ? 0 : NaN) : seen ? 1 / n : 0));
  });
}

/** The rule as a condition on q and k with its numbers filled in; `and`, `or` and `document` in the reader's language. */
export function formula(rule: Rule, mask: Mask, words: { and: string; or: string; all: string; document: string }): string {
  const shift = mask.S - mask.T;
  const at = shift ? `q ${signed(shift)}` : "q";
  const { and, or, all, document: doc } = words;
  switch (rule.kind) {
    case "full": return all;
    case "causal": return `k ≤ q + (S − T) = ${at}`;
    case "topleft": return "k ≤ q";
    case "window": return `${at} − ${rule.w} < k ≤ ${at}`;
    case "sinks": return `k ≤ ${at} ${and} (k < ${rule.sinks} ${or} k > ${at} − ${rule.w})`;
    case "prefix": return `k < ${rule.prefix} ${or} k ≤ ${at}`;
    case "documents": return `${doc}(k) = ${doc}(${at})`;
    case "padding": return `${rule.left} ≤ k < ${mask.S - rule.right}`;
  }
}
