import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/screenshots.ts", ...process.argv.slice(2)]);
