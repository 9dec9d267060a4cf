// `npm run release:archive`: builds the web app, and packs it with what serves it.
import { ensureBuild, ensurePackages, runWithPinnedNode } from "./runtime.mjs";

await ensurePackages();
await ensureBuild();
await runWithPinnedNode(["tools/release-archive.ts", ...process.argv.slice(2)]);
