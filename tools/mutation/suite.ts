import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import type { RunningHost } from "../../tests/support/running.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ASKED_FIRST = 2;

/** What the SQL tests said about one database. */
export interface Verdict {
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

function readVerdict(result: Awaited<ReturnType<Vitest["runTestSpecifications"]>>): Verdict {
  let noticedBy: string | undefined;
  let passed = 0;
  for (const module of result.testModules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") passed += 1;
      if (state === "failed") noticedBy ??= test.fullName;
    }
    // A file that cannot even be loaded has noticed something too.
    if (module.errors().length > 0) noticedBy ??= module.moduleId;
  }
  if (result.unhandledErrors.length > 0) noticedBy ??= "an unhandled error";
  return { noticedBy, passed };
}

/** Loads `tests/sql`. */
export async function openSuite(): Promise<Suite> {
  const vitest = await createVitest({
    root: ROOT,
    config: false,
    watch: false,
    bail: 1,
    include: ["tests/sql/**/*.test.ts"],
    isolate: false,
    testTimeout: 30_000,
    reporters: [{}],
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
      const verdict = readVerdict(await vitest.runTestSpecifications(ordered.slice(0, first)));
      const rest = ordered.slice(first);
      if (verdict.noticedBy !== undefined || rest.length === 0) return verdict;
      return readVerdict(await vitest.runTestSpecifications(rest));
    },
    close: async () => await vitest.close(),
  };
}
