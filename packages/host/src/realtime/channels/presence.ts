/** What one channel tracks under its key: JSON the client gave, and the reference that names this version. */
export interface Meta {
  ref: string;
  /** JSON object. */
  json: string;
}

/** Joins and leaves by key, as `presence_diff` carries them. */
export interface PresenceDiff {
  joins: ReadonlyMap<string, readonly Meta[]>;
  leaves: ReadonlyMap<string, readonly Meta[]>;
}

function metaJson(meta: Meta): string {
  const rest = meta.json === "{}" ? "" : `${meta.json.slice(1, -1)},`;
  // Last, so that it holds whatever the client has put under the same name.
  return `{${rest}"phx_ref":${JSON.stringify(meta.ref)}}`;
}

function entriesJson(entries: ReadonlyMap<string, readonly Meta[]>): string {
  const parts = [...entries].map(
    ([key, metas]) => `${JSON.stringify(key)}:{"metas":[${metas.map(metaJson).join(",")}]}`,
  );
  return `{${parts.join(",")}}`;
}

export function diffJson(diff: PresenceDiff): string {
  return `{"joins":${entriesJson(diff.joins)},"leaves":${entriesJson(diff.leaves)}}`;
}

/** What one entry takes besides its key and payload, roughly. */
const ENTRY_BYTES = 128;

/** Bytes one entry is counted as. */
export function presenceSize(key: string, json: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(json) + ENTRY_BYTES;
}

/** Who is present on one topic. A holder names whoever tracks: a channel here, or one on another host. */
export class PresenceState {
  readonly #metas = new Map<string, { key: string; meta: Meta; bytes: number }>();
  /** As it was last asked for; everybody who joins is told it. */
  #json: string | undefined;
  #bytes = 0;

  get size(): number {
    return this.#metas.size;
  }

  /** What all entries are counted as together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What the holder's entry is counted as; 0 when there is none. */
  bytesOf(holder: string): number {
    return this.#metas.get(holder)?.bytes ?? 0;
  }

  get isEmpty(): boolean {
    return this.#metas.size === 0;
  }

  /** Undefined when nothing changes. */
  track(holder: string, key: string, meta: Meta): PresenceDiff | undefined {
    const before = this.#metas.get(holder);
    if (before?.key === key && before.meta.json === meta.json) return undefined;
    const bytes = presenceSize(key, meta.json);
    this.#bytes += bytes - (before?.bytes ?? 0);
    this.#json = undefined;
    this.#metas.set(holder, { key, meta, bytes });
    return {
      joins: new Map([[key, [meta]]]),
      leaves: before ? new Map([[before.key, [before.meta]]]) : new Map(),
    };
  }

  untrack(holder: string): PresenceDiff | undefined {
    const before = this.#metas.get(holder);
    if (before === undefined) return undefined;
    this.#metas.delete(holder);
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

  entries(): { holder: string; key: string; meta: Meta }[] {
    return [...this.#metas].map(([holder, { key, meta }]) => ({ holder, key, meta }));
  }
}
