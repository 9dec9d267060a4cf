// `npm run scale`: several hosts on one machine, with Debian's servers around them, while members use them and parts are lost.
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensurePackages, runWithPinnedNode } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
await runWithPinnedNode(["tests/scale/main.ts", ...process.argv.slice(2)]);
