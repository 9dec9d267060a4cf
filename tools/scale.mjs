// `npm run scale`: several hosts on one machine, with Debian's servers around them, while members use them and parts are lost.
import { leaveNothingRunning, makeTemporaryFolder } from "./leave-nothing.mjs";
import { ensurePackages, runWithPinnedNode } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
// A part that is ended while it sets up removes nothing itself, and among its files are keys.
const env = { ...process.env, TMPDIR: makeTemporaryFolder() };
await runWithPinnedNode(["tests/scale/main.ts", ...process.argv.slice(2)], { env });
