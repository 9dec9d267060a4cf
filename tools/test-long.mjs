// `npm run test:long`: what is too long for each change. It takes about an hour on two cores.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingRunning, makeTemporaryFolder } from "./leave-nothing.mjs";
import { ensureBuild, ensurePackages, pinnedNodePath, projectRoot, run } from "./runtime.mjs";
import { readVitestResults } from "./test-results.mjs";

/** The tests that only this command runs, and those that have a long form (`tests/support/long-form.ts`). */
const longTests = [
  "tests/long/",
  "tests/contract/realtime/soak.test.ts",
  "tests/integration/billing-cancellation.test.ts",
  "tests/integration/billing-random-orders.test.ts",
  "tests/integration/lifecycle-stopping.test.ts",
  "tests/security/mutation.test.ts",
];
const resultsFile = join(projectRoot, ".cache", "results", "long.json");

async function runTests() {
  const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];
  const projects = ["--project=contract", "--project=backend", "--project=long"];
  const env = { ...process.env, SOAK: "long" };
  const args = [vitest, "run", ...projects, ...reporters, ...longTests];
  return readVitestResults(resultsFile, await run(pinnedNodePath(), args, { env }));
}

/** Half a minute for each kind of attack, also for those that take a whole processor. */
async function runAttacks() {
  const code = await run(pinnedNodePath(), ["tests/attack/main.ts"]);
  const failures = code === 0 ? [] : ["npm run attack: not every attack was held off"];
  return { passed: 1 - failures.length, failures };
}

/** The short form of `npm run scale`: hosts are lost, and keys replaced, behind HAProxy, which Debian has as a package. */
async function runScale() {
  if (!existsSync("/usr/sbin/haproxy")) {
    process.stdout.write("npm run scale -- --short: left out, because HAProxy is not installed\n");
    return { passed: 0, failures: [] };
  }
  const env = { ...process.env, TMPDIR: makeTemporaryFolder() };
  const code = await run(pinnedNodePath(), ["tests/scale/main.ts", "--short"], { env });
  const failures =
    code === 0 ? [] : ["npm run scale -- --short: members noticed lost hosts or other keys"];
  return { passed: 1 - failures.length, failures };
}

leaveNothingRunning();
await ensurePackages();
await ensureBuild();
mkdirSync(join(projectRoot, ".cache", "results"), { recursive: true });
rmSync(resultsFile, { force: true });
const suites = [await runTests(), await runAttacks(), await runScale()];
const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
const failures = suites.flatMap((suite) => suite.failures);
const failureList = failures.map((failure) => `failed: ${failure}\n`).join("");
process.stdout.write(`\n${failureList}${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
