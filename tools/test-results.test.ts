import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { readPlaywrightResults, readVitestResults } from "./test-results.mjs";

const folder = mkdtempSync(join(tmpdir(), "test-results-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(content: unknown): string {
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const vitestReport = {
  numPassedTests: 3,
  testResults: [
    {
      name: fileURLToPath(new URL("../web/src/a.test.ts", import.meta.url)),
      status: "failed",
      message: "",
      assertionResults: [
        { status: "passed", fullName: "adds", failureMessages: [] },
        { status: "failed", fullName: "takes away", failureMessages: ["Error: one\n  at line 3"] },
      ],
    },
    {
      name: fileURLToPath(new URL("../web/src/b.test.ts", import.meta.url)),
      status: "failed",
      message: "Cannot find ./gone\nmore",
      assertionResults: [],
    },
  ],
};

test("names each test that failed, and a file that could not be read", () => {
  expect(readVitestResults(written(vitestReport), 1)).toEqual({
    passed: 3,
    failures: [
      "web/src/a.test.ts: takes away: Error: one",
      "web/src/b.test.ts: Cannot find ./gone",
    ],
  });
});

test("counts a skipped browser test as failed, and names one that passed only when repeated", () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: "rooms.spec.ts",
    line: 7,
    tests: [{ status, results: message === undefined ? [{}] : [{ error: { message } }, {}] }],
  });
  const report = {
    stats: { expected: 1 },
    suites: [
      {
        specs: [spec("opens", "expected")],
        suites: [{ specs: [spec("closes", "flaky", "Error: gone\nat"), spec("waits", "skipped")] }],
      },
    ],
  };
  expect(readPlaywrightResults(written(report), 0)).toEqual({
    passed: 2,
    failures: ["rooms.spec.ts:7: waits: skipped"],
    repeated: ["rooms.spec.ts:7: closes: Error: gone"],
  });
});

test("a run that ends badly without a report, or without naming a failure, counts as one failure", () => {
  const absent = join(folder, "absent.json");
  expect(readVitestResults(absent, 1)).toEqual({
    passed: 0,
    failures: ["Vitest ended with exit code 1"],
  });
  const silent = written({ stats: { expected: 2 }, suites: [] });
  expect(readPlaywrightResults(silent, 3)).toEqual({
    passed: 2,
    failures: ["Playwright ended with exit code 3"],
    repeated: [],
  });
});
