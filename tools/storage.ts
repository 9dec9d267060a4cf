import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { BootError, readHostConfig, runMain } from "basehost";
import { inTransaction } from "basehost/database";
import {
  adoptStore,
  copyFiles,
  openBucket,
  openFolder,
  StagingArea,
  StorageError,
} from "basehost/files";
import { reportCopied, showProgress } from "./copy-progress.ts";
import { readEnvironment } from "./environment.ts";
import { withInstanceDatabase } from "./instance-database.ts";

const migrations = fileURLToPath(new URL("../supabase/migrations", import.meta.url));
const usage = `Usage:
  npm run storage -- move bucket    copies the files of DATA_DIR into the bucket of S3_BUCKET
  npm run storage -- move folder    copies the files of the bucket into DATA_DIR
  npm run storage -- adopt bucket   makes the bucket the place of this database's files
  npm run storage -- adopt folder   makes DATA_DIR that`;

/** Moves stored files between the disk and a bucket, while the product runs, and says which of them counts. */
async function main(): Promise<void> {
  const [verb = "", place = "", ...rest] = process.argv.slice(2);
  if (!["move", "adopt"].includes(verb) || !["bucket", "folder"].includes(place) || rest.length > 0)
    throw new BootError(usage);
  const config = readHostConfig(await readEnvironment(process.cwd(), process.env));
  if (config.s3 === undefined) throw new BootError("S3_BUCKET and its other settings are not set.");
  const folder = openFolder(config.dataDir);
  const bucket = await openBucket(config.s3, pino({ level: "silent" }));
  const [from, to] = place === "bucket" ? [folder, bucket] : [bucket, folder];
  try {
    await withInstanceDatabase(config, migrations, async (pool) => {
      if (verb === "adopt") {
        await inTransaction(pool, async (client) => await adoptStore(client, to));
        process.stdout.write(
          `${to.place} keeps the files of this database now. Start every host ${place === "bucket" ? "with S3_BUCKET" : "without S3_BUCKET"}.\n`,
        );
        return;
      }
      const staging = new StagingArea(join(config.dataDir, "storage", "incoming"));
      const stores = { from: from.blobs, to: to.blobs, staging };
      reportCopied(await copyFiles(pool, stores, showProgress));
      process.stdout.write(
        `Once every host is stopped, run this again, then "npm run storage -- adopt ${place}".\n`,
      );
    });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { cause } = error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BootError(`${bucket.place} can't be reached: ${reason}`);
  } finally {
    bucket.blobs.close();
  }
}

await runMain(main);
