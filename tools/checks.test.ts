import { expect, test } from "vitest";
import { runChecks } from "./checks.mjs";

const script = (title: string, text: string): [string, string, string[]] => [
  title,
  process.execPath,
  ["-e", text],
];

test("runs every check, and prints the output of each in one piece", async () => {
  const printed: string[] = [];
  const result = await runChecks(
    [
      script("first", "console.log('one'); setTimeout(() => console.error('two'), 300)"),
      script("second", "console.log('wrong'); process.exitCode = 3"),
      ["absent", "/no/such/program", []],
      script("last", ""),
    ],
    (text) => printed.push(text.replace(/in [\d.]+ s/, "in N s")),
  );
  expect(result.passed).toBe(2);
  expect(result.failures.toSorted()).toEqual(["check: absent", "check: second"]);
  expect(printed.toSorted()).toEqual([
    expect.stringMatching(/^check: absent: FAILED in N s\n.*ENOENT\n$/),
    "check: first: passed in N s\none\ntwo\n",
    "check: last: passed in N s\n",
    "check: second: FAILED in N s\nwrong\n",
  ]);
});
