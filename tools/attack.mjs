// `npm run attack`: hostile clients of every kind against the product, while a normal member goes on using it.
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensureBuild, runWithPinnedNode, ensurePackages } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
await ensureBuild();
await runWithPinnedNode(["tests/attack/main.ts", ...process.argv.slice(2)]);
