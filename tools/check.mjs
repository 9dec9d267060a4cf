import { runChecks } from "./checks.mjs";
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { ensurePackages } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
const { passed, failures } = await runChecks();
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
