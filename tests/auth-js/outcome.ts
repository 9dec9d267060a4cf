/** The tests of a run by their full names. */
export interface SuiteRun {
  passed: readonly string[];
  failed: readonly string[];
}

/** What a run over this host says. */
export interface SuiteOutcome {
  /** One line. */
  figures: string;
  /** Empty when the documented tests fail and no others. */
  problems: string[];
}

/**
 * Compares a run over this host with what is documented.
 * @param alone the same tests where no server is: those that fail there, or over this host, need one
 * @param known tests that fail, by the reason
 */
export function suiteOutcome(
  alone: SuiteRun,
  served: SuiteRun,
  known: Readonly<Record<string, readonly string[]>>,
): SuiteOutcome {
  const documented = Object.values(known).flat();
  const [passed, failed] = [new Set(served.passed), new Set(served.failed)];
  // Some expect any error, and so pass where nothing answers.
  const needing = new Set([...alone.failed, ...failed]);
  const passing = [...needing].filter((name) => passed.has(name)).length;
  return {
    figures: `${passing} of ${needing.size} tests that need a server pass, ${passed.size} of ${passed.size + failed.size} in all`,
    problems: [
      ...[...failed]
        .filter((name) => !documented.includes(name))
        .map((name) => `fails, which docs/compatibility.md does not say: ${name}`),
      ...documented
        .filter((name) => passed.has(name))
        .map((name) => `passes, where docs/compatibility.md says that it fails: ${name}`),
      ...documented
        .filter((name) => !passed.has(name) && !failed.has(name))
        .map((name) => `is not in this suite: ${name}`),
    ],
  };
}
