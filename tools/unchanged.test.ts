import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { digestOf, hasPassed, rememberPassed } from "./unchanged.mjs";

function makeFolder({ hasGit }: { hasGit: boolean }): string {
  const root = mkdtempSync(join(tmpdir(), "fourfold-unchanged-"));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  if (hasGit) execFileSync("git", ["init", "--quiet"], { cwd: root });
  writeFileSync(join(root, ".gitignore"), "ignored\n");
  writeFileSync(join(root, "read"), "one");
  return root;
}

test("a digest changes with what a file says, with a new file and with one that is gone, and with nothing else", () => {
  const root = makeFolder({ hasGit: true });
  const seen = [digestOf(root, ["."])];
  const look = () => seen.push(digestOf(root, ["."]));
  writeFileSync(join(root, "read"), "two");
  look();
  writeFileSync(join(root, "new"), "");
  look();
  for (const staged of ["new", "."]) {
    execFileSync("git", ["add", staged], { cwd: root });
    expect(digestOf(root, ["."])).toBe(seen.at(-1));
  }
  rmSync(join(root, "read"));
  look();
  expect(new Set(seen).size).toBe(4);
  writeFileSync(join(root, "ignored"), "three");
  expect(digestOf(root, ["."])).toBe(seen.at(-1));
  writeFileSync(join(root, "elsewhere"), "four");
  expect(digestOf(root, ["new"])).toBe(digestOf(root, ["new", "absent"]));
});

test("what passed is remembered until something changes, and without Git never", () => {
  const root = makeFolder({ hasGit: true });
  const file = join(root, "ignored");
  const digest = digestOf(root, ["read"]);
  expect(hasPassed(file, digest)).toBe(false);
  rememberPassed(file, digest);
  expect(hasPassed(file, digest)).toBe(true);
  writeFileSync(join(root, "read"), "two");
  expect(hasPassed(file, digestOf(root, ["read"]))).toBe(false);

  const without = makeFolder({ hasGit: false });
  const unknown = digestOf(without, ["read"]);
  expect(unknown).toBeUndefined();
  rememberPassed(join(without, "ignored"), unknown);
  expect(hasPassed(join(without, "ignored"), unknown)).toBe(false);
});
