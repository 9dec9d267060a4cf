import { supervise } from "./supervise.mjs";

await supervise(["packages/host/src/main.ts", ...process.argv.slice(2)]);
