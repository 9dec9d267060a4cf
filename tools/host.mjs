import { supervise } from "./supervise.mjs";

await supervise(["host/src/main.ts", ...process.argv.slice(2)]);
