// The presences of one topic, and their JSON in `presence_state` and `presence_diff` messages.

/** The payload one channel tracks under its key, with the reference of this version. */
export interface PresenceMeta {
  ref: string;
  /** JSON object. */
  json: string;
}

/** Joins and leaves by key, as `presence_diff` carries them. */
export interface PresenceDiff {
  joins: ReadonlyMap<string, readonly PresenceMeta[]>;
  leaves: ReadonlyMap<string, readonly PresenceMeta[]>;
}

function metaJson(meta: PresenceMeta): string {
  const rest = meta.json === "{}" ? "" : `${meta.json.slice(1, -1)},`;
  // Last, so that it wins over a field of the same name in the payload.
  return `{${rest}"phx_ref":${JSON.stringify(meta.ref)}}`;
}

function entriesJson(entries: ReadonlyMap<string, readonly PresenceMeta[]>): string {
  const parts = [...entries].map(
    ([key, metas]) => `${JSON.stringify(key)}:{"metas":[${metas.map(metaJson).join(",")}]}`,
  );
  return `{${parts.join(",")}}`;
}

export function diffJson(diff: PresenceDiff): string {
  return `{"joins":${entriesJson(diff.joins)},"leaves":${entriesJson(diff.leaves)}}`;
}

/** Approximate overhead of an entry. */
const entryOverheadBytes = 128;

/** Bytes one entry is counted as. */
export function presenceSize(key: string, json: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(json) + entryOverheadBytes;
}

/** The presences of one topic. A `trackerId` identifies the tracking channel, here or on another host. */
export class PresenceState {
  readonly #metas = new Map<string, { key: string; meta: PresenceMeta; bytes: number }>();
  /** Cached JSON, sent at every join. */
  #json: string | undefined;
  #bytes = 0;

  get size(): number {
    return this.#metas.size;
  }

  /** Bytes counted for all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes counted for the entry; 0 when there is none. */
  bytesOf(trackerId: string): number {
    return this.#metas.get(trackerId)?.bytes ?? 0;
  }

  get isEmpty(): boolean {
    return this.#metas.size === 0;
  }

  /** Undefined when nothing changes. */
  track(trackerId: string, key: string, meta: PresenceMeta): PresenceDiff | undefined {
    const before = this.#metas.get(trackerId);
    if (before?.key === key && before.meta.json === meta.json) return undefined;
    const bytes = presenceSize(key, meta.json);
    this.#bytes += bytes - (before?.bytes ?? 0);
    this.#json = undefined;
    this.#metas.set(trackerId, { key, meta, bytes });
    return {
      joins: new Map([[key, [meta]]]),
      leaves: before ? new Map([[before.key, [before.meta]]]) : new Map(),
    };
  }

  untrack(trackerId: string): PresenceDiff | undefined {
    const before = this.#metas.get(trackerId);
    if (before === undefined) return undefined;
    this.#metas.delete(trackerId);
    this.#bytes -= before.bytes;
    this.#json = undefined;
    return { joins: new Map(), leaves: new Map([[before.key, [before.meta]]]) };
  }

  toJson(): string {
    return (this.#json ??= this.#buildJson());
  }

  #buildJson(): string {
    const byKey = Map.groupBy(this.#metas.values(), ({ key }) => key);
    return entriesJson(
      new Map([...byKey].map(([key, entries]) => [key, entries.map(({ meta }) => meta)])),
    );
  }

  entries(): { trackerId: string; key: string; meta: PresenceMeta }[] {
    return [...this.#metas].map(([trackerId, { key, meta }]) => ({ trackerId, key, meta }));
  }
}
