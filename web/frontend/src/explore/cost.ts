// What attention costs: FLOPs of one layer's forward pass (2 a multiply-add), bytes of the scores and of the KV cache.
// Counts are exact at any size, so they are BigInt.

export const CACHES = ["mha", "gqa", "mqa", "mla"] as const;
export type Cache = (typeof CACHES)[number];

export interface Model {
  kind: Cache;
  T: number;
  /** Width of the model. */
  d: number;
  heads: number;
  /** Key and value heads under GQA. */
  kv: number;
  /** Width of a head. */
  dh: number;
  layers: number;
  /** Width of the latent and of the shared rotated key under MLA. */
  rank: number;
  rope: number;
  /** Bytes of a number. */
  bytes: number;
}

/** Key and value heads that are projected. MLA rebuilds one of each for every head. */
export const keyHeads = ({ kind, heads, kv }: Model): number => (kind === "mqa" ? 1 : kind === "gqa" ? kv : heads);

/** Query, key, value and output projections of T tokens. */
export const projections = (m: Model): bigint => 4n * BigInt(m.T) * BigInt(m.d) * BigInt(m.dh) * BigInt(m.heads + keyHeads(m));

/** Queries times keys, and weights times values. */
export const scores = (m: Model): bigint => 4n * BigInt(m.T) ** 2n * BigInt(m.dh) * BigInt(m.heads);

/** The length at which both cost the same. */
export const crossover = (m: Model): number => (m.d * (m.heads + keyHeads(m))) / m.heads;

/** Bytes of the T x T scores of all heads of one layer. */
export const scoreBytes = (m: Model, bytes = m.bytes): bigint => BigInt(m.heads) * BigInt(m.T) ** 2n * BigInt(bytes);

/** Numbers that one token leaves in the cache of one layer. */
export function cached(kind: Cache, m: Model): number {
  if (kind === "mla") return m.rank + m.rope;
  return 2 * m.dh * keyHeads({ ...m, kind });
}

export const cacheBytes = (kind: Cache, m: Model): bigint => BigInt(cached(kind, m)) * BigInt(m.layers) * BigInt(m.bytes);

const UNITS = ["", "K", "M", "G", "T", "P", "E", "Z"];

/** "8.59 G": three significant digits by powers of 1000. */
export function short(count: bigint, unit: string): string {
  let value = Number(count);
  let step = 0;
  while (value >= 999.5 && step < UNITS.length - 1) {
    value /= 1000;
    step++;
  }
  return `${Number(value.toPrecision(3))} ${UNITS[step]}${unit}`;
}

/** "1.5 GiB": by powers of 1024. */
export function binary(count: bigint): string {
  let value = Number(count);
  let step = 0;
  while (value >= 1023.5 && step < UNITS.length - 1) {
    value /= 1024;
    step++;
  }
  return `${Number(value.toPrecision(4))} ${step ? `${UNITS[step]}iB` : "B"}`;
}
