import { benchEngagementRank } from "../bench/engagement-rank.ts";
import { benchLibraryHome } from "../bench/library-home.ts";
import { benchRestRead } from "../bench/rest-read.ts";

/** `npm run bench`: each figure against its limit and a peer measured in the same run. */
const BENCHMARKS = [benchEngagementRank, benchRestRead, benchLibraryHome];

for (const bench of BENCHMARKS) {
  const { title, figures, holds } = await bench();
  process.stdout.write(`${holds ? "holds " : "MISSES"}  ${title}: ${figures}\n`);
  if (!holds) process.exitCode = 1;
}
