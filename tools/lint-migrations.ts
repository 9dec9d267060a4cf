import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join("supabase", "migrations");
const files = readdirSync(join(root, folder)).map((name) => join(folder, name));
const squawk = join(root, "node_modules", ".bin", "squawk");
const { status } = spawnSync(squawk, files, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
