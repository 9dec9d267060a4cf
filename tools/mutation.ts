// `npm run mutation`: takes each policy, trigger, grant and constraint away in turn, in a copy of the database, and
// asks whether some SQL test notices. A survivor is a rule nobody would miss, or one that nobody tests.
import { parseArgs } from "node:util";
import { openLaboratory, type Laboratory } from "./mutation/laboratory.ts";
import { listMutants, sampleOf, type Mutant } from "./mutation/mutants.ts";
import { openSuite, type Suite } from "./mutation/suite.ts";

const USAGE = "Usage: npm run mutation -- [--sample N] [--only TEXT] [--list]";

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
  if (!(sample > 0)) throw new Error(USAGE);
  return { sample, only: values.only, list: values.list };
}

/** Says whether the tests pass on an unchanged copy; a verdict about a mutant means nothing unless they do. */
async function expectPass(laboratory: Laboratory, suite: Suite): Promise<void> {
  const { noticedBy, passed } = await laboratory.onCopy("select 1", suite.run);
  if (noticedBy !== undefined || passed === 0) {
    throw new Error(`The tests do not pass without any change: ${noticedBy ?? "none ran"}`);
  }
}

/** @returns the mutants no test noticed. */
async function runMutants(
  laboratory: Laboratory,
  suite: Suite,
  mutants: readonly Mutant[],
): Promise<Mutant[]> {
  const survivors: Mutant[] = [];
  for (const [index, mutant] of mutants.entries()) {
    const { noticedBy } = await laboratory.onCopy(
      mutant.sql,
      async (url) => await suite.run(url, mutant.subject),
    );
    if (noticedBy === undefined) survivors.push(mutant);
    const outcome = noticedBy === undefined ? "SURVIVED" : `noticed by ${noticedBy}`;
    print(`${index + 1}/${mutants.length} ${mutant.kind} ${mutant.title}: ${outcome}`);
  }
  return survivors;
}

const options = readOptions();
const laboratory = await openLaboratory();
// A run that is stopped half-way takes its server and its folder along.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void laboratory.close().finally(() => process.exit(130)));
}
try {
  const all = await laboratory.onOriginal(listMutants);
  const chosen = sampleOf(
    all.filter((mutant) => `${mutant.kind} ${mutant.title}`.includes(options.only)),
    options.sample,
  );
  if (options.list) {
    for (const mutant of chosen) print(`${mutant.kind} ${mutant.title}`);
  } else {
    const suite = await openSuite();
    try {
      await expectPass(laboratory, suite);
      const survivors = await runMutants(laboratory, suite, chosen);
      await expectPass(laboratory, suite);
      for (const mutant of survivors) print(`survivor: ${mutant.sql}`);
      print(`\n${chosen.length - survivors.length} of ${chosen.length} mutants noticed`);
      process.exitCode = survivors.length === 0 ? 0 : 1;
    } finally {
      await suite.close();
    }
  }
} finally {
  await laboratory.close();
}
