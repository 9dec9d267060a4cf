import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pino } from "pino";
import { startHost } from "../host/src/host.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TYPES = join(ROOT, "web", "src", "database.types.ts");
const CLI = join(ROOT, "node_modules", ".bin", "supabase");

/** Asks the official CLI for the types of a database that has just been migrated. */
async function generate(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "fourfold-gen-"));
  try {
    const host = await startHost({
      root: ROOT,
      env: { PORT: "0", DATA_DIR: join(dataDir, "data") },
      log: pino({ level: "silent" }),
    });
    try {
      const args = [
        "gen",
        "types",
        "typescript",
        "--db-url",
        host.context.db.url,
        "--schema",
        "public",
      ];
      const { stdout } = await run(CLI, args, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
      return stdout;
    } finally {
      await host.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const types = await generate();
if (process.argv.includes("--check")) {
  const committed = await readFile(TYPES, "utf8").catch(() => "");
  if (committed !== types) {
    process.stderr.write(
      "web/src/database.types.ts is not what the database says; run npm run gen.\n",
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(TYPES, types);
  process.stdout.write("Wrote web/src/database.types.ts\n");
}
