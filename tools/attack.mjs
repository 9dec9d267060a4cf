// `npm run attack`: hostile clients of every kind against the product, while a normal member goes on using it.
import { ensureBuild, runWithPinnedNode, ensurePackages } from "./runtime.mjs";

await ensurePackages();
await ensureBuild();
await runWithPinnedNode(["tests/attack/main.ts", ...process.argv.slice(2)]);
