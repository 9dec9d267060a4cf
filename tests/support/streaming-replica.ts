import { createWriteStream } from "node:fs";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { chooseServerAccount, runAs, type PostgresBinaries } from "basehost/database";
import { extractTar, openBaseBackup } from "basehost/testing";
import { freePort } from "./spawn-product.ts";

/** A streaming replica of a running server. */
export interface StreamingReplica {
  port: number;
  start: () => Promise<void>;
  /** Ends it at once. */
  stop: () => Promise<void>;
  remove: () => Promise<void>;
}

/** A primary's own or larger, as a replica needs them. */
const sizes = [
  // At least as many as the embedded server of any machine has, or it does not follow.
  "max_connections=500",
  "max_wal_senders=50",
  "max_worker_processes=50",
  "max_locks_per_transaction=512",
];

/**
 * Makes a streaming replica of a server by a base backup, and starts it on a free port of 127.0.0.1.
 * @param primaryUrl connection string of a superuser
 * @param binaries the same version as the primary's
 */
export async function startStreamingReplica(
  primaryUrl: string,
  binaries: PostgresBinaries,
): Promise<StreamingReplica> {
  const root = await mkdtemp(join(tmpdir(), "replica-"));
  const folder = join(root, "data");
  const account = await chooseServerAccount(folder, []);
  const own = async (path: string) => {
    if (account.kind === "account") await chown(path, account.uid, account.gid);
  };
  await mkdir(folder, { mode: 0o700 });
  for (const path of [root, folder]) await own(path);
  const backup = await openBaseBackup(primaryUrl, new AbortController().signal);
  const entries = extractTar();
  const reading = pipeline(backup.tar, entries);
  for await (const entry of entries) {
    const path = join(folder, entry.header.name);
    if (entry.header.type === "directory") {
      entry.resume();
      await mkdir(path, { recursive: true, mode: 0o700 });
    } else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(entry, createWriteStream(path, { mode: 0o600 }));
    }
    await own(path);
  }
  await reading;
  await backup.endMark;
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl);
  const conninfo = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
  const settings = {
    "standby.signal": "",
    "postgresql.auto.conf": `primary_conninfo = '${conninfo}'\n`,
  };
  for (const [name, text] of Object.entries(settings)) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    await own(join(folder, name));
  }
  const port = await freePort();
  const options = [
    `-p ${port}`,
    "-c listen_addresses=127.0.0.1",
    "-c unix_socket_directories=''",
    ...sizes.map((size) => `-c ${size}`),
  ].join(" ");
  const control = async (...args: string[]) =>
    await runAs(account, binaries.pg_ctl, [...args, "-D", folder, "-w", "-t", "60"]);
  const start = async () => await control("start", "-l", join(root, "log"), "-o", options);
  const stop = async () => await control("stop", "-m", "immediate");
  await start();
  return {
    port,
    start,
    stop,
    remove: async () => {
      await stop().catch(() => undefined);
      await rm(root, { recursive: true, force: true });
    },
  };
}
