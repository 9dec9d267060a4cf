import { fileURLToPath } from "node:url";
import type { RunningHost } from "../../tests/support/running.ts";
import { createVitest, type Vitest } from "vitest/node";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What the SQL tests said about one database. */
export interface Verdict {
  /** Full name of the first test that failed; undefined when all passed. */
  noticedBy: string | undefined;
  /** Tests that passed. */
  passed: number;
}

/** The SQL tests, loaded once and run against one database after the other. */
export interface Suite {
  run: (databaseUrl: string) => Promise<Verdict>;
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

/** Loads `tests/sql`; stops each run at the first failure, which is all a mutant needs. */
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
  return {
    run: async (databaseUrl) => {
      // The SQL tests need nothing of a host but its database.
      const host: Partial<RunningHost> = { databaseUrl };
      vitest.provide("host", host as RunningHost);
      return readVerdict(await vitest.runTestSpecifications(specifications, true));
    },
    close: async () => await vitest.close(),
  };
}
