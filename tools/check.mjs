import { runChecks } from "./checks.mjs";
import { ensurePackages } from "./runtime.mjs";

await ensurePackages();
const { passed, failed } = await runChecks();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
