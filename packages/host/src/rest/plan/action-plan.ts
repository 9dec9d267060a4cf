import type { Catalogue, Relation, Routine } from "../schema-cache/model.ts";
import { notSingular, RestError } from "../errors.ts";
import type { Work } from "../execute/transaction.ts";
import type { Preferences } from "../request/prefer.ts";
import type { ApiRequest } from "../request/read-request.ts";
import type { RestSettings } from "../settings.ts";
import { PAGE } from "../sql/statements.ts";
import type { ReadNode } from "./read-node.ts";

/** What a request comes down to: statements, and what its answer has to know of them. */
export interface Prepared extends Pick<Work, "main" | "explain" | "decide" | "readOnly"> {
  relation: Relation | undefined;
  routine: Routine | undefined;
  /** Range of the rows that are read. */
  node: ReadNode | undefined;
  isolation: string | undefined;
  /** Most rows the answer may hold; undefined for a change. */
  cap: number | undefined;
  /** How the rows are counted, which need not be as it was asked for. */
  count: Preferences["count"];
}

/** What a request is compared with. */
export interface Surroundings {
  catalogue: Catalogue;
  settings: RestSettings;
  /** True when the caller sees all rows whatever policies say. */
  bypassesRls: boolean;
}

const pageOf = (row: readonly (string | null)[]): number => Number(row[PAGE] ?? 0);

/** Checks on the number of rows, made before a transaction ends. */
export function decisionOf(
  request: ApiRequest,
  catalogue: Catalogue,
  mustMatch: boolean,
): Work["decide"] {
  const { preferences, format } = request;
  const { maxAffected } = preferences;
  const limited = preferences.handling === "strict" && maxAffected !== undefined;
  const single = format.shape === "object";
  const undone = catalogue.api.rollbackAllowed && preferences.tx === "rollback";
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
