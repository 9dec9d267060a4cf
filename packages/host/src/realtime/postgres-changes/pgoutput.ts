// Turns the messages of logical replication (`pgoutput`) into row changes and logical messages.

import type { ChangeDecision } from "./change-decision.ts";

/** One column as the write-ahead log describes it. */
interface RelationColumn {
  name: string;
  /** True for columns of the replica identity. */
  isIdentity: boolean;
}

/** A table as the write-ahead log describes it. After a change of the table it is another object. */
export interface WalRelation {
  oid: number;
  schema: string;
  table: string;
  columns: readonly RelationColumn[];
}

/** Values by position in text format; undefined is an unchanged TOAST value. */
export type Tuple = readonly (string | null | undefined)[];

/** One row of a committed transaction. */
export interface WalRowChange {
  type: "INSERT" | "UPDATE" | "DELETE";
  relation: WalRelation;
  /** When the transaction was committed, in milliseconds since the epoch. */
  committedAt: number;
  /** Id of the transaction, 32 bits. */
  transaction: number;
  record: Tuple | undefined;
  /** The old row: all columns with a full replica identity, else the changed key, else undefined. */
  old: Tuple | undefined;
  /** Who may see the row, where another host has found out. */
  decision?: ChangeDecision;
}

/** Where an item stands in the log: the commit of its transaction, and its number in it. The same for every reader. */
export interface WalPlace {
  readonly lsn: bigint;
  readonly index: number;
}

/** A decoded item of the log: a row change or a transactional logical message. */
export type WalItem = { place: WalPlace } & (
  { kind: "change"; change: WalRowChange } | { kind: "message"; prefix: string; content: Buffer }
);

const transactionalFlag = 1;

const postgresEpochMs = 946_684_800_000;

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): string {
    return String.fromCharCode(this.#bytes.readUInt8(this.#at++));
  }

  int16(): number {
    return this.#bytes.readInt16BE((this.#at += 2) - 2);
  }

  uint32(): number {
    return this.#bytes.readUInt32BE((this.#at += 4) - 4);
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE((this.#at += 8) - 8);
  }

  name(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return text;
  }

  bytes(length: number): Buffer {
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }

  tuple(): Tuple {
    return Array.from({ length: this.int16() }, () => {
      const kind = this.byte();
      if (kind === "n") return null;
      if (kind === "u") return undefined;
      return this.bytes(this.uint32()).toString("utf8");
    });
  }
}

/** Decodes `pgoutput`, Postgres' logical decoding output, protocol version 1, in text format. */
export class PgoutputDecoder {
  readonly #relations = new Map<number, { text: Buffer; relation: WalRelation }>();
  #commitLsn = 0n;
  #items = 0;
  #committedAt = 0;
  #transaction = 0;

  decode(bytes: Buffer): WalItem | undefined {
    const reader = new Reader(bytes);
    const kind = reader.byte();
    switch (kind) {
      case "B":
        this.#commitLsn = reader.int64();
        this.#items = 0;
        this.#committedAt = Number(reader.int64() / 1000n) + postgresEpochMs;
        this.#transaction = reader.uint32();
        return undefined;
      case "R":
        this.#readRelation(bytes, reader);
        return undefined;
      case "I":
      case "U":
      case "D":
        return this.#readChange(kind, reader);
      case "M": {
        const isTransactional = reader.byte().charCodeAt(0) === transactionalFlag;
        reader.int64();
        const prefix = reader.name();
        if (!isTransactional) return undefined;
        // A copy: the driver reuses the memory of what it has read.
        const content = Buffer.from(reader.bytes(reader.uint32()));
        return { place: this.#nextPlace(), kind: "message", prefix, content };
      }
      default:
        return undefined;
    }
  }

  #nextPlace(): WalPlace {
    return { lsn: this.#commitLsn, index: this.#items++ };
  }

  #readRelation(bytes: Buffer, reader: Reader): void {
    const oid = reader.uint32();
    // Said again without a change: it stays the same object.
    if (this.#relations.get(oid)?.text.equals(bytes) === true) return;
    const schema = reader.name() || "pg_catalog";
    const table = reader.name();
    reader.byte();
    const columns = Array.from({ length: reader.int16() }, () => {
      const isIdentity = (reader.byte().charCodeAt(0) & 1) === 1;
      const name = reader.name();
      // Skips type and type modifier, which are read from the system catalog.
      reader.bytes(8);
      return { name, isIdentity };
    });
    const relation = { oid, schema, table, columns };
    this.#relations.set(oid, { text: Buffer.from(bytes), relation });
  }

  #readChange(kind: "I" | "U" | "D", reader: Reader): WalItem | undefined {
    const relation = this.#relations.get(reader.uint32())?.relation;
    if (relation === undefined) return undefined;
    const committedAt = this.#committedAt;
    const transaction = this.#transaction;
    let record: Tuple | undefined;
    let old: Tuple | undefined;
    const mark = reader.byte();
    if (mark === "N") record = reader.tuple();
    else old = reader.tuple();
    // A key tuple has null for all other columns, which must not be read as a value.
    if (mark === "K")
      old = old?.map((value, at) => (relation.columns[at]?.isIdentity ? value : undefined));
    if (kind === "U" && record === undefined) {
      reader.byte();
      record = reader.tuple();
    }
    const type = ({ I: "INSERT", U: "UPDATE", D: "DELETE" } as const)[kind];
    const place = this.#nextPlace();
    return {
      place,
      kind: "change",
      change: { type, relation, committedAt, transaction, record, old },
    };
  }
}
