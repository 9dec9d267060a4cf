// `npm run soak`: the long form of the soak test, 200 sockets and 2,000 messages. SEED repeats a run.
import { join } from "node:path";
import { ensurePackages, productNode, root, run } from "./runtime.mjs";

await ensurePackages();
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const test = "tests/contract/realtime/soak.test.ts";
const env = { ...process.env, SOAK: "long" };
process.exitCode = await run(productNode(), [vitest, "run", "--project", "contract", test], {
  env,
});
