import { isToOne } from "../schema-cache/model.ts";
import type { ReadNode } from "../plan/read-node.ts";

/**
 * Limits the size of the response that Postgres builds. While rows are aggregated, the length of each row's JSON is
 * added to a running sum, and the sum raises an error above the limit: Postgres never holds more than the limit plus
 * one row. The sum is `extensions.bounded_sum` (packages/host/sql/070_rest.sql): built-in bigint addition, which
 * overflows at the limit. It costs 0.1 µs per row; a plpgsql function that compares and raises costs 1 µs.
 */

/** What can be added to `bounded_sum` before it overflows. */
const boundUnits = 2 ** 40;

/** SQL that is true, or raises 22003 when the aggregated rows have more than `maxBytes`; `length` is SQL of a row's bytes. */
export function fitsSql(length: string, maxBytes: number): string {
  return `extensions.bounded_sum(${length} * ${Math.ceil(boundUnits / maxBytes)}::int8) > 0`;
}

/** The same for one value without aggregation. */
export function valueFitsSql(length: string, maxBytes: number): string {
  return `9223372036854775807 - ${maxBytes}::int8 + (${length})::int8 > 0`;
}

function countLists(node: ReadNode): number {
  return node.embeds.reduce(
    (sum, embed) => sum + (isToOne(embed.relationship) ? 0 : 1) + countLists(embed.node),
    0,
  );
}

/**
 * Most bytes of a list embedded in one row. A row holds all its lists at once, so they share the response's limit.
 */
export function maxListBytes(node: ReadNode, maxAnswerBytes: number): number {
  return Math.floor(maxAnswerBytes / Math.max(1, countLists(node)));
}
