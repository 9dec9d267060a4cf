// Type of a planned request, and the check of its number of rows before the transaction commits.

import type { SchemaCache, Relation, Routine } from "../schema-cache/model.ts";
import { notSingular, RestError } from "../errors.ts";
import type { Transaction } from "../execute/transaction.ts";
import type { Preferences } from "../request/prefer.ts";
import type { ApiRequest } from "../request/read-request.ts";
import type { RestSettings } from "../settings.ts";
import { resultColumns } from "../sql/statements.ts";
import type { ReadNode } from "./read-node.ts";

/** The statements that execute a request, and what the response needs to know about them. */
export interface ActionPlan extends Pick<
  Transaction,
  "main" | "explain" | "beforeCommit" | "readOnly"
> {
  relation: Relation | undefined;
  routine: Routine | undefined;
  /** The tree of rows that is read; undefined when no rows are returned. */
  node: ReadNode | undefined;
  isolation: string | undefined;
  /** Most rows in the response; undefined for a mutation. */
  maxRows: number | undefined;
  /** How the rows are counted; may differ from what the request preferred. */
  count: Preferences["count"];
}

/** What a request is planned against. */
export interface PlanContext {
  schemaCache: SchemaCache;
  settings: RestSettings;
  /** True when the caller's role bypasses row-level security. */
  bypassesRls: boolean;
}

const pageOf = (row: readonly (string | null)[]): number =>
  Number(row[resultColumns.pageTotal] ?? 0);

/** The check of the number of rows that runs before a transaction commits; undefined when there is none. */
export function beforeCommitOf(
  request: ApiRequest,
  schemaCache: SchemaCache,
  mustMatch: boolean,
): Transaction["beforeCommit"] {
  const { preferences, format } = request;
  const { maxAffected } = preferences;
  const limited = preferences.handling === "strict" && maxAffected !== undefined;
  const single = format.shape === "object";
  const { choosesEnd, rollsBack } = schemaCache.api;
  const chosen = choosesEnd ? preferences.tx : undefined;
  const undone = chosen === undefined ? rollsBack : chosen === "rollback";
  if (!limited && !single && !mustMatch && !undone) return undefined;
  return (row) => {
    const rows = pageOf(row);
    if (mustMatch && rows !== 1) {
      throw new RestError(
        400,
        "PGRST115",
        "Payload values do not match URL in primary key column(s)",
      );
    }
    if (single && rows !== 1) throw notSingular(rows);
    if (limited && rows > maxAffected) {
      throw new RestError(
        400,
        "PGRST124",
        "Query result exceeds max-affected preference constraint",
        { details: `The query affects ${rows} rows` },
      );
    }
    return undone ? "rollback" : "commit";
  };
}
