import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/mutation.ts", ...process.argv.slice(2)]);
