import { ensureBuild, ensurePackages, runOnProductNode } from "./runtime.mjs";

await ensurePackages();
await ensureBuild();
await runOnProductNode(["tools/serve.ts", ...process.argv.slice(2)]);
