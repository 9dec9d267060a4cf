import { randomBytes } from "node:crypto";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { chooseServerAccount, type PostgresBinaries, runAs } from "basehost/database";
import { freePort } from "./spawn-product.ts";

/** A new PostgreSQL cluster: default settings, and a superuser as its only role. */
export interface CleanCluster {
  /** Connection string of a login, by default the superuser, to a database. */
  url: (database?: string, login?: string, password?: string) => string;
  /** Runs statements one by one as the superuser, outside a transaction. */
  run: (statements: readonly string[], database?: string) => Promise<void>;
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Creates a cluster with these programs and starts it on a free port of 127.0.0.1. */
export async function startCleanCluster(
  binaries: PostgresBinaries,
  superuser = "postgres",
): Promise<CleanCluster> {
  const root = await mkdtemp(join(tmpdir(), "clean-cluster-"));
  const folder = join(root, "data");
  const account = await chooseServerAccount(folder, []);
  const password = randomBytes(18).toString("hex");
  const passwordFile = join(root, "password");
  await writeFile(passwordFile, password);
  await mkdir(folder, { mode: 0o700 });
  if (account.kind === "account") {
    for (const path of [root, folder, passwordFile]) await chown(path, account.uid, account.gid);
  }
  await runAs(account, binaries.initdb, [
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--no-sync",
  ]);
  const port = await freePort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  const log = ["-l", join(root, "log"), "-w", "-t", "60"];
  const start = async () =>
    await runAs(account, binaries.pg_ctl, ["start", "-D", folder, ...log, "-o", settings]);
  const stop = async () =>
    await runAs(account, binaries.pg_ctl, ["stop", "-D", folder, "-m", "immediate", "-w"]);
  const url: CleanCluster["url"] = (database = "postgres", login = superuser, secret = password) =>
    `postgresql://${login}:${secret}@127.0.0.1:${port}/${database}`;
  await start();
  return {
    url,
    run: async (statements, database) => {
      const client = new pg.Client({ connectionString: url(database) });
      await client.connect();
      try {
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    },
    restart: async () => {
      await runAs(account, binaries.pg_ctl, ["stop", "-D", folder, "-m", "fast", "-w"]);
      await start();
    },
    stop: async () => {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
