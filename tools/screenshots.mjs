import { ensureChromium } from "./chromium.mjs";
import { ensureBuild, ensurePackages, runWithPinnedNode } from "./runtime.mjs";

await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await ensureBuild();
await runWithPinnedNode(["tools/screenshots.ts", ...process.argv.slice(2)], { env });
