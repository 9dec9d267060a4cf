import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/bench.ts", ...process.argv.slice(2)]);
