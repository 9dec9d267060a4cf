import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BootError, readHostConfig, runMain, type HostConfig } from "basehost";
import { createBackup } from "basehost/backup";
import {
  connectOwner,
  findEmbeddedPostgres,
  holdFolder,
  loadSecrets,
  startEmbeddedPostgres,
} from "basehost/database";
import { readEnvironment } from "./environment.ts";

const usage = "Usage: npm run backup -- FILE";

/** Runs `work` with the address of the install's database, and starts the database for that time when it is not running. */
async function withServer<T>(
  { dataDir, serverMemory }: Pick<HostConfig, "dataDir" | "serverMemory">,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, "postgres");
  await access(join(folder, "PG_VERSION")).catch(() => {
    throw new BootError(`There is no install in ${dataDir} yet; there is nothing to back up.`);
  });
  const { databasePassword } = await loadSecrets(dataDir);
  const running = await findEmbeddedPostgres(folder, databasePassword);
  if (running !== undefined) return await work(running.url);
  const started = await startEmbeddedPostgres(folder, databasePassword, serverMemory);
  try {
    const owner = await connectOwner(started.url);
    owner.on("error", () => undefined);
    try {
      // A host that starts meanwhile waits or says that the folder is in use, instead of losing its database.
      await holdFolder(owner, dataDir);
      return await work(started.url);
    } finally {
      await owner.end().catch(() => undefined);
    }
  } finally {
    await started.stop();
  }
}

/** `npm run backup -- FILE`: the database and all files of the install in one archive, also while it serves. */
async function main(): Promise<void> {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || rest.length > 0) throw new BootError(usage);
  const config = readHostConfig(await readEnvironment(process.cwd(), process.env));
  const { dataDir, databaseUrl, s3 } = config;
  if (databaseUrl !== undefined) {
    throw new BootError(
      "DATABASE_URL is set: back that database up with its own tools, such as pg_dump, and DATA_DIR with it; docs/deploy.md says how.",
    );
  }
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Not `once`: Ctrl-C often arrives twice, from the terminal and from npm.
    process.on(signal, () => stop.abort(new BootError("The backup was stopped; there is none.")));
  }
  const made = await withServer(
    config,
    async (url) => await createBackup({ file: resolve(name), dataDir, url, signal: stop.signal }),
  );
  const size = `${(made.bytes / 1024 ** 2).toFixed(1)} MiB`;
  const elsewhere =
    s3 === undefined
      ? ""
      : `The stored files are not in it: they are in the bucket ${s3.bucket}, by the versions that the database names.\n`;
  process.stdout.write(
    `${made.file}: ${made.files} files, ${size}, read back and whole.\n${elsewhere}` +
      `Everything acknowledged before ${made.endMark.toISOString()} is in it.\n` +
      "It holds the install's secrets and its members' data: keep it where only you can read it.\n",
  );
}

await runMain(main);
