import { ensureChromium } from "./chromium.mjs";
import { ensurePackages, runWithPinnedNode } from "./runtime.mjs";

await ensurePackages();
const env = { ...process.env, CHROME_PATH: await ensureChromium() };
await runWithPinnedNode(["tools/films.ts", ...process.argv.slice(2)], { env });
