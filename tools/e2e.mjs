import { ensureChromium } from "./chromium.mjs";
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { runPlaywright } from "./playwright.mjs";
import { ensureBuild, ensurePackages } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
const env = { CHROME_PATH: await ensureChromium() };
await ensureBuild();
process.exitCode = await runPlaywright(process.argv.slice(2), env);
