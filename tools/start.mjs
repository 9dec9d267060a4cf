import { ensureBuild, ensurePackages } from "./runtime.mjs";
import { supervise } from "./supervise.mjs";

await ensurePackages();
await ensureBuild();
await supervise(["tools/serve.ts", ...process.argv.slice(2)]);
