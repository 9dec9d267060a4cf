import type { SchemaCache, Relation, Routine } from "../schema-cache/model.ts";
import { notSingular, RestError } from "../errors.ts";
import type { Transaction } from "../execute/transaction.ts";
import type { Preferences } from "../request/prefer.ts";
import type { ApiRequest } from "../request/read-request.ts";
import type { RestSettings } from "../settings.ts";
import { resultColumns } from "../sql/statements.ts";
import type { ReadNode } from "./read-node.ts";

/** What a request comes down to: statements, and what its answer has to know of them. */
export interface ActionPlan extends Pick<
  Transaction,
  "main" | "explain" | "beforeCommit" | "readOnly"
> {
  relation: Relation | undefined;
  routine: Routine | undefined;
  /** Range of the rows that are read. */
  node: ReadNode | undefined;
  isolation: string | undefined;
  /** Most rows the answer may hold; undefined for a change. */
  maxRows: number | undefined;
  /** How the rows are counted, which need not be as it was asked for. */
  count: Preferences["count"];
}

/** What a request is compared with. */
export interface PlanContext {
  schemaCache: SchemaCache;
  settings: RestSettings;
  /** True when the caller sees all rows whatever policies say. */
  bypassesRls: boolean;
}

const pageOf = (row: readonly (string | null)[]): number =>
  Number(row[resultColumns.pageTotal] ?? 0);

/** Checks on the number of rows, made before a transaction ends. */
export function beforeCommitOf(
  request: ApiRequest,
  schemaCache: SchemaCache,
  mustMatch: boolean,
): Transaction["beforeCommit"] {
  const { preferences, format } = request;
  const { maxAffected } = preferences;
  const limited = preferences.handling === "strict" && maxAffected !== undefined;
  const single = format.shape === "object";
  const undone = schemaCache.api.rollbackAllowed && preferences.tx === "rollback";
  if (!limited && !single && !mustMatch && !undone) return undefined;
  return (row) => {
    const rows = pageOf(row);
    if (mustMatch && rows !== 1) {
      throw new RestError(
        400,
        "PGRST115",
        "RequestPayload values do not match URL in primary key column(s)",
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
