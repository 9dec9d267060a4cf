import { findRelation, type Relation } from "../schema-cache/model.ts";
import { tableMissing } from "../errors.ts";
import type { ApiRequest } from "../request/read-request.ts";
import { readStatements } from "../sql/statements.ts";
import { planRead } from "./read-tree.ts";
import { prepareCall } from "./plan-call.ts";
import { prepareChange } from "./plan-mutation.ts";
import type { Prepared, Surroundings } from "./action-plan.ts";
import { sourceOf, type ReadNode } from "./read-node.ts";

/** True where policies or a view may hide rows of the table, which the planner counts all the same. */
function mayHideRows({ rowSecurity, isView }: Relation): boolean {
  return rowSecurity || isView;
}

function readsHidden(node: ReadNode): boolean {
  return node.embeds.some(
    ({ link, node: inner }) =>
      link.kind === "computed" ||
      mayHideRows(link.to) ||
      (link.kind === "many-to-many" && mayHideRows(link.junction)) ||
      readsHidden(inner),
  );
}

function prepareRead(request: ApiRequest, relation: Relation, around: Surroundings): Prepared {
  const { catalogue, settings, bypassesRls } = around;
  const cap = catalogue.api.maxRows ?? settings.maxRows;
  const node = planRead(sourceOf(relation), request.query, {
    catalogue,
    schema: request.schema,
    maxRows: cap,
    filtersRoot: true,
  });
  const { count: wanted } = request.preferences;
  // The planner knows how many rows there are, not how many the caller may see: those are counted instead.
  const hides = !bypassesRls && (mayHideRows(relation) || readsHidden(node));
  const count = wanted !== undefined && hides ? "exact" : wanted;
  const format = request.headOnly ? undefined : request.format;
  const statements = readStatements(catalogue, {
    node,
    count,
    cap,
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
    cap,
    count,
    decide: undefined,
  };
}

/**
 * Compares a request with the catalogue and writes the statements that answer it.
 * @throws {RestError} for what does not exist or does not fit
 */
export function prepareWork(request: ApiRequest, around: Surroundings): Prepared {
  const { target, schema } = request;
  if (target.kind === "function") return prepareCall(request, around);
  const relation = findRelation(around.catalogue, schema, target.name);
  if (relation === undefined) throw tableMissing(schema, target.name);
  return target.action === "read"
    ? prepareRead(request, relation, around)
    : prepareChange(request, relation, around);
}
