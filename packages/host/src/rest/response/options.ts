// Answers OPTIONS requests that are not CORS preflights with an Allow header.

import { findRelation, type SchemaCache, type Relation } from "../schema-cache/model.ts";
import { RestError, tableNotFound } from "../errors.ts";
import { readSchema, readTarget } from "../request/read-request.ts";
import type { RestSettings } from "../settings.ts";

function verbsOf(relation: Relation): string[] {
  const { insertable, updatable, deletable, primaryKey } = relation;
  const verbs = ["OPTIONS", "GET", "HEAD"];
  if (insertable) verbs.push("POST");
  if (insertable && updatable && primaryKey.length > 0) verbs.push("PUT");
  if (updatable) verbs.push("PATCH");
  if (deletable) verbs.push("DELETE");
  return verbs;
}

/**
 * Responds with the methods that a table or function accepts.
 * @throws {RestError} 404
 */
export function buildOptionsResponse(
  request: Request,
  path: string,
  settings: RestSettings,
  schemaCache: SchemaCache,
): Response {
  const target = readTarget(path, "GET");
  const schema = readSchema(request.headers, "GET", settings);
  let verbs: string[];
  if (target.kind === "table") {
    const relation = findRelation(schemaCache, schema, target.name);
    if (relation === undefined) throw tableNotFound(schema, target.name);
    verbs = verbsOf(relation);
  } else {
    const [routine] = schemaCache.routines.get(schema)?.get(target.name) ?? [];
    if (routine === undefined) {
      throw new RestError(
        404,
        "PGRST202",
        `Could not find the function ${schema}.${target.name} in the schema cache`,
      );
    }
    verbs =
      routine.volatility === "volatile" ? ["OPTIONS", "POST"] : ["OPTIONS", "GET", "HEAD", "POST"];
  }
  return new Response(null, { status: 200, headers: { allow: verbs.join(",") } });
}
