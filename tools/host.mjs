import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["host/src/main.ts", ...process.argv.slice(2)]);
