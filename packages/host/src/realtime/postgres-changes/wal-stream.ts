// Logical replication client that streams committed changes over a temporary slot.

import { randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import pg from "pg";
import { PgoutputDecoder, type WalItem } from "./pgoutput.ts";

const statusIntervalMs = 10_000;
const xlogDataTag = 0x77;
const keepaliveTag = 0x6b;
const statusUpdateTag = 0x72;
const postgresEpochUs = 946_684_800_000_000n;

/** Publications the stream reads: the tables of the project, and broadcasts from the database. */
const publications = "supabase_realtime,supabase_realtime_messages_publication";

/** The parts of the driver's connection that its types leave out. */
interface ReplicationConnection extends EventEmitter {
  stream: Socket;
  sendCopyFromChunk: (chunk: Buffer) => void;
}

/** Callbacks of a stream. */
export interface WalStreamListener {
  /** @param bytes size of the item in the log */
  onItem: (item: WalItem, bytes: number) => void;
  /** Called once when the stream ends by itself. Later changes are lost. */
  onLost: (reason: Error) => void;
}

/** A running stream of committed changes. */
export interface WalStream {
  /** Stops reading, so that a slow consumer holds up Postgres instead of filling the memory. */
  pause: () => void;
  resume: () => void;
  close: () => Promise<void>;
}

function statusUpdate(position: bigint): Buffer {
  const update = Buffer.alloc(34);
  update.writeUInt8(statusUpdateTag, 0);
  for (const at of [1, 9, 17]) update.writeBigUInt64BE(position, at);
  update.writeBigInt64BE(BigInt(Date.now()) * 1000n - postgresEpochUs, 25);
  return update;
}

/**
 * Follows the write-ahead log from now on, over a temporary slot. Postgres drops the slot with the connection,
 * so it never keeps old log files on disk.
 * @throws when the server refuses, for example because of `wal_level` or a missing privilege
 */
export async function openWalStream(url: string, listener: WalStreamListener): Promise<WalStream> {
  const config = {
    connectionString: url,
    application_name: "host-realtime",
    replication: "database",
    // Session settings that fix the text format of values.
    options:
      "-c datestyle=ISO -c timezone=UTC -c intervalstyle=postgres -c extra_float_digits=1 -c wal_sender_timeout=60000",
    keepAlive: true,
  };
  const client = new pg.Client(config);
  const { connection } = client as unknown as { connection: ReplicationConnection };
  const decoder = new PgoutputDecoder();
  let position = 0n;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const acknowledge = () => connection.sendCopyFromChunk(statusUpdate(position));
  const end = (reason: Error) => {
    clearInterval(timer);
    if (closed) return;
    closed = true;
    client.end().catch(() => undefined);
    listener.onLost(reason);
  };
  const read = (chunk: Buffer) => {
    const upTo = chunk.readBigUInt64BE(1);
    if (upTo > position) position = upTo;
    if (chunk[0] === keepaliveTag) {
      if (chunk[17] === 1) acknowledge();
    } else if (chunk[0] === xlogDataTag) {
      const item = decoder.decode(chunk.subarray(25));
      if (item !== undefined) listener.onItem(item, chunk.length);
    }
  };

  await client.connect();
  client.on("error", end);
  client.on("end", () => end(new Error("The replication connection ended.")));
  const slot = `host_realtime_${randomBytes(8).toString("hex")}`;
  try {
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput`);
    const started = new Promise<void>((resolve) => {
      connection.once("replicationStart", () => resolve());
    });
    connection.on("copyData", ({ chunk }: { chunk: Buffer }) => {
      try {
        read(chunk);
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    });
    // This query resolves when the stream ends.
    const running = client
      .query(
        `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names '${publications}', messages 'true')`,
      )
      .then(() => new Error("The replication stream ended."));
    await Promise.race([
      started,
      running.then((reason) => {
        throw reason;
      }),
    ]);
    running.then(end, end);
  } catch (error) {
    closed = true;
    await client.end().catch(() => undefined);
    throw error;
  }
  timer = setInterval(acknowledge, statusIntervalMs);
  timer.unref();
  return {
    pause: () => connection.stream.pause(),
    resume: () => connection.stream.resume(),
    close: async () => {
      closed = true;
      clearInterval(timer);
      connection.stream.resume();
      await client.end().catch(() => undefined);
    },
  };
}
