// Packs messages of `pgoutput` into entries that can be read from any of them on.

import { LRUCache } from "lru-cache";
import {
  visibilityOf,
  type ChangeDecision,
  type TableMetadataRow,
} from "../postgres-changes/change-decision.ts";
import { PgoutputDecoder, type WalItem, type WalPlace } from "../postgres-changes/pgoutput.ts";
import type { EntryDecisions } from "./recipient-decider.ts";

/** Limits of an entry. A single larger item is an entry of its own. */
const maxItems = 200;
const maxBytes = 512 * 1024;
const lengthBytes = 4;
const maxKnownTables = 100;

const beginTag = 0x42;
const relationTag = 0x52;

/** Messages packed so far, and where they end. */
export interface PackedEntry {
  messages: readonly Buffer[];
  bytes: number;
  items: readonly WalItem[];
  place: WalPlace;
  position: bigint;
}

type OpenEntry = PackedEntry & {
  messages: Buffer[];
  items: WalItem[];
  begin: Buffer | undefined;
  relations: Map<number, Buffer>;
};

/** Collects the decoder's messages. Each entry repeats the begin of its transactions and the relations of its rows. */
export class EntryQueue {
  readonly #relations = new Map<number, Buffer>();
  #begin: Buffer | undefined;
  readonly #entries: OpenEntry[] = [];
  #bytes = 0;

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** True when the next entry takes nothing more. */
  get hasFullEntry(): boolean {
    return this.#entries.length > 1;
  }

  /** Keeps what later items refer to. Called for every message, also of items that are left out. */
  remember(raw: Buffer): void {
    if (raw[0] === beginTag) this.#begin = Buffer.from(raw);
    else if (raw[0] === relationTag) this.#relations.set(raw.readUInt32BE(1), Buffer.from(raw));
  }

  add(raw: Buffer, item: WalItem, position: bigint): void {
    let entry = this.#entries.at(-1);
    if (!entry || entry.items.length >= maxItems || entry.bytes + raw.length > maxBytes) {
      entry = {
        messages: [],
        bytes: 0,
        items: [],
        place: item.place,
        position,
        begin: undefined,
        relations: new Map(),
      };
      this.#entries.push(entry);
    }
    if (item.kind === "change") {
      const { oid } = item.change.relation;
      const relation = this.#relations.get(oid);
      if (relation && entry.relations.get(oid) !== relation) {
        entry.relations.set(oid, relation);
        this.#push(entry, relation);
      }
    }
    if (this.#begin && entry.begin !== this.#begin) {
      entry.begin = this.#begin;
      this.#push(entry, this.#begin);
    }
    this.#push(entry, Buffer.from(raw));
    entry.items.push(item);
    entry.place = item.place;
    entry.position = position;
  }

  take(): PackedEntry | undefined {
    const entry = this.#entries.shift();
    this.#bytes -= entry?.bytes ?? 0;
    return entry;
  }

  #push(entry: OpenEntry, message: Buffer): void {
    entry.messages.push(message);
    entry.bytes += message.length;
    this.#bytes += message.length;
  }
}

/** An entry's messages, after what was decided about them. */
export function encodeEntry(
  messages: readonly Buffer[],
  decisions: EntryDecisions | undefined,
): Buffer {
  const head = Buffer.from(decisions === undefined ? "" : JSON.stringify(decisions));
  return joinMessages([head, ...messages]);
}

/** Reads entries one after the other. */
export class EntryReader {
  readonly #decoder = new PgoutputDecoder();
  readonly #host: string;
  /** Parsed metadata by its text: one object as long as it does not change. */
  readonly #metadata = new LRUCache<string, TableMetadataRow>({ max: maxKnownTables });

  /** @param host that the decisions have to know */
  constructor(host: string) {
    this.#host = host;
  }

  /** The items of `encodeEntry`, each with its size. Its changes carry what was decided with what this host had announced. */
  read(bytes: Buffer): { item: WalItem; bytes: number }[] {
    const [head, ...messages] = splitMessages(bytes);
    const decisions =
      head === undefined || head.length === 0
        ? undefined
        : (JSON.parse(head.toString()) as EntryDecisions);
    let at = 0;
    return messages.flatMap((message) => {
      const item = this.#decoder.decode(message);
      if (item === undefined) return [];
      if (item.kind === "change" && decisions) {
        const decision = this.#decisionOf(decisions, at++);
        if (decision) item.change.decision = decision;
      }
      return [{ item, bytes: message.length }];
    });
  }

  #decisionOf(decisions: EntryDecisions, at: number): ChangeDecision | undefined {
    const version = decisions.versions[this.#host];
    const decided = decisions.changes[at];
    const table = decided && decisions.tables[decided[0]];
    if (!decided || !table || version === undefined) return undefined;
    const known = this.#metadata.get(table.metadata);
    const metadata = known ?? (JSON.parse(table.metadata) as TableMetadataRow);
    if (known === undefined) this.#metadata.set(table.metadata, metadata);
    const isVisible = visibilityOf(decided[1]);
    return { at: decisions.at, version, metadata, roles: table.roles, isVisible };
  }
}

/** Each message after its length. */
function joinMessages(messages: readonly Buffer[]): Buffer {
  const parts = messages.flatMap((message) => {
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(message.length);
    return [length, message];
  });
  return Buffer.concat(parts);
}

/** The messages of `joinMessages`. */
function splitMessages(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    at += lengthBytes;
    messages.push(bytes.subarray(at, at + length));
    at += length;
  }
  return messages;
}
