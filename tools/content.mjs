import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/content.ts", ...process.argv.slice(2)]);
