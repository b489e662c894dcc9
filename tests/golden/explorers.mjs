// Computes with the explorers' own functions what `explorers.json` asks for, and prints it in the same form.
// node explorers.mjs FRONTEND GOLDEN
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [frontend, golden] = process.argv.slice(2);
const { build } = createRequire(join(resolve(frontend), "package.json"))("esbuild");
const load = async (name) => {
  const made = await build({ entryPoints: [join(frontend, "src/explore", `${name}.ts`)], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`);
};
const [mask, address, lookup, cost] = await Promise.all(["mask", "mask_address", "lookup", "cost"].map(load));
const asked = JSON.parse(await readFile(golden, "utf8"));

const masks = asked.masks.map(({ address: query }) => {
  const read = address.readMask(new URLSearchParams(query));
  const again = address.readMask(address.writeMask(read));
  if (JSON.stringify(again) !== JSON.stringify(read)) throw new Error(`${query} is not read as it was written`);
  const cells = mask.matrix(read);
  const { seen, empty, whole, partial, skipped } = mask.counts(cells, read.block);
  return { address: query, rows: cells.map((row) => row.map(Number).join("")), seen, empty, whole, partial, skipped };
});
const lookups = asked.lookup.map(({ query, temperature }) => ({ query, temperature, ...lookup.lookup(query, lookup.KEYS, temperature) }));
const spreads = asked.spread.map(({ d, seed }) => {
  const { spread, largest, entropy } = lookup.spread(d, seed);
  return { d, seed, spread, largest, entropy };
});
const costs = asked.cost.map(({ model }) => ({
  model,
  projections: String(cost.projections(model)),
  scores: String(cost.scores(model)),
  crossover: cost.crossover(model),
  score_bytes: String(cost.scoreBytes(model)),
  cached: Object.fromEntries(cost.CACHES.map((kind) => [kind, cost.cached(kind, model)])),
  cache_bytes: Object.fromEntries(cost.CACHES.map((kind) => [kind, String(cost.cacheBytes(kind, model))])),
}));
console.log(JSON.stringify({ masks, lookup: lookups, spread: spreads, cost: costs }));
