import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { isLong } from "../support/long-form.ts";
import { timeLimitMs } from "../support/time-limits.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** `npm run mutation` tests all rules, `npm run test:long` a hundred of them, and `npm test` that it works. */
const sample = isLong ? 100 : 2;

test("the SQL tests fail when a rule is removed", { timeout: timeLimitMs(1200) }, async () => {
  const args = ["tools/mutation.ts", "--sample", String(sample)];
  // A surviving mutant makes the command fail, and the output names it.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const lines = stdout.split("\n").filter((line) => !line.includes(": noticed by "));
  expect(`${lines.join("\n").trim()}${stderr}`).toBe(`${sample} of ${sample} mutants noticed`);
});
