import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join("supabase", "migrations");
/** What an empty database begins with. Rules for changes of tables that people use do not apply to it. */
const lastOfBaseline = "20261127000200";
const files = readdirSync(join(root, folder))
  .filter((name) => name.slice(0, lastOfBaseline.length) > lastOfBaseline)
  .map((name) => join(folder, name));
const squawk = join(root, "node_modules", ".bin", "squawk");
if (files.length > 0) {
  const { status } = spawnSync(squawk, files, { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
