// Translates errors of Postgres to HTTP statuses and PostgREST's bodies, without hints that reveal hidden names.

import type { DatabaseError } from "pg";
import { responseTooLarge, RestError } from "../errors.ts";
import { sqlStates } from "../../postgres/sql-states.ts";

/** HTTP statuses by prefix of the SQLSTATE; the first match counts. */
const statusesBySqlState: readonly (readonly [prefix: string, status: number])[] = [
  ["08", 503],
  ["09", 500],
  ["0L", 403],
  ["0P", 403],
  [sqlStates.foreignKeyViolation, 409],
  [sqlStates.uniqueViolation, 409],
  [sqlStates.readOnlyTransaction, 405],
  [sqlStates.cardinalityViolation, 500],
  ["25", 500],
  ["28", 403],
  ["2D", 500],
  ["38", 500],
  ["39", 500],
  ["3B", 500],
  ["40", 500],
  [sqlStates.configurationLimitExceeded, 500],
  ["53", 503],
  // A value or a nesting that is too big for Postgres is the client's error, not the server's.
  ["54", 400],
  ["55", 500],
  [sqlStates.adminShutdown, 503],
  ["57", 500],
  ["58", 500],
  ["F0", 500],
  ["HV", 500],
  [sqlStates.raiseException, 400],
  ["P0", 500],
  ["XX", 500],
  [sqlStates.undefinedFunction, 404],
  [sqlStates.undefinedTable, 404],
  [sqlStates.invalidObjectDefinition, 500],
];

function statusOf(error: DatabaseError, authenticated: boolean): number {
  const code = error.code ?? sqlStates.internalError;
  if (code === sqlStates.insufficientPrivilege) return authenticated ? 403 : 401;
  if (code === sqlStates.invalidParameterValue && /^role .* does not exist$/.test(error.message))
    return 401;
  // The same row twice in one request, or a mutation without a filter, is the client's error.
  if (
    code === sqlStates.cardinalityViolation &&
    /cannot affect row a second time|requires a WHERE clause$/.test(error.message)
  ) {
    return 400;
  }
  const own = /^PT([1-5]\d\d)$/.exec(code)?.[1];
  if (own !== undefined && Number(own) >= 200) return Number(own);
  if (code.startsWith("PT")) return 500;
  return statusesBySqlState.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 400;
}

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function unreadableRaise(details: string, hint: string): RestError {
  return new RestError(
    500,
    "PGRST121",
    `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
    { details, hint },
  );
}

/** The response that a function defines completely with `raise sqlstate 'PGRST'`. */
function raisedResponse(error: DatabaseError): RestError {
  const body = parseObject(error.message);
  if (typeof body?.["code"] !== "string" || typeof body["message"] !== "string") {
    return unreadableRaise(
      `Invalid JSON value for MESSAGE: '${error.message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    );
  }
  const detail = parseObject(error.detail);
  const status = detail?.["status"];
  const headers = detail?.["headers"];
  const valid = typeof status === "number" && Number.isInteger(status);
  if (!valid || status < 200 || status > 599 || typeof headers !== "object" || headers === null) {
    return unreadableRaise(
      error.detail === undefined
        ? "DETAIL is missing in the RAISE statement"
        : `Invalid JSON value for DETAIL: '${error.detail}'`,
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    );
  }
  const hint = body["hint"];
  return new RestError(status, body["code"], body["message"], {
    details: body["details"] ?? null,
    hint: typeof hint === "string" ? hint : null,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
  });
}

/** True when the sum that limits the response size overflowed. An overflow inside a function has a `where`. */
function isTooLarge({ code, routine, where }: DatabaseError): boolean {
  return code === sqlStates.numericValueOutOfRange && routine === "int8pl" && where === undefined;
}

/** Postgres's hint for a missing operator or function, which names nothing. */
const namelessHint = /^No (operator|function|procedure|aggregate function) matches the given name/;

/**
 * The response to an error of Postgres, with Postgres's own message. Hints are kept when a function raised them;
 * Postgres's own hints about names are left out, because they may name objects that the caller cannot see.
 */
export function toRestError(error: DatabaseError, authenticated: boolean): RestError {
  if (error.code === "PGRST") return raisedResponse(error);
  if (isTooLarge(error)) return responseTooLarge();
  const status = statusOf(error, authenticated);
  const raised = error.routine === "exec_stmt_raise";
  const shown =
    raised || error.code?.startsWith("42") !== true || namelessHint.test(error.hint ?? "");
  const hint = shown ? (error.hint ?? null) : null;
  return new RestError(status, error.code ?? sqlStates.internalError, error.message, {
    details: error.detail ?? null,
    hint,
    ...(status === 401 && { headers: { "www-authenticate": "Bearer" } }),
  });
}
