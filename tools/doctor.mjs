import { runOnProductNode } from "./runtime.mjs";

await runOnProductNode(["tools/doctor.ts", ...process.argv.slice(2)]);
