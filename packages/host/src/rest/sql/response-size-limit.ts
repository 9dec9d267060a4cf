import { isToOne } from "../schema-cache/model.ts";
import type { ReadNode } from "../plan/read-node.ts";

/**
 * Bounds what Postgres builds for an answer. Each row, already JSON, adds its length to a running sum while it is
 * aggregated, and the sum raises an error when it passes the bound: Postgres never holds more than the bound and one
 * row more. The sum is `extensions.bounded_sum` (packages/host/sql/070_rest.sql): built-in bigint addition, which overflows.
 * A function in plpgsql that compares and raises would cost 1 µs a row, this costs a tenth.
 */

/** What `bounded_sum` has left before it overflows. */
const boundUnits = 2 ** 40;

/** True once an aggregate's rows, whose length in bytes is `length`, were found to fit into `maxBytes`. */
export function fitsSql(length: string, maxBytes: number): string {
  return `extensions.bounded_sum(${length} * ${Math.ceil(boundUnits / maxBytes)}::int8) > 0`;
}

/** The same for one value that is not aggregated. */
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
 * Most bytes of a list embedded in one row. A row holds its lists all at once, so they share the bound of the answer.
 */
export function maxListBytes(node: ReadNode, maxAnswerBytes: number): number {
  return Math.floor(maxAnswerBytes / Math.max(1, countLists(node)));
}
