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

/** Sends one change to everybody it is for; equal frames are built once. */
export function deliver(settled: SettledChange): void {
  const data = new Map<string, string>();
  const frames = new Map<string, Frame>();
  const perSubscriber = new Map<Subscriber, Map<string, number[]>>();
  for (const { subscriber, select, id } of settled.told) {
    const { role } = subscriber.viewer;
    const view = select === undefined ? role : `${role}\0${[...select].toSorted().join("\0")}`;
    if (!data.has(view)) data.set(view, dataJson(settled, role, select));
    const ids = perSubscriber.get(subscriber) ?? new Map<string, number[]>();
    perSubscriber.set(subscriber, ids.set(view, [...(ids.get(view) ?? []), id]));
  }
  for (const [subscriber, views] of perSubscriber) {
    const { fullTopic: topic, version } = subscriber;
    for (const [view, ids] of views) {
      const key = `${version}${topic}\0${ids.join(",")}\0${view}`;
      let frame = frames.get(key);
      if (frame === undefined) {
        const payload = `{"data":${data.get(view) ?? "{}"},"ids":[${ids.join(",")}]}`;
        const message = { joinRef: null, ref: null, topic, event: "postgres_changes" };
        frame = encodeFrame(version, message, payload);
        frames.set(key, frame);
      }
      subscriber.send(frame);
    }
  }
}
