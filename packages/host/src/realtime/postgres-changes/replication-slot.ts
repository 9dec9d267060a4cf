// A temporary replication slot on a connection of its own: tracks the log for a while, then streams it.

import { randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import pg from "pg";
import { PgoutputDecoder, type WalItem } from "./pgoutput.ts";

const statusIntervalMs = 10_000;
/**
 * A sender that left so many status updates in a row unanswered is gone or stopped: as long as Postgres waits for one of ours. Counted, because
 * a host that stood still has read nothing for longer.
 */
const mostUnanswered = 6;
const xlogDataTag = 0x77;
const keepaliveTag = 0x6b;
const statusUpdateTag = 0x72;
const xlogHeaderBytes = 25;
const postgresEpochUs = 946_684_800_000_000n;

/** Name of every slot of a host begins with it. */
export const slotPrefix = "host_realtime_";

/** Publications the stream reads: the tables of the project, and broadcasts from the database. */
const publications = "supabase_realtime,supabase_realtime_messages_publication";

/** The parts of the driver's connection that its types leave out. */
interface ReplicationConnection extends EventEmitter {
  stream: Socket;
  sendCopyFromChunk: (chunk: Buffer) => void;
}

/** Callbacks of a stream. */
export interface SlotListener {
  /**
   * A message of `pgoutput`, and the item it carries, if any.
   * @param raw valid during the call only
   * @param position of the log: everything before it was received
   */
  onMessage: (raw: Buffer, item: WalItem | undefined, position: bigint) => void;
  /** The log went on without a change of a published table. */
  onIdle?: (position: bigint) => void;
  /** What Postgres may forget; by default everything that was received. */
  processed?: () => bigint;
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

/** @param wantsAnswer asks Postgres to say something, so that a silent connection is noticed */
function statusUpdate(position: bigint, wantsAnswer: boolean): Buffer {
  const update = Buffer.alloc(34);
  update.writeUInt8(statusUpdateTag, 0);
  for (const at of [1, 9, 17]) update.writeBigUInt64BE(position, at);
  update.writeBigInt64BE(BigInt(Date.now()) * 1000n - postgresEpochUs, 25);
  update.writeUInt8(wantsAnswer ? 1 : 0, 33);
  return update;
}

/** A position as Postgres writes it, such as `0/16B3748`. */
export function lsnText(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

function parseLsn(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** A temporary slot. Postgres drops it with its connection, so none outlives a host and keeps old log files on disk. */
export class ReplicationSlot {
  readonly #client: pg.Client;
  readonly #name: string;
  /** The server and its timeline: positions of another one can't be compared. */
  readonly source: string;
  #confirmed: bigint;
  #isClosed = false;
  #onEnd: (reason: Error) => void = () => undefined;

  private constructor(client: pg.Client, name: string, source: string, confirmed: bigint) {
    this.#client = client;
    this.#name = name;
    this.source = source;
    this.#confirmed = confirmed;
    client.on("error", (error) => this.#end(error));
    client.on("end", () => this.#end(new Error("The replication connection ended.")));
  }

  /**
   * Creates a slot that keeps the log from now on.
   * @throws when the server refuses, for example because of `wal_level` or a missing privilege
   */
  static async create(url: string): Promise<ReplicationSlot> {
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
    client.on("error", () => undefined);
    await client.connect();
    try {
      const { rows: systems } = await client.query<{ systemid: string; timeline: number }>(
        "IDENTIFY_SYSTEM",
      );
      const name = slotPrefix + randomBytes(8).toString("hex");
      const { rows } = await client.query<{ consistent_point: string }>(
        `CREATE_REPLICATION_SLOT ${name} TEMPORARY LOGICAL pgoutput`,
      );
      const source = `${systems[0]?.systemid}/${systems[0]?.timeline}`;
      return new ReplicationSlot(client, name, source, parseLsn(rows[0]?.consistent_point ?? ""));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Every transaction that was committed after this position is streamed. */
  get confirmed(): bigint {
    return this.#confirmed;
  }

  /** True when the connection was lost. */
  get isLost(): boolean {
    return this.#isClosed;
  }

  /** Lets Postgres forget the log up to a position, without reading it. */
  async advance(position: bigint): Promise<void> {
    if (position <= this.#confirmed) return;
    const { rows } = await this.#client.query<{ at: string }>(
      `select end_lsn as at from pg_replication_slot_advance('${this.#name}',
         least('${lsnText(position)}'::pg_lsn, pg_current_wal_flush_lsn()))`,
    );
    this.#confirmed = parseLsn(rows[0]?.at ?? "0/0");
  }

  /**
   * Streams the log from the confirmed position on.
   * @throws when the server refuses
   */
  async stream(listener: SlotListener): Promise<WalStream> {
    const { connection } = this.#client as unknown as { connection: ReplicationConnection };
    const decoder = new PgoutputDecoder();
    let position = 0n;
    let [unanswered, isPaused] = [0, false];
    const acknowledge = (wantsAnswer: boolean) =>
      connection.sendCopyFromChunk(statusUpdate(listener.processed?.() ?? position, wantsAnswer));
    const askForLife = () => {
      if (unanswered >= mostUnanswered && !isPaused) {
        this.#end(new Error("PostgreSQL sends nothing any more."));
        // Neither side may hear of an end that is only sent.
        connection.stream.destroy();
        return;
      }
      unanswered += 1;
      acknowledge(true);
    };
    const read = (chunk: Buffer) => {
      unanswered = 0;
      const upTo = chunk.readBigUInt64BE(1);
      if (upTo > position) position = upTo;
      if (chunk[0] === keepaliveTag) {
        listener.onIdle?.(position);
        if (chunk[17] === 1) acknowledge(false);
      } else if (chunk[0] === xlogDataTag) {
        const raw = chunk.subarray(xlogHeaderBytes);
        listener.onMessage(raw, decoder.decode(raw), position);
      }
    };
    let timer: NodeJS.Timeout | undefined;
    this.#onEnd = (reason) => {
      clearInterval(timer);
      listener.onLost(reason);
    };
    try {
      const started = new Promise<void>((resolve) => {
        connection.once("replicationStart", () => resolve());
      });
      connection.on("copyData", ({ chunk }: { chunk: Buffer }) => {
        try {
          if (!this.#isClosed) read(chunk);
        } catch (error) {
          this.#end(error instanceof Error ? error : new Error(String(error)));
        }
      });
      // This query resolves when the stream ends.
      const running = this.#client
        .query(
          `START_REPLICATION SLOT ${this.#name} LOGICAL 0/0 (proto_version '1', publication_names '${publications}', messages 'true')`,
        )
        .then(() => new Error("The replication stream ended."));
      await Promise.race([
        started,
        running.then((reason) => {
          throw reason;
        }),
      ]);
      running.then(
        (reason) => this.#end(reason),
        (reason: Error) => this.#end(reason),
      );
    } catch (error) {
      this.#onEnd = () => undefined;
      await this.close();
      throw error;
    }
    timer = setInterval(askForLife, statusIntervalMs);
    timer.unref();
    return {
      pause: () => {
        isPaused = true;
        connection.stream.pause();
      },
      resume: () => {
        isPaused = false;
        unanswered = 0;
        connection.stream.resume();
      },
      close: async () => {
        clearInterval(timer);
        connection.stream.resume();
        await this.close();
      },
    };
  }

  /** Ends the connection, and with it the slot. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.end().catch(() => undefined);
  }

  #end(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#client.end().catch(() => undefined);
    this.#onEnd(reason);
  }
}
