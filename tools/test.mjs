// `npm test`: all checks and tests, on a machine that may have only Node and npm.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkedProjects, runChecks } from "./checks.mjs";
import { ensureChromium } from "./chromium.mjs";
import { leaveNoFolder, leaveNothingRunning } from "./leave-nothing.mjs";
import { runPlaywright } from "./playwright.mjs";
import { ensureBuild, ensurePackages, pinnedNodePath, projectRoot, run } from "./runtime.mjs";
import { readPlaywrightResults, readVitestResults } from "./test-results.mjs";

const resultsFolder = join(projectRoot, ".cache", "results");
const vitestResultsFile = join(resultsFolder, "vitest.json");
const browserResultsFile = join(resultsFolder, "playwright.json");

async function runVitest(chromium) {
  const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${vitestResultsFile}`,
  ];
  const env = { ...process.env, CHROME_PATH: chromium };
  const elsewhere = [...checkedProjects, "long"];
  const projects = elsewhere.map((name) => `--project=!${name}`);
  const args = [vitest, "run", ...projects, ...reporters];
  const code = await run(pinnedNodePath(), args, { env });
  return readVitestResults(vitestResultsFile, code);
}

async function runBrowserTests(chromium) {
  const env = { CHROME_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: browserResultsFile };
  const code = await runPlaywright(["--reporter=list,json"], env);
  return readPlaywrightResults(browserResultsFile, code);
}

leaveNothingRunning();
await ensurePackages();
const chromium = await ensureChromium();
rmSync(resultsFolder, { recursive: true, force: true });
mkdirSync(resultsFolder, { recursive: true });
await ensureBuild();
// The browser tests start over the data folder that the first suite prepared for its hosts.
const preparedFolders = mkdtempSync(join(tmpdir(), "prepared-"));
leaveNoFolder(preparedFolders);
process.env.PREPARED_FOLDERS = preparedFolders;
const suites = [await runChecks(), await runVitest(chromium), await runBrowserTests(chromium)];
rmSync(preparedFolders, { recursive: true, force: true });
const passed = suites.reduce((sum, suite) => sum + suite.passed, 0);
const failures = suites.flatMap((suite) => suite.failures);
const failureList = failures.map((failure) => `failed: ${failure}\n`).join("");
const repeated = suites.flatMap((suite) => suite.repeated ?? []);
const repeatedList = repeated.map((test) => `passed only when repeated: ${test}\n`).join("");
process.stdout.write(
  `\n${repeatedList}${failureList}${passed} passed, ${failures.length} failed\n`,
);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
