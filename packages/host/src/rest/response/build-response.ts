// Builds the HTTP response from the result of a transaction: status, Content-Range, Location and body.

import { notSingular, rangeNotSatisfiable, type RestError } from "../errors.ts";
import type { TransactionResult } from "../execute/transaction.ts";
import type { ActionPlan } from "../plan/action-plan.ts";
import { preferenceApplied, type Preferences } from "../request/prefer.ts";
import type { ApiRequest } from "../request/read-request.ts";
import { applyGucHeaders } from "./guc-headers.ts";
import { resultColumns } from "../sql/statements.ts";

interface StatusAndBody {
  status: number;
  body: string | null;
}

function contentRange(first: number, rows: number, total: number | undefined): string {
  const range = rows === 0 || total === 0 ? "*" : `${first}-${first + rows - 1}`;
  return `${range}/${total ?? "*"}`;
}

function numberAt(row: TransactionResult["row"], column: number): number | undefined {
  const text = row[column] ?? undefined;
  return text === undefined ? undefined : Number(text);
}

function plannedRows(explained: string | undefined): number | undefined {
  if (explained === undefined) return undefined;
  const parsed = JSON.parse(explained) as { Plan: { "Plan Rows": number } }[];
  return parsed[0]?.Plan["Plan Rows"];
}

/** Total number of rows, counted as the plan says. */
function totalOf(plan: ActionPlan, result: TransactionResult): number | undefined {
  const counted = numberAt(result.row, resultColumns.total);
  const planned = plannedRows(result.explained);
  const { maxRows, count } = plan;
  if (count === "planned") return planned ?? counted;
  // The count stopped one row above `maxRows`; beyond that the planner's estimate is better.
  if (counted === undefined || planned === undefined || maxRows === undefined) return counted;
  return counted > maxRows ? Math.max(counted, planned) : counted;
}

function rowsResponse(
  request: ApiRequest,
  plan: ActionPlan,
  result: TransactionResult,
  headers: Headers,
): StatusAndBody {
  const rows = Number(result.row[resultColumns.pageTotal] ?? 0);
  const total = totalOf(plan, result);
  const first = plan.node?.range.offset ?? 0;
  if (total !== undefined && first > total) {
    const error = rangeNotSatisfiable(
      `An offset of ${first} was requested, but there are only ${total} rows.`,
    );
    error.headers["content-range"] = `*/${total}`;
    throw error;
  }
  if (request.format.shape === "object" && rows !== 1) throw notSingular(rows);
  headers.set("content-range", contentRange(first, rows, total));
  if (plan.routine?.returns === "void") return { status: 204, body: null };
  headers.set("content-type", request.format.contentType);
  return {
    status: total !== undefined && rows < total ? 206 : 200,
    body: request.headOnly ? null : (result.row[resultColumns.body] ?? ""),
  };
}

function mutationResponse(
  request: ApiRequest,
  plan: ActionPlan,
  { row }: TransactionResult,
  headers: Headers,
): StatusAndBody {
  const { target, preferences, format, parameters } = request;
  const rows = Number(row[resultColumns.pageTotal] ?? 0);
  const counts = preferences.count === "exact" || preferences.count === "estimated";
  const shown = preferences.return === "representation";
  if (target.action !== "put") {
    const range = target.action === "update" && rows > 0 ? `0-${rows - 1}` : "*";
    headers.set("content-range", `${range}/${counts ? rows : "*"}`);
  }
  if (shown) headers.set("content-type", format.contentType);
  const body = shown ? (row[resultColumns.body] ?? "") : null;
  const inserted = numberAt(row, resultColumns.inserted);
  if (target.action === "insert") {
    const keyed = (plan.relation?.primaryKey.length ?? 0) > 0 || parameters.has("on_conflict");
    const merges = preferences.resolution === "merge-duplicates" && keyed;
    const location = row[resultColumns.location] ?? "";
    if (location !== "") headers.set("location", locationOf(target.name, location));
    return {
      status: merges && (inserted ?? 0) <= 0 ? 200 : 201,
      // Null rather than an empty text, to which the platform would give a content type.
      body,
    };
  }
  if (!shown) return { status: 204, body: null };
  return { status: target.action === "put" && (inserted ?? 0) > 0 ? 201 : 200, body };
}

function locationOf(table: string, keys: string): string {
  const pairs = JSON.parse(keys) as [string, string | null][];
  const query = new URLSearchParams(
    pairs.map(([name, value]) => [name, value === null ? "is.null" : `eq.${value}`]),
  );
  return `/${encodeURIComponent(table)}?${query}`;
}

/** The preferences that were applied; some apply only to some requests. */
function applied(
  request: ApiRequest,
  plan: ActionPlan,
  choosesEnd: boolean,
): Omit<Preferences, "unknown"> {
  const { preferences, target } = request;
  const { resolution, missing, tx, maxAffected, unknown: _, ...rest } = preferences;
  const changes = target.kind === "table" && target.action !== "read";
  const keyed =
    (plan.relation?.primaryKey.length ?? 0) > 0 || request.parameters.has("on_conflict");
  const fills = target.action === "insert" || target.action === "update";
  const affects =
    target.action === "update" || target.action === "delete" || target.kind === "function";
  const { return: shown, ...others } = rest;
  return {
    ...others,
    ...(changes && shown !== undefined && { return: shown }),
    ...(target.action === "insert" && keyed && resolution !== undefined && { resolution }),
    ...(fills && missing !== undefined && { missing }),
    ...(affects && maxAffected !== undefined && { maxAffected }),
    ...(choosesEnd && tx !== undefined && { tx }),
  };
}

/**
 * Builds the response to a request.
 * @param choosesEnd true when requests may choose whether their transaction is committed
 * @throws {RestError} PGRST103, PGRST111, PGRST112, PGRST116
 */
export function buildResponse(
  request: ApiRequest,
  plan: ActionPlan,
  result: TransactionResult,
  choosesEnd: boolean,
): Response {
  const headers = new Headers();
  const { target } = request;
  const reads = target.kind === "function" || target.action === "read";
  const { status, body } = reads
    ? rowsResponse(request, plan, result, headers)
    : mutationResponse(request, plan, result, headers);
  if (target.kind === "table" && reads) {
    headers.set("content-location", `/${encodeURIComponent(target.name)}${request.sortedSearch}`);
  }
  if (request.includesProfile && headers.has("content-type")) {
    headers.set("content-profile", request.schema);
  }
  const said = preferenceApplied(applied(request, plan, choosesEnd));
  if (said !== undefined) headers.set("preference-applied", said);
  const final = applyGucHeaders(result.row, headers) ?? status;
  const bodiless = final === 204 || final === 304 || final === 205;
  return new Response(bodiless ? null : body, { status: final, headers });
}

/** Builds the response to a failed request. */
export function buildErrorResponse(error: RestError, headOnly: boolean): Response {
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  for (const [name, value] of Object.entries(error.headers)) {
    try {
      headers.set(name, value);
    } catch {
      // A function set a header that HTTP does not allow; the rest of its response is still sent.
    }
  }
  headers.set("proxy-status", `PostgREST; error=${error.body.code.replaceAll(/[^\w]/g, "")}`);
  const bodiless = headOnly || [204, 205, 304].includes(error.status);
  return new Response(bodiless ? null : JSON.stringify(error.body), {
    status: error.status,
    headers,
  });
}
