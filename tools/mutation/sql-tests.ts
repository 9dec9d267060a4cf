import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ProvidedContext } from "vitest";
import {
  createVitest,
  type Reporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from "vitest/node";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The quick tests of the whole schema, which run before all others. */
const wholeSchemaFiles = /\/(constraints|whole-schema)\.test\.ts$/;
/**
 * Where the ordered files are cut into runs, one after the other until a test fails: those of the whole schema, those
 * that mention a mutant's subject most, others that mention it, and the rest. Within a run the order is the runner's own.
 */
const cuts = [2, 4, 12, Infinity];

/** The result of the SQL tests on one database. */
interface TestRunResult {
  /** Full name of a test that failed; undefined when all passed. */
  noticedBy: string | undefined;
  /** The file of that test. */
  noticedIn: string | undefined;
  /** Tests that passed. */
  passed: number;
}

/** The SQL tests, loaded once and run against several databases in turn. */
export interface SqlTests {
  /**
   * Runs until the first failure.
   * @param subject the files that mention this most run first, because they are most likely to fail.
   */
  run: (databaseUrl: string, subject?: string) => Promise<TestRunResult>;
  /** Runs some of the files, by the names that `noticedIn` gives. */
  runFiles: (databaseUrl: string, files: ReadonlySet<string>) => Promise<TestRunResult>;
  close: () => Promise<void>;
}

/**
 * Collects the result of each run. The runner's own results cannot be used: a file that is skipped after a failure
 * keeps its result for the previous database.
 */
class ResultReporter implements Reporter {
  #result: TestRunResult = { noticedBy: undefined, noticedIn: undefined, passed: 0 };

  onTestRunStart(): void {
    this.#result = { noticedBy: undefined, noticedIn: undefined, passed: 0 };
  }

  #notice(by: string, module?: TestModule): void {
    if (this.#result.noticedBy !== undefined) return;
    Object.assign(this.#result, { noticedBy: by, noticedIn: module?.moduleId });
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === "passed") this.#result.passed += 1;
    if (state === "failed") this.#notice(test.fullName, test.module);
  }

  // A file that cannot be loaded counts as a failure.
  onTestModuleEnd(module: TestModule): void {
    if (module.errors().length > 0) this.#notice(module.relativeModuleId, module);
  }

  onTestRunEnd(_: unknown, unhandledErrors: readonly unknown[]): void {
    if (unhandledErrors.length > 0) this.#notice("an unhandled error");
  }

  get result(): TestRunResult {
    return this.#result;
  }
}

/** Loads the test files in `tests/sql`. */
export async function loadSqlTests(): Promise<SqlTests> {
  const reporter = new ResultReporter();
  const vitest = await createVitest({
    root,
    config: false,
    watch: false,
    bail: 1,
    include: ["tests/sql/**/*.test.ts"],
    isolate: false,
    testTimeout: 30_000,
    reporters: [reporter],
    silent: true,
  });
  const specifications = await vitest.globTestSpecifications();
  const sources = new Map<TestSpecification, string>();
  for (const specification of specifications) {
    sources.set(specification, await readFile(specification.moduleId, "utf8"));
  }
  const mentions = (specification: TestSpecification, subject: string) =>
    wholeSchemaFiles.test(specification.moduleId)
      ? Number.MAX_SAFE_INTEGER
      : (sources.get(specification) ?? "").split(subject).length;
  const use = (databaseUrl: string) => {
    // The SQL tests use only the database of the host they are given.
    const host: Partial<ProvidedContext["host"]> = { databaseUrl };
    vitest.provide("host", host as ProvidedContext["host"]);
  };
  return {
    run: async (databaseUrl, subject) => {
      use(databaseUrl);
      const ordered =
        subject === undefined
          ? specifications
          : specifications.toSorted((a, b) => mentions(b, subject) - mentions(a, subject));
      let from = 0;
      for (const to of subject === undefined ? [Infinity] : cuts) {
        const some = ordered.slice(from, to);
        if (some.length > 0) await vitest.runTestSpecifications(some);
        if (reporter.result.noticedBy !== undefined) break;
        from = to;
      }
      return reporter.result;
    },
    runFiles: async (databaseUrl, files) => {
      use(databaseUrl);
      await vitest.runTestSpecifications(
        specifications.filter(({ moduleId }) => files.has(moduleId)),
      );
      return reporter.result;
    },
    close: async () => await vitest.close(),
  };
}
