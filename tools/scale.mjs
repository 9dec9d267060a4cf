// `npm run scale`: several hosts over one PostgreSQL and one bucket behind HAProxy, of which one is lost every 20 s.
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensurePackages, runWithPinnedNode } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
await runWithPinnedNode(["tests/scale/main.ts", ...process.argv.slice(2)]);
