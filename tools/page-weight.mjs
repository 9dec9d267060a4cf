/**
 * Compares what the pages of the built app load with `web/page-weight.json`, which says for each how many scripts and
 * stylesheets it may ask for before it is drawn, and of how many KiB (compressed by gzip). Its lines are kept by hand:
 * lowered when a page has become lighter, raised only with a reason. Part of `npm run check`; a build that
 * is not current is made first.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { comparePageWeights, weighPages } from "./page-weights.ts";
import { ensureBuild, projectRoot } from "./runtime.mjs";

await ensureBuild();
const built = join(projectRoot, "web", "dist");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const weights = weighPages(
  read(join(built, ".vite", "manifest.json")),
  (file) => gzipSync(readFileSync(join(built, file))).length,
);
const problems = comparePageWeights(weights, read(join(projectRoot, "web", "page-weight.json")));
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
