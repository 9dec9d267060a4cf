import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { timeLimitMs } from "../support/time-limits.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SAMPLE = 10;

/** The whole run is `npm run mutation`; these few keep it honest every time the tests run. */
test("taking a rule away is noticed by the SQL tests", { timeout: timeLimitMs(600) }, async () => {
  const args = ["tools/mutation.ts", "--sample", String(SAMPLE)];
  // A survivor makes the command fail, and what it printed says which.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const lines = stdout.split("\n").filter((line) => !line.includes(": noticed by "));
  expect(`${lines.join("\n").trim()}${stderr}`).toBe(`${SAMPLE} of ${SAMPLE} mutants noticed`);
});
