// `npm run build`: src/*.ts and styles/*.css become web/static/* (or the folder named). The output is committed; the same
// input gives the same bytes.
import { build } from "esbuild";

await build({
  entryPoints: ["src/problem.ts", "src/site.ts", "styles/style.css"],
  outdir: process.argv[2] ?? "../static",
  entryNames: "[name]",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "safari17.5"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});
