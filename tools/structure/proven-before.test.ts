import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withProvenBefore } from "./proven-before.ts";

let folder: string;
let cachePath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "proven-"));
  cachePath = join(folder, "made", "proven.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const safe = { source: "^a", flags: "u" };
const slow = { source: "(a+)+$", flags: "u" };

/** The statuses of patterns, and which the prover was asked about. */
function statusesOf(...patterns: (typeof safe)[]) {
  const asked: string[] = [];
  const statuses = withProvenBefore(
    patterns,
    (open) => {
      asked.push(...open.map(({ source, flags }) => `/${source}/${flags}`));
      return open.map(({ source }) => (source === slow.source ? "vulnerable" : "safe"));
    },
    cachePath,
  );
  return { statuses, asked };
}

it("asks once about what is safe, and each time about what is not", () => {
  const expected = ["safe", "vulnerable"];
  expect(statusesOf(safe, slow)).toEqual({ statuses: expected, asked: ["/^a/u", "/(a+)+$/u"] });
  expect(statusesOf(safe, slow)).toEqual({ statuses: expected, asked: ["/(a+)+$/u"] });
  expect(statusesOf(slow, safe)).toEqual({
    statuses: ["vulnerable", "safe"],
    asked: ["/(a+)+$/u"],
  });
});

it("asks about a pattern that differs in a letter or a flag", () => {
  statusesOf(safe);
  expect(statusesOf({ source: "^ab", flags: "u" }, { source: "^a", flags: "iu" }).asked).toEqual([
    "/^ab/u",
    "/^a/iu",
  ]);
});

it("asks about all when what it remembers cannot be read", () => {
  statusesOf(safe);
  writeFileSync(cachePath, '["half');
  expect(statusesOf(safe)).toEqual({ statuses: ["safe"], asked: ["/^a/u"] });
});
