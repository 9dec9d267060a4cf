import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { timeLimitMs } from "../support/time-limits.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sample = 10;

/** `npm run mutation` tests all rules. This runs a few of its mutants with the test suite. */
test("the SQL tests fail when a rule is removed", { timeout: timeLimitMs(600) }, async () => {
  const args = ["tools/mutation.ts", "--sample", String(sample)];
  // A surviving mutant makes the command fail, and the output names it.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const lines = stdout.split("\n").filter((line) => !line.includes(": noticed by "));
  expect(`${lines.join("\n").trim()}${stderr}`).toBe(`${sample} of ${sample} mutants noticed`);
});
