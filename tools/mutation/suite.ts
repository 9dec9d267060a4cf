import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  createVitest,
  type Reporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from "vitest/node";
import type { RunningHost } from "../../tests/support/running.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ASKED_FIRST = 2;

/** What the SQL tests said about one database. */
interface Verdict {
  /** Full name of a test that failed; undefined when all passed. */
  noticedBy: string | undefined;
  /** Tests that passed. */
  passed: number;
}

/** The SQL tests, loaded once and run against one database after the other. */
export interface Suite {
  /**
   * Runs until the first failure.
   * @param subject the files that mention this most run first, because they are most likely to fail.
   */
  run: (databaseUrl: string, subject?: string) => Promise<Verdict>;
  close: () => Promise<void>;
}

/**
 * Listens to one run after the other. The runner's own results would not do: a file that a bail left out still
 * carries what it said about the database before.
 */
class Listener implements Reporter {
  #verdict: Verdict = { noticedBy: undefined, passed: 0 };

  onTestRunStart(): void {
    this.#verdict = { noticedBy: undefined, passed: 0 };
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === "passed") this.#verdict.passed += 1;
    if (state === "failed") this.#verdict.noticedBy ??= test.fullName;
  }

  // A file that cannot even be loaded has noticed something too.
  onTestModuleEnd(module: TestModule): void {
    if (module.errors().length > 0) this.#verdict.noticedBy ??= module.relativeModuleId;
  }

  onTestRunEnd(_: unknown, unhandledErrors: readonly unknown[]): void {
    if (unhandledErrors.length > 0) this.#verdict.noticedBy ??= "an unhandled error";
  }

  get verdict(): Verdict {
    return this.#verdict;
  }
}

/** Loads `tests/sql`. */
export async function openSuite(): Promise<Suite> {
  const listener = new Listener();
  const vitest = await createVitest({
    root: ROOT,
    config: false,
    watch: false,
    bail: 1,
    include: ["tests/sql/**/*.test.ts"],
    isolate: false,
    testTimeout: 30_000,
    reporters: [listener],
    silent: true,
  });
  const specifications = await vitest.globTestSpecifications();
  const sources = new Map<TestSpecification, string>();
  for (const specification of specifications) {
    sources.set(specification, await readFile(specification.moduleId, "utf8"));
  }
  const mentions = (specification: TestSpecification, subject: string) =>
    (sources.get(specification) ?? "").split(subject).length;
  return {
    run: async (databaseUrl, subject) => {
      // The SQL tests need nothing of a host but its database.
      const host: Partial<RunningHost> = { databaseUrl };
      vitest.provide("host", host as RunningHost);
      const ordered =
        subject === undefined
          ? specifications
          : specifications.toSorted((a, b) => mentions(b, subject) - mentions(a, subject));
      const first = subject === undefined ? ordered.length : ASKED_FIRST;
      await vitest.runTestSpecifications(ordered.slice(0, first));
      const rest = ordered.slice(first);
      if (listener.verdict.noticedBy === undefined && rest.length > 0) {
        await vitest.runTestSpecifications(rest);
      }
      return listener.verdict;
    },
    close: async () => await vitest.close(),
  };
}
