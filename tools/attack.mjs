// `npm run attack`: hostile clients of every kind against the product, while a normal member goes on using it.
import { ensureBuild, runOnProductNode, ensurePackages } from "./runtime.mjs";

await ensurePackages();
await ensureBuild();
await runOnProductNode(["tests/attack/main.ts", ...process.argv.slice(2)]);
