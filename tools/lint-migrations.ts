import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = join("supabase", "migrations");
const files = readdirSync(join(ROOT, folder)).map((name) => join(folder, name));
const squawk = join(ROOT, "node_modules", ".bin", "squawk");
const { status } = spawnSync(squawk, files, { cwd: ROOT, stdio: "inherit" });
process.exitCode = status ?? 1;
