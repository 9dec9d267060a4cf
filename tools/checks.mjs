import { join } from "node:path";
import { pinnedNodePath, projectRoot, startProgram } from "./runtime.mjs";
import { digestOf, hasPassed, rememberPassed } from "./unchanged.mjs";

const parallelChecks = 2;

/** Projects of Vitest that say something of the tree itself, without running it. `npm test` leaves them to the checks. */
export const checkedProjects = ["structure"];

const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
const bin = (name) => join(projectRoot, "node_modules", ".bin", name);

/** Files that have not changed since they were last found to be formatted are not checked again. */
const prettierCache = [
  "--cache",
  "--cache-strategy",
  "content",
  "--cache-location",
  join(projectRoot, ".cache", "prettier"),
];

/** The compiler remembers what it has found, and looks again at what changed and what depends on it. */
const typesOf = (project) => [
  "-p",
  project,
  "--incremental",
  "--tsBuildInfoFile",
  join(projectRoot, ".cache", "types", `${project}.tsbuildinfo`),
];

/** What `npm run gen` reads and writes, with the programs it runs. */
const generatedFrom = [
  "supabase",
  "packages",
  "tools",
  "docs/error-codes.md",
  "web/src/database.types.ts",
  "package-lock.json",
];

/**
 * With the files and folders it reads, a check that passed runs again only once one of them has changed.
 * @typedef {readonly [title: string, command: string, args: string[], reads?: readonly string[]]} Check
 */

/**
 * The static checks. Those that take longest come first, so that the two queues end at about the same time.
 * @type {readonly Check[]}
 */
const staticChecks = [
  [
    "structure of the tree",
    pinnedNodePath(),
    [vitest, "run", "--reporter=dot", ...checkedProjects.map((name) => `--project=${name}`)],
  ],
  ["formatting", bin("prettier"), ["--check", "--log-level", "warn", ...prettierCache, "."]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["weight of the pages", pinnedNodePath(), ["tools/page-weight.mjs"]],
  ["generated types and schema", pinnedNodePath(), ["tools/gen.ts", "--check"], generatedFrom],
  ["types of server, functions, tests and tools", bin("tsc"), typesOf("tsconfig.json")],
  ["types of the web app", bin("tsc"), typesOf("tsconfig.web.json")],
  ["functions under Deno", pinnedNodePath(), ["tools/check-functions.ts"]],
  ["dead code and dependencies", bin("knip"), ["--no-progress"]],
  ["migrations", pinnedNodePath(), ["tools/lint-migrations.ts"]],
];

/** Runs one check and collects what it prints. */
async function runCheck([title, command, args, reads]) {
  const startedAt = performance.now();
  const digest = reads && digestOf(projectRoot, reads);
  const passedFile = join(projectRoot, ".cache", "passed", title.replaceAll(" ", "-"));
  if (hasPassed(passedFile, digest)) {
    return { passed: true, seconds: "0", output: "  nothing it reads has changed\n" };
  }
  const chunks = [];
  let code = 1;
  try {
    const { child, ended } = startProgram(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => chunks.push(chunk));
    }
    const closed = new Promise((resolve) => child.once("close", resolve));
    code = await ended;
    await closed;
  } catch (error) {
    chunks.push(Buffer.from(`${error.message}\n`));
  }
  if (code === 0) rememberPassed(passedFile, digest);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return { passed: code === 0, seconds, output: Buffer.concat(chunks).toString() };
}

/**
 * Runs all checks, two at a time, also after one has failed. Prints the output of each in one piece when it ends.
 * @param {readonly Check[]} [checks]
 * @param {(text: string) => void} [print]
 * @returns {Promise<{ passed: number, failures: string[] }>}
 */
export async function runChecks(
  checks = staticChecks,
  print = (text) => void process.stdout.write(text),
) {
  const queue = [...checks];
  const failures = [];
  const work = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const [title] = check;
      const { passed, seconds, output } = await runCheck(check);
      print(`check: ${title}: ${passed ? "passed" : "FAILED"} in ${seconds} s\n${output}`);
      if (!passed) failures.push(`check: ${title}`);
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, work));
  return { passed: checks.length - failures.length, failures };
}
