// `npm run soak`: the long form of the realtime test, 200 sockets and 2,000 messages.
// `npm run soak:billing`: the long form of the billing test, a year's webhooks in 200 random orders.
// SEED repeats a run.
import { join } from "node:path";
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensurePackages, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

const tests = {
  realtime: ["contract", "tests/contract/realtime/soak.test.ts"],
  billing: ["backend", "tests/integration/billing-random-orders.test.ts"],
};
const [project, test] = tests[process.argv[2] ?? "realtime"] ?? tests.realtime;

leaveNothingRunning();
await ensurePackages();
const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
const env = { ...process.env, SOAK: "long" };
process.exitCode = await run(pinnedNodePath(), [vitest, "run", "--project", project, test], {
  env,
});
