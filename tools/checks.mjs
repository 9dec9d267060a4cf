// The static checks, in the order a person would want to hear about faults.
import { join } from "node:path";
import { productNode, ROOT, run } from "./runtime.mjs";

const bin = (name) => join(ROOT, "node_modules", ".bin", name);

/** Each check: what it is called, and the program with its arguments. */
const CHECKS = [
  ["types of server, functions, tests and tools", bin("tsc"), ["-p", "tsconfig.json"]],
  ["types of the web app", bin("tsc"), ["-p", "tsconfig.web.json"]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["dead code and dependencies", bin("knip"), ["--no-progress"]],
  ["formatting", bin("prettier"), ["--check", "--log-level", "warn", "."]],
  ["migrations", productNode(), ["tools/lint-migrations.ts"]],
  ["functions under Deno", productNode(), ["tools/check-functions.ts"]],
  ["generated types and schema", productNode(), ["tools/gen.ts", "--check"]],
];

/**
 * Runs every check, also after one has failed.
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks() {
  let passed = 0;
  const failed = [];
  for (const [title, command, args] of CHECKS) {
    process.stdout.write(`check: ${title}\n`);
    if ((await run(command, args)) === 0) passed += 1;
    else failed.push(title);
  }
  for (const title of failed) process.stdout.write(`check failed: ${title}\n`);
  return { passed, failed: failed.length };
}
