import { encodeFrame, type Frame } from "../frames.ts";
import type { Audience, Envelope } from "./audience.ts";
import type { TableFacts } from "./describe-table.ts";
import type { RowChange } from "./pgoutput.ts";
import type { RenderedChange, RenderedRow } from "./render.ts";
import type { SubscriberIdentity } from "./sight-sql.ts";

const LARGEST_RECORD_BYTES = 1024 * 1024;
/** What is still told of a row that is too large: values of up to this many bytes. */
const SMALL_VALUE_BYTES = 64;

/** One change and everything that is known about it. */
export interface SettledChange {
  change: RowChange;
  facts: TableFacts;
  rendered: RenderedChange;
  /** Whose event and filter it passes. */
  audience: Audience;
  /** Whether one of them may be told; row-level security has been asked. */
  maySee: (viewer: SubscriberIdentity) => boolean;
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
  const { key } = facts;
  const allowed = facts.selectable.get(role);
  const head = `"schema":${schema},"table":${table},"type":"${type}"`;
  if (type !== "DELETE" && key.length === 0) {
    return `{${head},"errors":["Error 400: Bad Request, no primary key"]}`;
  }
  if (type !== "DELETE" && !facts.keyReaders.has(role)) {
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

/** As whom somebody listens now, and as whom row-level security was asked: a token may have come meanwhile. */
function isSameAccount(a: SubscriberIdentity, b: SubscriberIdentity): boolean {
  return a === b || (a.role === b.role && a.subject === b.subject);
}

/** Sends one change to everybody who may see it; equal frames are built once. */
export function deliver(settled: SettledChange): void {
  /** The part of a payload all share who may read the same columns. */
  const data = new Map<string, string>();
  const frameOf = ({ role, view, select, ids, version, topic }: Envelope): Frame => {
    const name = `${role}\0${view}`;
    const json = data.get(name) ?? dataJson(settled, role, select);
    data.set(name, json);
    const message = { joinRef: null, ref: null, topic, event: "postgres_changes" };
    return encodeFrame(version, message, `{"data":${json},"ids":[${ids.join(",")}]}`);
  };
  for (const envelope of settled.audience.envelopes) {
    let frame: Frame | undefined;
    for (const { subscriber, viewer } of envelope.recipients) {
      if (!isSameAccount(viewer, subscriber.viewer) || !settled.maySee(viewer)) continue;
      frame ??= frameOf(envelope);
      subscriber.send(frame);
    }
  }
}
