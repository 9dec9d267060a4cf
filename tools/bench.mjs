import { ensureChromium } from "./chromium.mjs";
import { ensureBuild, ensurePackages, pinnedNodePath, run } from "./runtime.mjs";

await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await ensureBuild();
process.exitCode = await run(pinnedNodePath(), ["bench/main.ts", ...process.argv.slice(2)], {
  env,
});
