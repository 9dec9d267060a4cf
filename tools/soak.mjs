// `npm run soak`: the long form of the soak test, 200 sockets and 2,000 messages. SEED repeats a run.
import { join } from "node:path";
import { ensurePackages, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

await ensurePackages();
const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
const test = "tests/contract/realtime/soak.test.ts";
const env = { ...process.env, SOAK: "long" };
process.exitCode = await run(pinnedNodePath(), [vitest, "run", "--project", "contract", test], {
  env,
});
