// Entry point of planning: hands mutations and calls on to their own files, and takes care of reads itself.

import { findRelation, type Relation } from "../schema-cache/model.ts";
import { tableNotFound } from "../errors.ts";
import type { ApiRequest } from "../request/read-request.ts";
import { readStatements } from "../sql/statements.ts";
import { buildReadTree } from "./read-tree.ts";
import { planCall } from "./plan-call.ts";
import { planMutation } from "./plan-mutation.ts";
import type { ActionPlan, PlanContext } from "./action-plan.ts";
import { sourceOf, type ReadNode } from "./read-node.ts";

/** True when policies or a view may hide rows of the table. The planner's estimate includes hidden rows. */
function canHideRows({ rowSecurity, isView }: Relation): boolean {
  return rowSecurity || isView;
}

function embedsHiddenRows(node: ReadNode): boolean {
  return node.embeds.some(
    ({ relationship, node: inner }) =>
      relationship.kind === "computed" ||
      canHideRows(relationship.to) ||
      (relationship.kind === "many-to-many" && canHideRows(relationship.junction)) ||
      embedsHiddenRows(inner),
  );
}

function planRead(request: ApiRequest, relation: Relation, planContext: PlanContext): ActionPlan {
  const { schemaCache, settings, bypassesRls } = planContext;
  const maxRows = schemaCache.api.maxRows ?? settings.maxRows;
  const node = buildReadTree(sourceOf(relation), request.query, {
    schemaCache,
    schema: request.schema,
    maxRows,
    filtersRoot: true,
  });
  const { count: wanted } = request.preferences;
  // The planner estimates all rows, not only those visible to the caller; hidden rows require an exact count.
  const hides = !bypassesRls && (canHideRows(relation) || embedsHiddenRows(node));
  const count = wanted !== undefined && hides ? "exact" : wanted;
  const format = request.headOnly ? undefined : request.format;
  const statements = readStatements(schemaCache, {
    node,
    count,
    maxRows,
    maxBytes: settings.maxAnswerBytes,
    format,
  });
  return {
    ...statements,
    relation,
    node,
    routine: undefined,
    readOnly: true,
    isolation: undefined,
    maxRows,
    count,
    beforeCommit: undefined,
  };
}

/**
 * Resolves a request against the schema cache and writes its statements.
 * @throws {RestError} for unknown names and unsupported combinations
 */
export function planAction(request: ApiRequest, planContext: PlanContext): ActionPlan {
  const { target, schema } = request;
  if (target.kind === "function") return planCall(request, planContext);
  const relation = findRelation(planContext.schemaCache, schema, target.name);
  if (relation === undefined) throw tableNotFound(schema, target.name);
  return target.action === "read"
    ? planRead(request, relation, planContext)
    : planMutation(request, relation, planContext);
}
