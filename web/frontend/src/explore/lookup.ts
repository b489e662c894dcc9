// Attention as a soft lookup in the plane, and why scores are divided by the square root of the width.

export type Point = [number, number];

/** The keys of the picture; each is its own value, so the output lies among them. */
export const KEYS: Point[] = [[2.2, 0.6], [1, 2.2], [-1.2, 1.6], [-2.3, -0.4], [-0.6, -2.1], [1.7, -1.6]];

export interface Found {
  scores: number[];
  weights: number[];
  output: Point;
  /** In bits; 2 to that power is the number of keys that would share the weight evenly. */
  entropy: number;
}

/** softmax(q k / temperature) v with v = k. */
export function lookup(query: Point, keys: Point[], temperature: number): Found {
  const scores = keys.map((key) => query[0] * key[0] + query[1] * key[1]);
  const weights = softmax(scores.map((score) => score / temperature));
  const along = (axis: 0 | 1): number => weights.reduce((sum, weight, i) => sum + weight * (keys[i]?.[axis] ?? 0), 0);
  return { scores, weights, output: [along(0), along(1)], entropy: entropy(weights) };
}

export function softmax(scores: number[]): number[] {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

export const entropy = (weights: number[]): number => weights.reduce((sum, w) => (w > 0 ? sum - w * Math.log2(w) : sum), 0);

/** Uniform numbers in [0, 1) from a 32-bit seed (mulberry32): the same draws in every browser. */
export function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal numbers (Box-Muller, both of each pair). */
export function normal(next: () => number): () => number {
  let kept: number | null = null;
  return () => {
    if (kept !== null) {
      const value = kept;
      kept = null;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    const angle = 2 * Math.PI * next();
    kept = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

export const WIDTHS = [2, 8, 32, 128, 512] as const;
export const TRIALS = 64;
export const DRAWN_KEYS = 8;

/** Over all trials: the spread of the scores, the largest weight and the entropy; each raw and divided by √d. */
export interface Spread {
  spread: [number, number];
  largest: [number, number];
  entropy: [number, number];
  /** The weights of the first trial, largest first. */
  first: [number[], number[]];
}

/** One query and DRAWN_KEYS keys with standard normal entries, TRIALS times. */
export function spread(d: number, seed: number): Spread {
  const next = normal(uniform(seed));
  const draw = (): number[] => Array.from({ length: d }, next);
  const sums = { squares: 0, largest: [0, 0], entropy: [0, 0] };
  const first: number[][] = [];
  for (let trial = 0; trial < TRIALS; trial++) {
    const query = draw();
    const scores = Array.from({ length: DRAWN_KEYS }, () => draw().reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0));
    sums.squares += scores.reduce((sum, score) => sum + score * score, 0);
    [1, Math.sqrt(d)].forEach((scale, i) => {
      const weights = softmax(scores.map((score) => score / scale));
      sums.largest[i] = (sums.largest[i] ?? 0) + Math.max(...weights);
      sums.entropy[i] = (sums.entropy[i] ?? 0) + entropy(weights);
      if (trial === 0) first.push([...weights].sort((a, b) => b - a));
    });
  }
  const root = Math.sqrt(sums.squares / (TRIALS * DRAWN_KEYS));
  const mean = (found: number[]): [number, number] => [(found[0] ?? 0) / TRIALS, (found[1] ?? 0) / TRIALS];
  return {
    spread: [root, root / Math.sqrt(d)],
    largest: mean(sums.largest),
    entropy: mean(sums.entropy),
    first: [first[0] ?? [], first[1] ?? []],
  };
}
