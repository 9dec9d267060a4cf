import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensureBuild, ensurePackages, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await ensureBuild();
const playwright = join(projectRoot, "node_modules", "@playwright", "test", "cli.js");
process.exitCode = await run(pinnedNodePath(), [playwright, "test", ...process.argv.slice(2)], {
  env,
});
