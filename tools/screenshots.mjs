import { ensureChromium } from "./chromium.mjs";
import { ensureBuild, ensurePackages, runOnProductNode } from "./runtime.mjs";

await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await ensureBuild();
await runOnProductNode(["tools/screenshots.ts", ...process.argv.slice(2)], { env });
