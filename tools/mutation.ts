// `npm run mutation`: removes each policy, trigger, grant and constraint in turn, in a copy of the database, and runs
// the SQL tests. A mutant that no test notices is a rule that is not needed or not tested.
import { parseArgs } from "node:util";
import { openMutationDatabase, type MutationDatabase } from "./mutation/mutation-database.ts";
import { listMutants, sampleMutants, type Mutant } from "./mutation/mutants.ts";
import { loadSqlTests, type SqlTests } from "./mutation/sql-tests.ts";

const usage =
  "Usage: npm run mutation -- [--sample N] [--only TEXT] [--since VERSION] [--skip N] [--list]";

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Options {
  readonly sample: number;
  readonly only: string;
  /** Leaves out the rules that the migrations up to this version made. */
  readonly since: string | undefined;
  /** Goes on with a run that ended after so many mutants. */
  readonly skip: number;
  readonly list: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      sample: { type: "string" },
      only: { type: "string", default: "" },
      since: { type: "string" },
      skip: { type: "string", default: "0" },
      list: { type: "boolean", default: false },
    },
  });
  const sample = values.sample === undefined ? Infinity : Number(values.sample);
  const skip = Number(values.skip);
  if (!(sample > 0 && skip >= 0)) throw new Error(usage);
  return { sample, only: values.only, since: values.since, skip, list: values.list };
}

const nameOf = ({ kind, title }: Mutant) => `${kind} ${title}`;

async function chooseMutants(database: MutationDatabase, options: Options): Promise<Mutant[]> {
  const all = await database.onOriginal(listMutants);
  const earlier =
    options.since === undefined ? [] : await database.onVersion(options.since, listMutants);
  const left = new Set(earlier.map(nameOf));
  const chosen = all.filter(
    (mutant) => nameOf(mutant).includes(options.only) && !left.has(nameOf(mutant)),
  );
  return sampleMutants(chosen, options.sample).slice(options.skip);
}

/** What a run found. */
interface Outcome {
  /** The mutants that no test noticed. */
  survivors: Mutant[];
  /** The files whose tests noticed the others. */
  noticedIn: Set<string>;
}

/**
 * A test that fails whatever the rules are would notice every mutant.
 * @throws {Error} unless the files that noticed mutants pass on an unchanged copy.
 */
async function assertTestsPass(
  database: MutationDatabase,
  tests: SqlTests,
  files: ReadonlySet<string>,
): Promise<void> {
  if (files.size === 0) return;
  const { noticedBy, passed } = await database.onCopy(
    "select 1",
    async (url) => await tests.runFiles(url, files),
  );
  if (noticedBy !== undefined || passed === 0) {
    throw new Error(`The tests do not pass without any change: ${noticedBy ?? "none ran"}`);
  }
}

async function runMutants(
  database: MutationDatabase,
  tests: SqlTests,
  mutants: readonly Mutant[],
): Promise<Outcome> {
  const outcome: Outcome = { survivors: [], noticedIn: new Set() };
  for (const [index, mutant] of mutants.entries()) {
    const { noticedBy, noticedIn } = await database.onCopy(
      mutant.sql,
      async (url) => await tests.run(url, mutant.subject),
    );
    if (noticedBy === undefined) outcome.survivors.push(mutant);
    else if (noticedIn === undefined) throw new Error(`${mutant.title}: ${noticedBy}`);
    else outcome.noticedIn.add(noticedIn);
    const result = noticedBy === undefined ? "SURVIVED" : `noticed by ${noticedBy}`;
    print(`${index + 1}/${mutants.length} ${mutant.kind} ${mutant.title}: ${result}`);
  }
  return outcome;
}

const options = readOptions();
const database = await openMutationDatabase();
// A run that is interrupted still stops its server and removes its folder, also when the terminal and npm both interrupt it.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void database.close().finally(() => process.exit(130)));
}
try {
  const chosen = await chooseMutants(database, options);
  if (options.list) {
    for (const mutant of chosen) print(nameOf(mutant));
  } else {
    const tests = await loadSqlTests();
    try {
      const { survivors, noticedIn } = await runMutants(database, tests, chosen);
      await assertTestsPass(database, tests, noticedIn);
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
