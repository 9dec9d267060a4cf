import { ensureChromium } from "./chromium.mjs";
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensureBuild, ensurePackages, runWithPinnedNode } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await ensureBuild();
await runWithPinnedNode(["tools/screenshots.ts", ...process.argv.slice(2)], { env });
