import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const functionsFolder = fileURLToPath(new URL("../supabase/functions", import.meta.url));
const deno = fileURLToPath(new URL("../node_modules/.bin/deno", import.meta.url));
const shims = readdirSync(functionsFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
  .map((entry) => join(entry.name, "index.ts"));
// Without network access: Deno uses the packages that npm installed.
const args = ["check", "--quiet", "--no-remote", "--node-modules-dir=manual", ...shims];
const { status } = spawnSync(deno, args, { cwd: functionsFolder, stdio: "inherit" });
process.exitCode = status ?? 1;
