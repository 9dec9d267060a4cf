// `npm run mutation`: removes each policy, trigger, grant and constraint in turn, in a copy of the database, and runs
// the SQL tests. A mutant that no test notices is a rule that is not needed or not tested.
import { parseArgs } from "node:util";
import { openMutationDatabase, type MutationDatabase } from "./mutation/mutation-database.ts";
import { listMutants, sampleMutants, type Mutant } from "./mutation/mutants.ts";
import { loadSqlTests, type SqlTests } from "./mutation/sql-tests.ts";

const usage = "Usage: npm run mutation -- [--sample N] [--only TEXT] [--list]";

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readOptions(): { sample: number; only: string; list: boolean } {
  const { values } = parseArgs({
    options: {
      sample: { type: "string" },
      only: { type: "string", default: "" },
      list: { type: "boolean", default: false },
    },
  });
  const sample = values.sample === undefined ? Infinity : Number(values.sample);
  if (!(sample > 0)) throw new Error(usage);
  return { sample, only: values.only, list: values.list };
}

/** @throws {Error} unless the tests pass on an unchanged copy; results for mutants mean nothing otherwise. */
async function assertTestsPass(database: MutationDatabase, tests: SqlTests): Promise<void> {
  const { noticedBy, passed } = await database.onCopy("select 1", tests.run);
  if (noticedBy !== undefined || passed === 0) {
    throw new Error(`The tests do not pass without any change: ${noticedBy ?? "none ran"}`);
  }
}

/** @returns the mutants that no test noticed. */
async function runMutants(
  database: MutationDatabase,
  tests: SqlTests,
  mutants: readonly Mutant[],
): Promise<Mutant[]> {
  const survivors: Mutant[] = [];
  for (const [index, mutant] of mutants.entries()) {
    const { noticedBy } = await database.onCopy(
      mutant.sql,
      async (url) => await tests.run(url, mutant.subject),
    );
    if (noticedBy === undefined) survivors.push(mutant);
    const outcome = noticedBy === undefined ? "SURVIVED" : `noticed by ${noticedBy}`;
    print(`${index + 1}/${mutants.length} ${mutant.kind} ${mutant.title}: ${outcome}`);
  }
  return survivors;
}

const options = readOptions();
const database = await openMutationDatabase();
// A run that is interrupted still stops its server and removes its folder.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void database.close().finally(() => process.exit(130)));
}
try {
  const all = await database.onOriginal(listMutants);
  const chosen = sampleMutants(
    all.filter((mutant) => `${mutant.kind} ${mutant.title}`.includes(options.only)),
    options.sample,
  );
  if (options.list) {
    for (const mutant of chosen) print(`${mutant.kind} ${mutant.title}`);
  } else {
    const tests = await loadSqlTests();
    try {
      await assertTestsPass(database, tests);
      const survivors = await runMutants(database, tests, chosen);
      await assertTestsPass(database, tests);
      for (const mutant of survivors) print(`survivor: ${mutant.sql}`);
      print(`\n${chosen.length - survivors.length} of ${chosen.length} mutants noticed`);
      process.exitCode = survivors.length === 0 ? 0 : 1;
    } finally {
      await tests.close();
    }
  }
} finally {
  await database.close();
}
