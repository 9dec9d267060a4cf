import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/admin.ts", ...process.argv.slice(2)]);
