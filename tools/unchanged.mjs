// What a check that passed has read: while none of it changes, the check need not run again.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const byName = (a, b) => (a < b ? -1 : 1);

/**
 * A digest of the names and contents of files and folders, without what Git ignores.
 * @param {string} root
 * @param {readonly string[]} paths from the root
 * @returns {string | undefined} undefined where Git does not know the folder: nothing is remembered there
 */
export function digestOf(root, paths) {
  const listed = spawnSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...paths],
    { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (listed.status !== 0) return undefined;
  const hash = createHash("sha256");
  // Git lists staged files apart from the others, and staging changes no file.
  for (const name of new Set(listed.stdout.split("\0").toSorted(byName))) {
    const path = join(root, name);
    // A deleted file is listed until the deletion is staged.
    if (name === "" || !existsSync(path)) continue;
    hash.update(`${name}\0`).update(createHash("sha256").update(readFileSync(path)).digest());
  }
  return hash.digest("hex");
}

/**
 * @param {string} file keeps the digest of the last time that the check passed
 * @param {string | undefined} digest
 */
export function hasPassed(file, digest) {
  return digest !== undefined && existsSync(file) && readFileSync(file, "utf8") === digest;
}

/**
 * @param {string} file
 * @param {string | undefined} digest
 */
export function rememberPassed(file, digest) {
  if (digest === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, digest);
}
