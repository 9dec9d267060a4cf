// Turns an HTTP request into an `ApiRequest`: table or function, schema, query, preferences and body.

import { nulInUrl, RestError, rangeNotSatisfiable } from "../errors.ts";
import type { ParsedQuery } from "../parse/ast.ts";
import { parseQuery } from "../parse/query-string.ts";
import type { RestSettings } from "../settings.ts";
import { parsePayload, readBytes, type RequestPayload } from "./body.ts";
import { negotiateFormat, type ResponseFormat } from "./response-format.ts";
import { assertKnownPreferences, parsePreferences, type Preferences } from "./prefer.ts";

/** The table or function that a request names, and what it does with it. */
export type RequestTarget =
  | { kind: "table"; name: string; action: "read" | "insert" | "update" | "delete" | "put" }
  | { kind: "function"; name: string; action: "get" | "post" };

/** A parsed request, not yet checked against the schema cache. */
export interface ApiRequest {
  target: RequestTarget;
  method: string;
  /** Path below the mount path, as functions see it in `request.path`. */
  path: string;
  headers: Headers;
  schema: string;
  /** True when the response has a Content-Profile header. */
  includesProfile: boolean;
  headOnly: boolean;
  parameters: URLSearchParams;
  /** The parameters as a query string, sorted by name; empty without any. */
  sortedSearch: string;
  query: ParsedQuery;
  preferences: Preferences;
  format: ResponseFormat;
  payload: RequestPayload | undefined;
}

const tableActions: Readonly<Record<string, (RequestTarget & { kind: "table" })["action"]>> = {
  GET: "read",
  HEAD: "read",
  POST: "insert",
  PATCH: "update",
  DELETE: "delete",
  PUT: "put",
};

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  }
}

/**
 * Reads which table or function a path names.
 * @throws {RestError} PGRST125, PGRST126, PGRST101, PGRST117
 */
export function readTarget(path: string, method: string): RequestTarget {
  const parts = path.replace(/^\//, "").replace(/\/$/, "").split("/").map(decodeName);
  const [first = "", second, ...rest] = parts;
  if (rest.length > 0 || (second !== undefined && first !== "rpc")) {
    throw new RestError(404, "PGRST125", "Invalid path specified in request URL");
  }
  if (first === "") {
    throw new RestError(404, "PGRST126", "Root endpoint metadata is disabled");
  }
  if (second !== undefined) {
    if (method === "GET" || method === "HEAD") {
      return { kind: "function", name: second, action: "get" };
    }
    if (method === "POST") return { kind: "function", name: second, action: "post" };
    throw new RestError(405, "PGRST101", `Cannot use the ${method} method on RPC`);
  }
  const action = tableActions[method];
  if (action === undefined) {
    throw new RestError(405, "PGRST117", `Unsupported HTTP method: ${method}`);
  }
  return { kind: "table", name: first, action };
}

/**
 * The schema of a request, from Accept-Profile or Content-Profile.
 * @throws {RestError} PGRST106
 */
export function readSchema(headers: Headers, method: string, settings: RestSettings): string {
  const writes = ["POST", "PATCH", "PUT", "DELETE"].includes(method);
  const profile = headers.get(writes ? "content-profile" : "accept-profile");
  if (profile === null) return settings.schemas[0];
  if (settings.schemas.includes(profile)) return profile;
  throw new RestError(406, "PGRST106", `Invalid schema: ${profile}`, {
    hint: `Only the following schemas are exposed: ${settings.schemas.join(", ")}`,
  });
}

/** Combines the Range header with `limit` and `offset`. Only GET requests have one. */
function withRangeHeader(query: ParsedQuery, header: string | null): ParsedQuery {
  const match = /^(?:items=)?(\d{1,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (match === null) return query;
  const first = Number(match[1]);
  const last = match[2] === "" ? undefined : Number(match[2]);
  if (last !== undefined && last < first) {
    throw rangeNotSatisfiable(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  const asked = query.ranges.find(({ path }) => path.length === 0)?.range ?? { offset: 0 };
  const offset = Math.max(asked.offset, first);
  const ends = [
    ...(last === undefined ? [] : [last + 1]),
    ...(asked.limit === undefined ? [] : [asked.offset + asked.limit]),
  ];
  const limit = ends.length === 0 ? undefined : Math.max(0, Math.min(...ends) - offset);
  return {
    ...query,
    ranges: [
      ...query.ranges.filter(({ path }) => path.length > 0),
      { path: [], range: { offset, ...(limit !== undefined && { limit }) } },
    ],
  };
}

const nul = String.fromCodePoint(0);

/** @throws {RestError} 400 */
function assertNoNul(path: string, parameters: URLSearchParams): void {
  if (path.includes("%00")) throw nulInUrl();
  for (const pair of parameters) if (pair.some((text) => text.includes(nul))) throw nulInUrl();
}

/**
 * Reads method, path, headers, query string and body.
 * @throws {RestError} PGRST1xx
 */
export async function readRequest(
  request: Request,
  path: string,
  parameters: URLSearchParams,
  settings: RestSettings,
): Promise<ApiRequest> {
  const { headers, method } = request;
  assertNoNul(path, parameters);
  const target = readTarget(path, method);
  const schema = readSchema(headers, method, settings);
  const preferences = parsePreferences(headers.get("prefer"));
  assertKnownPreferences(preferences);
  parameters.delete("apikey");
  const isGetCall = target.kind === "function" && target.action === "get";
  const parsed = parseQuery(parameters, isGetCall);
  const query = method === "GET" ? withRangeHeader(parsed, headers.get("range")) : parsed;
  const hasBody =
    target.action === "insert" ||
    target.action === "update" ||
    target.action === "put" ||
    target.action === "post";
  const payload = hasBody
    ? parsePayload(
        await readBytes(request),
        headers.get("content-type"),
        target.action === "put" ? undefined : query.columns,
        target.kind === "function",
      )
    : undefined;
  parameters.sort();
  return {
    target,
    method,
    path,
    headers,
    schema,
    parameters,
    sortedSearch: parameters.size > 0 ? `?${parameters}` : "",
    query,
    preferences,
    payload,
    includesProfile: settings.schemas.length > 1,
    headOnly: method === "HEAD",
    format: negotiateFormat(headers.get("accept")),
  };
}
