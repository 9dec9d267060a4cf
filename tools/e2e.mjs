import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { ensureBuild, ensurePackages, productNode, root, run } from "./runtime.mjs";

await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await ensureBuild();
const playwright = join(root, "node_modules", "@playwright", "test", "cli.js");
process.exitCode = await run(productNode(), [playwright, "test", ...process.argv.slice(2)], {
  env,
});
