// `npm run auth-js -- FOLDER`: runs the official client's own tests, unchanged, over this host.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { over } from "../scale/over.ts";
import { spawnProgram } from "../support/spawn-product.ts";
import { knownFailures } from "./known-failures.ts";
import { suiteOutcome, type SuiteRun } from "./outcome.ts";
import { startServers } from "./servers.ts";

const usage = `Usage: npm run auth-js -- FOLDER

FOLDER is packages/core/auth-js of a checkout of https://github.com/supabase/supabase-js whose packages are installed.
Nothing else may listen on the ports 54321 and 9996 to 9999.
`;
/** Those over the stack of the CLI, and those over containers. */
const configs = ["jest.config.cli.js", "jest.config.docker.js"];

interface JestResults {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

async function runSuite(suite: string, what: string): Promise<SuiteRun> {
  const { resolve: find } = createRequire(join(suite, "package.json"));
  const jest = join(dirname(find("jest/package.json")), "bin", "jest.js");
  const folder = await mkdtemp(join(tmpdir(), "auth-js-results-"));
  try {
    const run = { passed: [] as string[], failed: [] as string[] };
    for (const config of configs) {
      process.stdout.write(`${config}, ${what} …\n`);
      const file = join(folder, `${config}.json`);
      const args = ["--config", config, "--runInBand", "--coverage=false", "--forceExit"];
      const { PATH = "", HOME = "" } = process.env;
      const spawned = spawnProgram(
        process.execPath,
        [jest, ...args, "--json", `--outputFile=${file}`],
        { PATH, HOME },
        suite,
      );
      await spawned.ended;
      if (!existsSync(file)) throw new Error(spawned.output());
      const { testResults } = JSON.parse(await readFile(file, "utf8")) as JestResults;
      for (const { fullName, status } of testResults.flatMap((each) => each.assertionResults)) {
        if (status === "passed") run.passed.push(fullName);
        if (status === "failed") run.failed.push(fullName);
      }
    }
    return run;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the keys with which the suite signs, as its own command does. */
async function makeKeys(suite: string): Promise<void> {
  if (existsSync(join(suite, "test", "supabase", "signing_keys.json"))) return;
  const { PATH = "", HOME = "" } = process.env;
  const made = spawnProgram(
    process.execPath,
    [join("test", "generate-signing-keys.js")],
    { PATH, HOME },
    suite,
  );
  if ((await made.ended) !== 0) throw new Error(made.output());
}

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0 || !existsSync(join(folder, "test", "supabase"))) {
  process.stderr.write(usage);
  process.exit(1);
}
const suite = resolve(folder);
await makeKeys(suite);
const alone = await runSuite(suite, "without a server");
const served = await over({ close: await startServers(suite) }, async () => {
  return await runSuite(suite, "over this host");
});
const { figures, problems } = suiteOutcome(alone, served, knownFailures);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${figures}\n`);
process.exit(problems.length === 0 ? 0 : 1);
