import { ensureChromium } from "./chromium.mjs";
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensureBuild, ensurePackages, pinnedNodePath, run } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await ensureBuild();
process.exitCode = await run(pinnedNodePath(), ["bench/main.ts", ...process.argv.slice(2)], {
  env,
});
