// Planning of POST, PATCH, PUT and DELETE on tables, which refuses updates and deletes without a filter.

import type { Relation } from "../schema-cache/model.ts";
import { invalidBody, RestError } from "../errors.ts";
import type { Statement } from "../execute/transaction.ts";
import type { FilterTree } from "../parse/ast.ts";
import type { ApiRequest } from "../request/read-request.ts";
import type { SqlContext } from "../sql/fields.ts";
import { deleteSql, insertSql, returningSql, updateSql } from "../sql/mutate.ts";
import { mutationStatement, emptyStatement } from "../sql/statements.ts";
import { maxListBytes } from "../sql/response-size-limit.ts";
import { StatementValues } from "../sql/values.ts";
import { buildReadTree } from "./read-tree.ts";
import { beforeCommitOf, type ActionPlan, type PlanContext } from "./action-plan.ts";
import { sourceOf } from "./read-node.ts";
import { sqlStates } from "../../postgres/sql-states.ts";

/** PUT must name one row by all columns of its primary key and nothing else. */
function assertNamesOneRow(request: ApiRequest, relation: Relation): void {
  const { conditions, ranges } = request.query;
  if (ranges.some(({ path }) => path.length === 0)) {
    throw new RestError(
      400,
      "PGRST114",
      "limit/offset querystring parameters are not allowed for PUT",
    );
  }
  const names = conditions.map(({ path, condition }) =>
    path.length === 0 &&
    condition.kind === "filter" &&
    !condition.negated &&
    condition.field.path.length === 0 &&
    condition.operation.kind === "compare" &&
    condition.operation.operator === "=" &&
    condition.operation.quantifier === undefined
      ? condition.field.name
      : undefined,
  );
  const key = relation.primaryKey;
  const matches =
    key.length > 0 && key.length === names.length && key.every((name) => names.includes(name));
  if (!matches) {
    throw new RestError(
      405,
      "PGRST105",
      "Filters must include all and only primary key columns with 'eq' operators",
    );
  }
}

function mutationSql(
  request: ApiRequest,
  relation: Relation,
  conditions: readonly FilterTree[],
  context: SqlContext,
): string | undefined {
  const { preferences, query, payload, target } = request;
  const missing = preferences.missing === "default";
  if (target.action === "delete") return deleteSql(relation, conditions, context);
  if (payload?.kind !== "json") throw invalidBody("Empty or invalid json");
  if (target.action === "update") {
    return updateSql(relation, payload, { missing, conditions }, context);
  }
  if (target.action === "put") {
    assertNamesOneRow(request, relation);
    const conflict = relation.primaryKey;
    const options = { resolution: "merge-duplicates", conflict, missing: false } as const;
    return insertSql(relation, payload, { ...options, matching: conditions }, context);
  }
  const conflict = query.onConflict ?? relation.primaryKey;
  const options = { resolution: preferences.resolution, conflict, missing };
  return insertSql(relation, payload, { ...options, matching: [] }, context);
}

/** Builds the plan of an insert, update, delete or put. */
export function planMutation(
  request: ApiRequest,
  relation: Relation,
  planContext: PlanContext,
): ActionPlan {
  const { schemaCache, settings } = planContext;
  const maxBytes = settings.maxAnswerBytes;
  const { preferences, query, schema, target } = request;
  const conditions = query.conditions
    .filter(({ path }) => path.length === 0)
    .map(({ condition }) => condition);
  // A request without a filter never changes the whole table.
  if ((target.action === "update" || target.action === "delete") && conditions.length === 0) {
    const verb = target.action.toUpperCase();
    throw new RestError(400, sqlStates.cardinalityViolation, `${verb} requires a WHERE clause`);
  }
  const wantsRows = preferences.return === "representation";
  const node = wantsRows
    ? buildReadTree(sourceOf(relation, true), query, {
        schemaCache,
        schema,
        maxRows: undefined,
        filtersRoot: false,
      })
    : undefined;
  const locationKeys =
    preferences.return === "headers-only" && target.action === "insert" ? relation.primaryKey : [];
  const context: SqlContext = {
    schemaCache,
    values: new StatementValues(),
    maxListBytes: node === undefined ? maxBytes : maxListBytes(node, maxBytes),
  };
  const sql = mutationSql(request, relation, conditions, context);
  const format = wantsRows ? request.format : undefined;
  const main: Statement =
    sql === undefined
      ? emptyStatement(relation, format, maxBytes)
      : mutationStatement(context, {
          node,
          format,
          maxBytes,
          locationKeys,
          sql: `${sql}${returningSql(relation, node, locationKeys)}`,
        });
  return {
    main,
    relation,
    node,
    routine: undefined,
    readOnly: false,
    isolation: undefined,
    maxRows: undefined,
    count: preferences.count,
    explain: undefined,
    beforeCommit: beforeCommitOf(request, schemaCache, target.action === "put"),
  };
}
