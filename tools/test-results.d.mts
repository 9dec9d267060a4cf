interface SuiteResult {
  readonly passed: number;
  /** One line each: where the test is, its name and the first line of its error. */
  readonly failures: readonly string[];
}

export function readVitestResults(path: string, code: number): SuiteResult;
export function readPlaywrightResults(
  path: string,
  code: number,
): SuiteResult & { repeated: string[] };
