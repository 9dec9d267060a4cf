import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** One file of the tree: its path from the root and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Files git tracks or would track, with one of the given endings. */
export function sourceFiles(endings: readonly string[]): SourceFile[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), "utf8") }];
      } catch {
        // Deleted, but not yet committed.
        return [];
      }
    });
}
