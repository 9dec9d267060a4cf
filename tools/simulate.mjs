import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensureBuild, ensurePackages, pinnedNodePath, run } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
await ensureBuild();
process.exitCode = await run(pinnedNodePath(), [
  "bench/simulate/main.ts",
  ...process.argv.slice(2),
]);
