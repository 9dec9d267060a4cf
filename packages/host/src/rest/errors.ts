/** The body every failed request carries; the shape the official client reads. */
export interface ErrorBody {
  code: string;
  message: string;
  details: unknown;
  hint: string | null;
}

/** A request that ends with an error answer rather than a result. */
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

/** A query string that cannot be read. `column` counts from 1. */
export function parseError(what: string, column: number, details: string): RestError {
  return new RestError(400, "PGRST100", `"failed to parse ${what}" (line 1, column ${column})`, {
    details,
  });
}

/** A query string that can be read but asks for more than one request may. */
export function tooComplex(details: string): RestError {
  return new RestError(400, "PGRST100", "The request is too complex", { details });
}

/** An answer that would be larger than the host gives; a change that would have given it is undone. */
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

export function tableMissing(schema: string, name: string): RestError {
  return new RestError(
    404,
    "PGRST205",
    `Could not find the table '${schema}.${name}' in the schema cache`,
  );
}

/** A column of a request body that the table does not have. */
export function bodyColumnMissing(table: string, column: string): RestError {
  return new RestError(
    400,
    "PGRST204",
    `Could not find the '${column}' column of '${table}' in the schema cache`,
  );
}

/** A column of a query string that the table does not have: said as Postgres says it. */
export function columnMissing(table: string, column: string): RestError {
  return new RestError(400, "42703", `column ${table}.${column} does not exist`);
}

export function notSingular(rows: number): RestError {
  return new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
    details: `The result contains ${rows} rows`,
  });
}

/** Codes that mean the schema cache may be out of date. */
const staleCodes = new Set([
  // A statement may have been prepared when a column still had another type.
  "22P02",
  "42804",
  "PGRST200",
  "PGRST202",
  "PGRST204",
  "PGRST205",
  "42703",
  "42704",
  "42P01",
  "42883",
]);

/** True when a newer schema cache might answer the same request. */
export function mayBeStale(error: unknown): error is RestError {
  return error instanceof RestError && staleCodes.has(error.body.code);
}
