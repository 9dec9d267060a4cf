// `npm test`: everything, on a machine that may have nothing but Node and npm.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./checks.mjs";
import { ensureChromium } from "./chromium.mjs";
import { ensureBuild, ensurePackages, productNode, ROOT, run } from "./runtime.mjs";

const RESULTS = join(ROOT, ".cache", "results");
const VITEST_RESULTS = join(RESULTS, "vitest.json");
const BROWSER_RESULTS = join(RESULTS, "playwright.json");

function readResults(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** A suite that ended badly without saying so counts as one failure: silence is never a pass. */
function tally(counts, code) {
  const { passed = 0, failed = 0 } = counts ?? {};
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

async function runVitest(chromium) {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${VITEST_RESULTS}`,
  ];
  const env = { ...process.env, CHROME_PATH: chromium };
  const code = await run(productNode(), [vitest, "run", ...reporters], { env });
  const results = readResults(VITEST_RESULTS);
  return tally(results && { passed: results.numPassedTests, failed: results.numFailedTests }, code);
}

async function runBrowserTests(chromium) {
  const playwright = join(ROOT, "node_modules", "@playwright", "test", "cli.js");
  const env = {
    ...process.env,
    CHROME_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: BROWSER_RESULTS,
  };
  const code = await run(productNode(), [playwright, "test", "--reporter=list,json"], { env });
  const stats = readResults(BROWSER_RESULTS)?.stats;
  return tally(
    stats && { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped },
    code,
  );
}

await ensurePackages();
const chromium = await ensureChromium();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
await ensureBuild();
const suites = [await runChecks(), await runVitest(chromium), await runBrowserTests(chromium)];
const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
const failed = suites.reduce((sum, suite) => sum + suite.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
