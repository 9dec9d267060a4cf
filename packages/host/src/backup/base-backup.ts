// Client of PostgreSQL's BASE_BACKUP command, which also finds out up to what time the copy is complete.

import { randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Types of the messages of a base backup, by their first byte. */
const newArchiveTag = 0x6e;
const dataTag = 0x64;

/** How often the position of the log is noted while a backup runs; the end mark is at most this early. */
const sampleIntervalMs = 200;

/** The parts of the driver's connection that its types leave out. */
interface CopyConnection extends EventEmitter {
  stream: Socket;
}

/** A base backup of a running server. */
export interface BaseBackup {
  /** The data folder as a tar archive, with the part of the write-ahead log that it needs. */
  tar: Readable;
  /**
   * Resolves after the last byte with the end mark: whatever was acknowledged before it is in the backup.
   * Rejects when the server failed.
   */
  endMark: Promise<Date>;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Notes what the log had reached at which time, until it is stopped. */
async function sampleLog(url: string): Promise<{ endMarkAt: (lsn: string) => Promise<Date> }> {
  const client = new pg.Client({ connectionString: url, application_name: "host-backup-mark" });
  client.on("error", () => undefined);
  await client.connect();
  const samples: { at: number; lsn: string }[] = [];
  const stopping = new AbortController();
  const sample = async () => {
    // The time is taken first: what was acknowledged before it lies before the position.
    const at = Date.now();
    const { rows } = await client.query<{ lsn: string }>(
      "select pg_current_wal_insert_lsn()::text as lsn",
    );
    samples.push({ at, lsn: rows[0]?.lsn ?? "0/0" });
  };
  await sample();
  const running = (async () => {
    for (;;) {
      await sleep(sampleIntervalMs, undefined, { signal: stopping.signal });
      await sample();
    }
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  running.catch(() => undefined);
  return {
    endMarkAt: async (lsn) => {
      stopping.abort();
      try {
        await running;
        const { rows } = await client.query<{ at: number }>(
          `select max(at)::float8 as at from unnest($1::float8[], $2::pg_lsn[]) as sample (at, lsn)
            where lsn <= $3::pg_lsn`,
          [samples.map(({ at }) => at), samples.map((one) => one.lsn), lsn],
        );
        return new Date(rows[0]?.at ?? 0);
      } finally {
        await client.end();
      }
    },
  };
}

/**
 * Streams a base backup, as `pg_basebackup` would: PostgreSQL itself decides what belongs to it, checks every page and adds
 * the log that makes the copy consistent. The server goes on serving.
 * @param url connection string of a login that may replicate
 * @throws when the server refuses, such as for a missing privilege
 */
export async function openBaseBackup(url: string, signal: AbortSignal): Promise<BaseBackup> {
  signal.throwIfAborted();
  const config = { connectionString: url, application_name: "host-backup", replication: "true" };
  const client = new pg.Client(config);
  const { connection } = client as unknown as { connection: CopyConnection };
  client.on("error", () => undefined);
  await client.connect();
  const samples = await sampleLog(url).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  const tar = new Readable({
    read: () => void connection.stream.resume(),
    destroy: (error, done) => {
      connection.stream.destroy();
      done(error);
    },
  });
  const abort = () => void tar.destroy(toError(signal.reason));
  signal.addEventListener("abort", abort, { once: true });
  let archives = 0;
  connection.on("copyData", ({ chunk }: { chunk: Buffer }) => {
    if (chunk[0] === newArchiveTag) archives += 1;
    if (archives > 1) {
      tar.destroy(new Error("The database has tablespaces, which a backup does not hold."));
    }
    // The driver reuses its buffer.
    if (chunk[0] === dataTag && !tar.push(Buffer.from(chunk.subarray(1))))
      connection.stream.pause();
  });
  const run = async (): Promise<Date> => {
    let end = "0/0";
    try {
      // Keeps the log from the start of the backup on; it ends with the connection.
      const slot = `host_backup_${randomBytes(8).toString("hex")}`;
      await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`);
      const results = (await client.query(
        "BASE_BACKUP (LABEL 'host', CHECKPOINT 'fast', WAL true, MANIFEST 'no')",
      )) as unknown as { rows: { recptr?: string }[] }[];
      end = results.flatMap(({ rows }) => rows).findLast((row) => row.recptr)?.recptr ?? end;
    } catch (error) {
      await samples.endMarkAt(end).catch(() => undefined);
      throw error;
    } finally {
      connection.stream.resume();
      await client.end().catch(() => undefined);
      signal.removeEventListener("abort", abort);
    }
    return await samples.endMarkAt(end);
  };
  const endMark = run();
  endMark.then(
    () => tar.push(null),
    (error: unknown) => tar.destroy(toError(error)),
  );
  return { tar, endMark };
}
