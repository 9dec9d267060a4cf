import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BootError, readHostConfig, runMain } from "basehost";
import { restoreBackup } from "basehost/backup";
import { readEnvironment } from "./environment.ts";

const usage = "Usage: npm run restore -- FILE [--replace]";
const migrationsFolder = fileURLToPath(new URL("../supabase/migrations", import.meta.url));

function readArguments(): { name: string; replace: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { replace: { type: "boolean", default: false } },
    });
    const [name, ...rest] = positionals;
    if (name !== undefined && rest.length === 0) return { name, replace: values.replace };
  } catch {
    // Falls through to the usage.
  }
  throw new BootError(usage);
}

/** `npm run restore -- FILE`: makes DATA_DIR from an archive of `npm run backup`. */
async function main(): Promise<void> {
  const { name, replace } = readArguments();
  const { dataDir, databaseUrl, serverMemory } = readHostConfig(
    await readEnvironment(process.cwd(), process.env),
  );
  if (databaseUrl !== undefined) {
    throw new BootError(
      "DATABASE_URL is set: restore that database with its own tools; docs/deploy.md says how.",
    );
  }
  const done = await restoreBackup({
    file: resolve(name),
    dataDir,
    migrationsFolder,
    replace,
    memory: serverMemory,
    otherNames: ["sandbox.json", "demo.json"],
  });
  const lines = [
    `${dataDir}: ${done.files} files restored, every checksum right.`,
    `Everything acknowledged before ${done.endMark.toISOString()} is back.`,
  ];
  lines.push(
    'No email is sent from it until "npm run emails -- resume" or "npm run emails -- discard".',
  );
  if (done.bucket !== undefined) {
    lines.push(
      `Its stored files are in the bucket ${done.bucket} and not in the archive: start it with S3_BUCKET.`,
    );
  }
  if (done.keptFolder !== undefined) {
    lines.push(`The former folder is ${done.keptFolder}; delete it once you are sure.`);
  }
  if (done.missing.length > 0) {
    lines.push(`Missing from the archive: ${done.missing.join(", ")}`);
  }
  if (done.leftOut.length > 0) {
    lines.push(`Left out, because it is no part of a data folder: ${done.leftOut.join(", ")}`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

await runMain(main);
