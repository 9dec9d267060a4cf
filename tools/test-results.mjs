// Reads what Vitest and Playwright wrote about a run.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { projectRoot } from "./runtime.mjs";

const firstLine = (text) => stripVTControlCharacters(text ?? "").split("\n", 1)[0];

function fromFile(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** A suite that ends with an error but names no failure counts as one failure. */
function result(name, passed, failures, code) {
  const unnamed = code !== 0 && failures.length === 0;
  return { passed, failures: unnamed ? [`${name} ended with exit code ${code}`] : failures };
}

/** One line for each failed test, or for a file that failed outside its tests. */
function vitestFailures(file) {
  const path = relative(projectRoot, file.name);
  const tests = file.assertionResults.filter(({ status }) => status === "failed");
  if (tests.length === 0) {
    return file.status === "failed" ? [`${path}: ${firstLine(file.message)}`] : [];
  }
  return tests.map((test) => `${path}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`);
}

/**
 * The result of a Vitest run, from the file its JSON reporter wrote.
 * @param {string} path
 * @param {number} code exit code of the run
 * @returns {{ passed: number, failures: string[] }}
 */
export function readVitestResults(path, code) {
  const report = fromFile(path);
  const failures = (report?.testResults ?? []).flatMap(vitestFailures);
  return result("Vitest", report?.numPassedTests ?? 0, failures, code);
}

function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

/** One line for each test of a spec that ended with one of these statuses. A skipped test counts as failed. */
function playwrightLines(spec, wanted) {
  return spec.tests
    .filter(({ status }) => wanted.includes(status))
    .map(({ status, results }) => {
      const message = results.map(({ error }) => error?.message).find((text) => text !== undefined);
      return `${spec.file}:${spec.line}: ${spec.title}: ${firstLine(message) || status}`;
    });
}

/**
 * The result of a Playwright run, from the file its JSON reporter wrote. `repeated` names what failed first and passed
 * when it was repeated: it counts as passed, and is a bug to fix.
 * @param {string} path
 * @param {number} code exit code of the run
 * @returns {{ passed: number, failures: string[], repeated: string[] }}
 */
export function readPlaywrightResults(path, code) {
  const report = fromFile(path);
  const specs = (report?.suites ?? []).flatMap(specsOf);
  const lines = (...statuses) => specs.flatMap((spec) => playwrightLines(spec, statuses));
  const repeated = lines("flaky");
  const passed = (report?.stats.expected ?? 0) + repeated.length;
  return { ...result("Playwright", passed, lines("unexpected", "skipped"), code), repeated };
}
