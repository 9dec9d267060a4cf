// Errors of the REST API with PostgREST's codes and bodies, and which of them call for a newer schema cache.

import { sqlStates } from "../postgres/sql-states.ts";

/** The body of every error response, in the shape that supabase-js reads. */
export interface ErrorBody {
  code: string;
  message: string;
  details: unknown;
  hint: string | null;
}

/** An error that is sent to the client as a response. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: unknown; hint?: string | null; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.body = { code, message, details: more.details ?? null, hint: more.hint ?? null };
    this.headers = more.headers ?? {};
  }
}

/** A query string that cannot be parsed. `column` counts from 1. */
export function parseError(what: string, column: number, details: string): RestError {
  return new RestError(400, "PGRST100", `"failed to parse ${what}" (line 1, column ${column})`, {
    details,
  });
}

/** A NUL character, which no text in Postgres can hold; the error is the one Postgres gives. */
export function nulInUrl(): RestError {
  const message = 'invalid byte sequence for encoding "UTF8": 0x00';
  return new RestError(400, sqlStates.characterNotInRepertoire, message);
}

/** A query string that is valid but exceeds the limits of one request. */
export function tooComplex(details: string): RestError {
  return new RestError(400, "PGRST100", "The request is too complex", { details });
}

/** The response would be larger than the host's limit; a mutation that caused it is rolled back. */
export function responseTooLarge(): RestError {
  return new RestError(400, "HR001", "The answer is too large", {
    hint: "Select fewer columns or embeds, or ask for fewer rows with limit.",
  });
}

export function invalidBody(message: string): RestError {
  return new RestError(400, "PGRST102", message);
}

export function rangeNotSatisfiable(details: string): RestError {
  return new RestError(416, "PGRST103", "Requested range not satisfiable", { details });
}

export function notEmbedded(name: string): RestError {
  return new RestError(400, "PGRST108", `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}

export function tableNotFound(schema: string, name: string): RestError {
  return new RestError(
    404,
    "PGRST205",
    `Could not find the table '${schema}.${name}' in the schema cache`,
  );
}

/** The request body has a column that the table does not have. */
export function columnNotFound(table: string, column: string): RestError {
  return new RestError(
    400,
    "PGRST204",
    `Could not find the '${column}' column of '${table}' in the schema cache`,
  );
}

/** The query string has a column that the table does not have; the error is the one Postgres gives. */
export function undefinedColumn(table: string, column: string): RestError {
  return new RestError(400, sqlStates.undefinedColumn, `column ${table}.${column} does not exist`);
}

export function notSingular(rows: number): RestError {
  return new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
    details: `The result contains ${rows} rows`,
  });
}

/** Codes that mean that the schema cache may be out of date. */
const staleCodes = new Set([
  // A statement may have been prepared when a column had another type.
  sqlStates.invalidTextRepresentation,
  sqlStates.datatypeMismatch,
  "PGRST200",
  "PGRST202",
  "PGRST204",
  "PGRST205",
  sqlStates.undefinedColumn,
  sqlStates.undefinedObject,
  sqlStates.undefinedTable,
  sqlStates.undefinedFunction,
]);

/** True when the request might succeed with a newer schema cache. */
export function isStaleSchemaError(error: unknown): error is RestError {
  return error instanceof RestError && staleCodes.has(error.body.code);
}
