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

/** Who is present on one topic. A holder names whoever tracks: a channel here, or one on another host. */
export class PresenceState {
  readonly #metas = new Map<string, { key: string; meta: Meta }>();

  get isEmpty(): boolean {
    return this.#metas.size === 0;
  }

  /** Undefined when nothing changes. */
  track(holder: string, key: string, meta: Meta): PresenceDiff | undefined {
    const before = this.#metas.get(holder);
    if (before?.key === key && before.meta.json === meta.json) return undefined;
    this.#metas.set(holder, { key, meta });
    return {
      joins: new Map([[key, [meta]]]),
      leaves: before ? new Map([[before.key, [before.meta]]]) : new Map(),
    };
  }

  untrack(holder: string): PresenceDiff | undefined {
    const before = this.#metas.get(holder);
    if (before === undefined) return undefined;
    this.#metas.delete(holder);
    return { joins: new Map(), leaves: new Map([[before.key, [before.meta]]]) };
  }

  toJson(): string {
    const byKey = new Map<string, Meta[]>();
    for (const { key, meta } of this.#metas.values()) {
      byKey.set(key, [...(byKey.get(key) ?? []), meta]);
    }
    return entriesJson(byKey);
  }

  entries(): { holder: string; key: string; meta: Meta }[] {
    return [...this.#metas].map(([holder, { key, meta }]) => ({ holder, key, meta }));
  }
}
