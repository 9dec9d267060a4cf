// Builds the `postgres_changes` payload of a change, with the columns that each role may read, and sends it.

import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import { encodeFrame, type Frame } from "../socket/frames.ts";
import type { SubscriberSet, FrameGroup } from "./subscriber-set.ts";
import type { TableMetadata } from "./table-metadata.ts";
import type { WalRowChange } from "./pgoutput.ts";
import type { RenderedChange, RenderedRow } from "./render-changes.ts";

const maxRecordBytes = 1024 * 1024;
/** Values up to this size are kept when a record is too large. */
const maxValueBytesOfLargeRecord = 64;

/** A change with its payload and its recipients. */
export interface ResolvedChange {
  change: WalRowChange;
  metadata: TableMetadata;
  rendered: RenderedChange;
  /** The subscribers whose event and filter match. */
  subscribers: SubscriberSet;
  /** Whether row-level security lets the identity see the row. */
  canSee: (identity: SubscriberIdentity) => boolean;
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

/** The `data` of a payload as JSON, shared by all subscribers that can read the same columns. */
function dataJson(
  resolved: ResolvedChange,
  role: string,
  select: ReadonlySet<string> | undefined,
): string {
  const { change, metadata, rendered } = resolved;
  const { type, relation } = change;
  const [schema, table] = [JSON.stringify(relation.schema), JSON.stringify(relation.table)];
  const { key } = metadata;
  const allowed = metadata.selectable.get(role);
  const head = `"schema":${schema},"table":${table},"type":"${type}"`;
  if (type !== "DELETE" && key.length === 0) {
    return `{${head},"errors":["Error 400: Bad Request, no primary key"]}`;
  }
  if (type !== "DELETE" && !metadata.rolesReadingKey.has(role)) {
    return `{${head},"errors":["Error 401: Unauthorized"]}`;
  }
  const keyNames = new Set(key.map((column) => column.name));
  const shows = (name: string) =>
    allowed?.has(name) === true && (select === undefined || select.has(name) || keyNames.has(name));
  const isTooLarge = sizeOf(rendered) > maxRecordBytes;
  const keep = (name: string, json: string) =>
    shows(name) && (!isTooLarge || json.length <= maxValueBytesOfLargeRecord);
  const columns = metadata.columns
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
    // Row-level security cannot be evaluated for a deleted row, so a table that has it shows only the key.
    const keepOld =
      type === "DELETE" && metadata.hasRowSecurity
        ? (name: string, json: string) => keyNames.has(name) && keep(name, json)
        : keep;
    parts.push(`"old_record":${objectJson(rendered.old, keepOld)}`);
  }
  parts.push(`"errors":${isTooLarge ? '["Error 413: Payload Too Large"]' : "null"}`);
  return `{${parts.join(",")}}`;
}

/** Compares the checked identity with the present one: the subscriber may have sent a new token meanwhile. */
function isSameIdentity(a: SubscriberIdentity, b: SubscriberIdentity): boolean {
  return a === b || (a.role === b.role && a.subject === b.subject);
}

/** Sends one change to every subscriber that can see it. Each distinct frame is encoded once. */
export function deliverChange(resolved: ResolvedChange): void {
  /** `data` by role and column selection. */
  const data = new Map<string, string>();
  const frameOf = ({ role, view, select, ids, version, topic }: FrameGroup): Frame => {
    const name = `${role}\0${view}`;
    const json = data.get(name) ?? dataJson(resolved, role, select);
    data.set(name, json);
    const message = { joinRef: null, ref: null, topic, event: "postgres_changes" };
    return encodeFrame(version, message, `{"data":${json},"ids":[${ids.join(",")}]}`);
  };
  for (const group of resolved.subscribers.frameGroups) {
    let frame: Frame | undefined;
    for (const { subscriber, identity } of group.recipients) {
      if (!isSameIdentity(identity, subscriber.identity) || !resolved.canSee(identity)) continue;
      frame ??= frameOf(group);
      subscriber.send(frame);
    }
  }
}
