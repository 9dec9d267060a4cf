import { encodeFrame, type Frame } from "../frames.ts";
import type { TableFacts } from "./describe-table.ts";
import type { RowChange } from "./pgoutput.ts";
import type { RenderedChange, RenderedRow } from "./render.ts";
import type { Subscriber, Subscription } from "./subscriptions.ts";

const LARGEST_RECORD_BYTES = 1024 * 1024;
/** What is still told of a row that is too large: values of up to this many bytes. */
const SMALL_VALUE_BYTES = 64;

/** One change and everything that is known about it. */
export interface SettledChange {
  change: RowChange;
  facts: TableFacts;
  rendered: RenderedChange;
  /** Who is to be told; row-level security and filters have been asked. */
  told: readonly Subscription[];
}

function objectJson(row: RenderedRow, keep: (name: string, json: string) => boolean): string {
  const parts: string[] = [];
  for (const [name, json] of row) {
    if (keep(name, json)) parts.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${parts.join(",")}}`;
}

function sizeOf(rendered: RenderedChange): number {
  let size = 0;
  for (const row of [rendered.record, rendered.old]) {
    for (const json of row?.values() ?? []) size += json.length;
  }
  return size;
}

/** The part of a payload all share who may read the same columns, as JSON. */
function dataJson(
  settled: SettledChange,
  role: string,
  select: ReadonlySet<string> | undefined,
): string {
  const { change, facts, rendered } = settled;
  const { type, relation } = change;
  const [schema, table] = [JSON.stringify(relation.schema), JSON.stringify(relation.table)];
  const key = facts.columns.filter((column) => column.isKey);
  const allowed = facts.selectable.get(role);
  const head = `"schema":${schema},"table":${table},"type":"${type}"`;
  if (type !== "DELETE" && key.length === 0) {
    return `{${head},"errors":["Error 400: Bad Request, no primary key"]}`;
  }
  if (type !== "DELETE" && !key.every((column) => allowed?.has(column.name))) {
    return `{${head},"errors":["Error 401: Unauthorized"]}`;
  }
  const keyNames = new Set(key.map((column) => column.name));
  const shows = (name: string) =>
    allowed?.has(name) === true && (select === undefined || select.has(name) || keyNames.has(name));
  const isTooLarge = sizeOf(rendered) > LARGEST_RECORD_BYTES;
  const keep = (name: string, json: string) =>
    shows(name) && (!isTooLarge || json.length <= SMALL_VALUE_BYTES);
  const columns = facts.columns
    .filter((column) => shows(column.name))
    .map(
      (column) =>
        `{"name":${JSON.stringify(column.name)},"type":${JSON.stringify(column.typeName)}}`,
    );
  const parts = [
    head,
    `"commit_timestamp":"${new Date(change.committedAt).toISOString()}"`,
    `"columns":[${columns.join(",")}]`,
  ];
  if (rendered.record && type !== "DELETE")
    parts.push(`"record":${objectJson(rendered.record, keep)}`);
  if (rendered.old && type !== "INSERT") {
    // Nobody can say who may see a row that is gone, so a guarded table tells its key alone.
    const keepOld =
      type === "DELETE" && facts.isGuarded
        ? (name: string, json: string) => keyNames.has(name) && keep(name, json)
        : keep;
    parts.push(`"old_record":${objectJson(rendered.old, keepOld)}`);
  }
  parts.push(`"errors":${isTooLarge ? '["Error 413: Payload Too Large"]' : "null"}`);
  return `{${parts.join(",")}}`;
}

type Frames = Map<string | number, Frame>;

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Frames of one change, by who may share them: role, columns, address and entries must be the same. */
class SharedFrames {
  readonly #settled: SettledChange;
  readonly #data = new Map<string, string>();
  readonly #byRole = new Map<string, Map<string, Map<string, Frames>>>();
  /** Where the last one was looked for; the next is mostly there, too, and this runs for every delivery. */
  #last: { role: string; view: string; address: string; frames: Frames } | undefined;

  constructor(settled: SettledChange) {
    this.#settled = settled;
  }

  /** The frame that tells these entries of one subscriber, which all show the same columns. */
  of(subscriber: Subscriber, entries: readonly Subscription[]): Frame {
    const [first] = entries;
    const { role } = subscriber.viewer;
    const ids = entries.map(({ id }) => id);
    const key = ids.length === 1 && first !== undefined ? first.id : ids.join(",");
    return at(this.#framesFor(role, first?.view ?? "", subscriber.address), key, () => {
      const { fullTopic: topic, version } = subscriber;
      const data = at(this.#data, `${role}\0${first?.view ?? ""}`, () =>
        dataJson(this.#settled, role, first?.select),
      );
      const message = { joinRef: null, ref: null, topic, event: "postgres_changes" };
      return encodeFrame(version, message, `{"data":${data},"ids":[${ids.join(",")}]}`);
    });
  }

  #framesFor(role: string, view: string, address: string): Frames {
    const last = this.#last;
    if (last?.role === role && last.view === view && last.address === address) return last.frames;
    const ofRole = at(this.#byRole, role, () => new Map<string, Map<string, Frames>>());
    const ofView = at(ofRole, view, () => new Map<string, Frames>());
    const frames = at(ofView, address, () => new Map());
    this.#last = { role, view, address, frames };
    return frames;
  }
}

/** Sends one change to everybody it is for; equal frames are built once. */
export function deliver(settled: SettledChange): void {
  const frames = new SharedFrames(settled);
  const perSubscriber = new Map<Subscriber, Subscription[]>();
  for (const subscription of settled.told) {
    const entries = perSubscriber.get(subscription.subscriber);
    if (entries) entries.push(subscription);
    else perSubscriber.set(subscription.subscriber, [subscription]);
  }
  for (const [subscriber, entries] of perSubscriber) {
    if (entries.length === 1) {
      subscriber.send(frames.of(subscriber, entries));
      continue;
    }
    for (const group of Map.groupBy(entries, ({ view }) => view).values()) {
      subscriber.send(frames.of(subscriber, group));
    }
  }
}
