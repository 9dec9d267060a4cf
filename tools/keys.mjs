import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/keys.ts", ...process.argv.slice(2)]);
