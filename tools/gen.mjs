import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/gen.ts", ...process.argv.slice(2)]);
