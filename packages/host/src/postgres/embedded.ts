// Runs the embedded PostgreSQL server: creates its data folder, starts it, finds a running one and stops it.

import {
  access,
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BootError, RetryableBootError } from "../boot-error.ts";
import { findBinaries, type PostgresBinaries } from "./binaries.ts";
import { writeServerConfiguration } from "./server-configuration.ts";
import { chooseServerAccount, runAs, type ServerAccount } from "./server-account.ts";
import {
  memoryFor,
  memorySettings,
  usableMemoryBytes,
  type ServerMemory,
} from "./server-memory.ts";

const ownerLogin = "supabase_admin";
const stopTimeoutS = 30;

/** A running embedded PostgreSQL server. */
export interface EmbeddedPostgres {
  /** Connection string of the owner login, on the loopback address. */
  url: string;
  /** True when this start created the data folder. */
  isNew: boolean;
  /** False once the server's process has ended, such as after a kill. */
  isRunning: () => Promise<boolean>;
  /** Stops the server, unless it has ended, and waits for it. */
  stop: () => Promise<void>;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Runs initdb with a locale of the system that knows letters beyond A to Z, and with C where the system has none. The
 * built-in locale decides case and order; text search and pg_trgm still ask the system's.
 */
async function initialiseWithLetters(
  account: ServerAccount,
  { initdb }: PostgresBinaries,
  args: readonly string[],
): Promise<void> {
  for (const name of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    try {
      await runAs(account, initdb, [...args, `--lc-ctype=${name}`]);
      return;
    } catch (error) {
      const isUnknown = name !== "C" && String(error).includes("invalid locale name");
      if (!isUnknown) throw error;
    }
  }
}

/**
 * Creates the data folder. It gets its name once it is whole, because initdb writes the version file first: a start that is
 * killed meanwhile must not leave half a folder behind that looks like one.
 */
async function initialise(
  target: string,
  password: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
): Promise<void> {
  const folder = `${target}.new-${randomUUID()}`;
  const passwordFile = `${folder}.password`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account.kind === "account") {
    await chown(folder, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  await chmod(folder, 0o700);
  try {
    await initialiseWithLetters(account, binaries, [
      `--pgdata=${folder}`,
      `--username=${ownerLogin}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      // A damaged page is an error to read rather than wrong data to serve.
      "--data-checksums",
      "--no-instructions",
    ]);
    await writeServerConfiguration(folder, account);
    await rename(folder, target).catch(async () => {
      // Another start was faster; its folder is used. One without a version file holds no data.
      if (await exists(join(target, "PG_VERSION"))) return;
      await rm(target, { recursive: true, force: true });
      await rename(folder, target);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

/**
 * The last lines PostgreSQL wrote: to the file of its start, and from the moment its collector runs to the newest file
 * in its `log` folder.
 */
async function lastLogLines(folder: string, startLog: string): Promise<string> {
  const names = await readdir(join(folder, "log")).catch((): string[] => []);
  const files = [startLog, ...names.map((name) => join(folder, "log", name))];
  const texts = await Promise.all(
    files.map(async (path) => ({
      text: await readFile(path, "utf8").catch(() => ""),
      changedMs: await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  return texts
    .toSorted((a, b) => a.changedMs - b.changedMs)
    .flatMap(({ text }) => text.trim().split("\n").slice(-3))
    .filter((line) => line !== "")
    .slice(-3)
    .join(" ");
}

/** A folder in the making that has not changed for this long belongs to a start that was killed. */
const abandonedMs = 10 * 60_000;

/** Removes folders that killed first starts were making. */
async function removeAbandoned(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(folder)}.new-`)) continue;
    const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs < abandonedMs) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Port of the server that runs over this folder, read from the file Postgres itself keeps. */
async function runningPort(folder: string): Promise<number | undefined> {
  const lines = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const port = Number(lines.split("\n")[3]);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

async function isRunning(folder: string, binaries: PostgresBinaries, account: ServerAccount) {
  return await runAs(account, binaries.pg_ctl, ["status", "-D", folder]).then(
    () => true,
    () => false,
  );
}

/**
 * Starts PostgreSQL over `folder`, and creates the folder when it is new. A server left running by a killed process is
 * reused: Postgres's own pid file names its port.
 * @param memory what a server that this call starts takes; from the memory of the machine unless given
 * @throws {BootError} with one sentence when the folder cannot be used.
 */
export async function startEmbeddedPostgres(
  folder: string,
  password: string,
  memory: ServerMemory = memoryFor(usableMemoryBytes()),
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  await mkdir(dirname(folder), { recursive: true }).catch((error: unknown) => {
    throw new BootError(`The data folder cannot be made: ${String(error)}`);
  });
  const account = await chooseServerAccount(folder, [binaries.postgres]);

  const isNew = !(await exists(join(folder, "PG_VERSION")));
  if (isNew) {
    await removeAbandoned(folder);
    await initialise(folder, password, binaries, account);
  }
  if (!(await isRunning(folder, binaries, account))) {
    await launch(folder, binaries, account, memory);
  }
  return { ...(await describe(folder, password, binaries, account)), isNew };
}

/** The connection string of the server that runs over `folder`, and how to stop it. */
async function describe(
  folder: string,
  password: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
): Promise<Omit<EmbeddedPostgres, "isNew">> {
  const port = await runningPort(folder);
  if (port === undefined) throw new BootError(`PostgreSQL over ${folder} does not say its port.`);
  return {
    url: `postgresql://${ownerLogin}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    isRunning: async () => await isRunning(folder, binaries, account),
    stop: async () => {
      if (!(await isRunning(folder, binaries, account))) return;
      const args = ["stop", "-D", folder, "-m", "fast", "-w", "-t", String(stopTimeoutS)];
      await runAs(account, binaries.pg_ctl, args);
    },
  };
}

/** True when a server runs over `folder` or did not stop cleanly. */
export async function isStarted(folder: string): Promise<boolean> {
  return await exists(join(folder, "postmaster.pid"));
}

/** The server that runs over `folder`, or undefined; never starts one. */
export async function findEmbeddedPostgres(
  folder: string,
  password: string,
): Promise<Omit<EmbeddedPostgres, "isNew"> | undefined> {
  if ((await runningPort(folder)) === undefined) return undefined;
  const binaries = await findBinaries();
  const account = await chooseServerAccount(folder, [binaries.postgres]);
  if (!(await isRunning(folder, binaries, account))) return undefined;
  return await describe(folder, password, binaries, account);
}

const mebibyte = 1024 * 1024;

/**
 * How much log a replication slot may keep, in MB: half of the free disk, between 1 and 64 GB. A running backup needs what is
 * written meanwhile; both kinds of slot here end with their connection, so nothing keeps it longer.
 */
export function slotLogLimitMb(freeBytes: number): number {
  return Math.min(Math.max(Math.floor(freeBytes / 2 / mebibyte), 1024), 64 * 1024);
}

/**
 * What keeps a server from starting for a while only. Of one that was killed, a process ends only after the statement it runs,
 * and its pid is taken until its parent has seen its end; a free port may be taken by the time that the server binds it.
 */
const passingPatterns = [
  /pre-existing shared memory block .* still in use/,
  /lock file "postmaster\.pid" already exists/,
  /could not create any TCP\/IP sockets/,
];
const longestPassingMs = 60_000;
const passingPollMs = 500;

/** The server's settings as arguments of `postgres`, with a port that is free now. */
async function serverSettings(folder: string, memory: ServerMemory): Promise<string> {
  const disk = await statfs(folder);
  return [
    `-p ${await freePort()}`,
    "-c listen_addresses=127.0.0.1",
    "-c unix_socket_directories=''",
    "-c wal_level=logical",
    "-c max_wal_senders=10",
    "-c max_replication_slots=10",
    ...Object.entries(memorySettings(memory)).map(([name, value]) => `-c ${name}=${value}`),
    "-c timezone=UTC",
    "-c log_timezone=UTC",
    // Unread replication slots must not fill the disk.
    `-c max_slot_wal_keep_size=${slotLogLimitMb(disk.bavail * disk.bsize)}MB`,
    // One file per weekday, overwritten after a week. Failed statements are not logged here: the host logs errors, and
    // statements may contain personal data.
    "-c logging_collector=on",
    "-c log_filename=postgresql-%a.log",
    "-c log_rotation_age=1d",
    "-c log_rotation_size=0",
    "-c log_truncate_on_rotation=on",
    "-c log_min_messages=log",
    "-c log_min_error_statement=panic",
    "-c log_checkpoints=off",
  ].join(" ");
}

async function launch(
  folder: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
  memory: ServerMemory,
) {
  const log = `${folder}.log`;
  const deadline = performance.now() + longestPassingMs;
  for (;;) {
    const settings = await serverSettings(folder, memory);
    const args = ["start", "-D", folder, "-l", log, "-o", settings, "-w", "-t", "60"];
    await rm(log, { force: true });
    try {
      await writeFile(log, "", { mode: 0o600 });
      if (account.kind === "account") await chown(log, account.uid, account.gid);
      await runAs(account, binaries.pg_ctl, args);
      return;
    } catch (error) {
      // A concurrent start was faster; its server can be used.
      if (await isRunning(folder, binaries, account)) return;
      const lines = await lastLogLines(folder, log);
      const words = `PostgreSQL did not start over ${folder}: ${lines || String(error)}`;
      if (!passingPatterns.some((each) => each.test(lines))) throw new BootError(words);
      if (performance.now() > deadline) throw new RetryableBootError(words);
      await sleep(passingPollMs);
    }
  }
}
