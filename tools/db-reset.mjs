// Deletes the local install: accounts, files, sandbox and secrets. The next start creates a new one.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseEnv } from "node:util";
import { ensurePackages, fail, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

await ensurePackages();

// The folder that `npm start` uses, which a `.env` file may set.
const envFile = resolve(".env");
const env = {
  ...(existsSync(envFile) ? parseEnv(readFileSync(envFile, "utf8")) : {}),
  ...process.env,
};
const folder = resolve(projectRoot, env.DATA_DIR || "data");
if (env.DATABASE_URL) fail("DATABASE_URL is set; only the embedded database is reset here.");
if (!existsSync(folder)) fail(`There is nothing to reset: ${folder} does not exist.`);
if (!existsSync(join(folder, "secrets.json")))
  fail(`${folder} is not a data folder of this product.`);
// A killed start leaves its database running, and a crashed machine its pid file. Neither means that the product runs.
if ((await run(pinnedNodePath(), ["tools/stop-database.ts", folder])) !== 0) {
  fail("The product is running over this folder; stop it first.");
}
if (!process.argv.includes("--yes")) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Delete everything in ${folder}? Type "yes": `);
  terminal.close();
  if (answer.trim() !== "yes") fail("Nothing was deleted.");
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${folder} is gone.\n`);
