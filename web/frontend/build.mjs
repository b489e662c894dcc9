// `npm run build`: src/*.ts and styles/*.css become web/static/* (or the folder named). The output is committed; the same
// input gives the same bytes.
import { readFile } from "node:fs/promises";
import { build } from "esbuild";

/** The explorers' sentences are many: only their own script carries them. */
const words = (explorers) => ({
  name: "words",
  setup: (builder) =>
    builder.onLoad({ filter: /[/\\]words\.json$/ }, async ({ path }) => {
      const table = Object.entries(JSON.parse(await readFile(path, "utf8")));
      return { loader: "json", contents: JSON.stringify(Object.fromEntries(table.filter(([key]) => explorers || !key.startsWith("explore.")))) };
    }),
});

const options = {
  outdir: process.argv[2] ?? "../static",
  entryNames: "[name]",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "safari17.5"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};
await build({ ...options, entryPoints: ["src/problem.ts", "src/site.ts", "styles/style.css", "styles/explore.css"], plugins: [words(false)] });
await build({ ...options, entryPoints: ["src/explore/explore.ts"], plugins: [words(true)] });
