// `npm test`: all checks and tests, on a machine that may have only Node and npm.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "./checks.mjs";
import { ensureChromium } from "./chromium.mjs";
import { ensureBuild, ensurePackages, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

const resultsFolder = join(projectRoot, ".cache", "results");
const vitestResultsFile = join(resultsFolder, "vitest.json");
const browserResultsFile = join(resultsFolder, "playwright.json");

function readResults(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** A suite that ends with an error but reports no failure counts as one failure. */
function tally(counts, code) {
  const { passed = 0, failed = 0 } = counts ?? {};
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

async function runVitest(chromium) {
  const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${vitestResultsFile}`,
  ];
  const env = { ...process.env, CHROME_PATH: chromium };
  const code = await run(pinnedNodePath(), [vitest, "run", ...reporters], { env });
  const results = readResults(vitestResultsFile);
  return tally(results && { passed: results.numPassedTests, failed: results.numFailedTests }, code);
}

async function runBrowserTests(chromium) {
  const playwright = join(projectRoot, "node_modules", "@playwright", "test", "cli.js");
  const env = {
    ...process.env,
    CHROME_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: browserResultsFile,
  };
  const code = await run(pinnedNodePath(), [playwright, "test", "--reporter=list,json"], { env });
  const stats = readResults(browserResultsFile)?.stats;
  return tally(
    stats && { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped },
    code,
  );
}

await ensurePackages();
const chromium = await ensureChromium();
rmSync(resultsFolder, { recursive: true, force: true });
mkdirSync(resultsFolder, { recursive: true });
await ensureBuild();
const suites = [await runChecks(), await runVitest(chromium), await runBrowserTests(chromium)];
const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
const failed = suites.reduce((sum, suite) => sum + suite.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
