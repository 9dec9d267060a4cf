// `npm run test:long`: what is too long for each change. It takes about an hour on two cores.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingRunning } from "./leave-nothing.mjs";
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

/** Loses hosts behind HAProxy, which Debian has as a package. */
async function runScale() {
  if (!existsSync("/usr/sbin/haproxy")) {
    process.stdout.write("npm run scale: left out, because HAProxy is not installed\n");
    return { passed: 0, failures: [] };
  }
  const hasRedis = existsSync("/usr/bin/redis-server");
  if (!hasRedis) {
    process.stdout.write("npm run scale -- --redis: left out, because Redis is not installed\n");
  }
  const withRedis = hasRedis ? ["--redis"] : [];
  const code = await run(pinnedNodePath(), ["tests/scale/main.ts", ...withRedis]);
  const failures = code === 0 ? [] : ["npm run scale: members noticed a lost host"];
  return { passed: 1 - failures.length, failures };
}

/** Loses hosts behind nginx, which repeats requests by other rules. */
async function runNginx() {
  if (!existsSync("/usr/sbin/nginx")) {
    process.stdout.write("npm run scale -- --nginx: left out, because nginx is not installed\n");
    return { passed: 0, failures: [] };
  }
  const code = await run(pinnedNodePath(), ["tests/scale/main.ts", "--nginx"]);
  const failures = code === 0 ? [] : ["npm run scale -- --nginx: members noticed a lost host"];
  return { passed: 1 - failures.length, failures };
}

/** Works behind PgBouncer, with a replica that lags and ends. */
async function runPooler() {
  if (!existsSync("/usr/sbin/pgbouncer")) {
    process.stdout.write(
      "npm run scale -- --pooler: left out, because PgBouncer is not installed\n",
    );
    return { passed: 0, failures: [] };
  }
  const code = await run(pinnedNodePath(), ["tests/scale/main.ts", "--pooler", "--seconds", "30"]);
  const failures =
    code === 0 ? [] : ["npm run scale -- --pooler: a request failed or was mixed up"];
  return { passed: 1 - failures.length, failures };
}

/** Brings troubles over the product, and lets Prometheus's own rules decide over what was scraped. */
async function runTroubles() {
  for (const path of ["/usr/bin/promtool", "/usr/bin/redis-server"]) {
    if (existsSync(path)) continue;
    process.stdout.write(
      `npm run scale -- --troubles: left out, because ${path} is not installed\n`,
    );
    return { passed: 0, failures: [] };
  }
  const code = await run(pinnedNodePath(), ["tests/scale/main.ts", "--troubles"]);
  const failures =
    code === 0
      ? []
      : ["npm run scale -- --troubles: a trouble was not told, or something was lost"];
  return { passed: 1 - failures.length, failures };
}

leaveNothingRunning();
await ensurePackages();
await ensureBuild();
mkdirSync(join(projectRoot, ".cache", "results"), { recursive: true });
rmSync(resultsFile, { force: true });
const suites = [
  await runTests(),
  await runAttacks(),
  await runScale(),
  await runNginx(),
  await runPooler(),
  await runTroubles(),
];
const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
const failures = suites.flatMap((suite) => suite.failures);
const failureList = failures.map((failure) => `failed: ${failure}\n`).join("");
process.stdout.write(`\n${failureList}${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
