// Planning of RPC calls (`/rpc/<function>`): picks the overload, and reads its result like a table.

import type { Routine } from "../schema-cache/model.ts";
import { RestError } from "../errors.ts";
import type { RequestPayload } from "../request/body.ts";
import type { ApiRequest } from "../request/read-request.ts";
import { callStatements } from "../sql/statements.ts";
import { findRoutine, type CallShape } from "./find-routine.ts";
import { buildReadTree } from "./read-tree.ts";
import { beforeCommitOf, type ActionPlan, type PlanContext } from "./action-plan.ts";
import { sourceOf, type RowSource } from "./read-node.ts";

function shapeOfCall(request: ApiRequest, args: RequestPayload | undefined): CallShape {
  const { schema, target, query } = request;
  const base = { schema, name: target.name };
  if (args === undefined) {
    return {
      ...base,
      argumentNames: [...new Set(query.args.map(([name]) => name))],
      body: undefined,
    };
  }
  if (args.kind === "raw") return { ...base, argumentNames: [], body: args.type };
  if (args.kind === "form") {
    return {
      ...base,
      argumentNames: [...new Set(args.fields.map(([name]) => name))],
      body: undefined,
    };
  }
  return { ...base, argumentNames: args.keys, body: "json" };
}

function sourceOfCall(routine: Routine): RowSource {
  if (routine.relation !== undefined) return sourceOf(routine.relation, true);
  const bare = { name: "pgrst_scalar", type: "text", baseType: "text", default: null };
  return {
    label: routine.name,
    relation: undefined,
    columns: routine.returns === "row" ? routine.columns : new Map([[bare.name, bare]]),
    computed: new Map(),
    isResult: true,
  };
}

/** Builds the plan of a function call. */
export function planCall(request: ApiRequest, planContext: PlanContext): ActionPlan {
  const { schemaCache, settings } = planContext;
  const { payload, preferences, query, schema, target } = request;
  const routine = findRoutine(schemaCache, shapeOfCall(request, payload));
  const limited = preferences.handling === "strict" && preferences.maxAffected !== undefined;
  if (limited && !routine.returnsSet) {
    throw new RestError(
      400,
      "PGRST128",
      "Function must return SETOF or TABLE when max-affected preference is used with handling=strict",
    );
  }
  const maxRows = schemaCache.api.maxRows ?? settings.maxRows;
  const node = buildReadTree(sourceOfCall(routine), query, {
    schemaCache,
    schema,
    maxRows,
    filtersRoot: true,
  });
  const format = request.headOnly ? undefined : request.format;
  const statements = callStatements(schemaCache, routine, payload ?? query.args, {
    node,
    format,
    count: preferences.count,
    maxRows,
    maxBytes: settings.maxAnswerBytes,
  });
  const readOnly = target.action === "get" || routine.volatility !== "volatile";
  return {
    ...statements,
    node,
    routine,
    readOnly,
    isolation: routine.isolation,
    maxRows,
    count: preferences.count,
    relation: undefined,
    beforeCommit: readOnly ? undefined : beforeCommitOf(request, schemaCache, false),
  };
}
