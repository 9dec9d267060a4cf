// Errors of the auth API and the JSON they become, in the format of the API version the client asks for.

import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import pg from "pg";

const versionHeader = "x-supabase-api-version";
const currentVersion = "2024-01-01";

/** Details of a `weak_password` error. */
export interface WeakPassword {
  message: string;
  reasons: string[];
}

/** An error response of the auth API: status, code and message, in the format the official client expects. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  /** Seconds until a retry may succeed. */
  readonly retryAfter: number | undefined;
  readonly weakPassword: WeakPassword | undefined;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    extra: { retryAfter?: number; weakPassword?: WeakPassword } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = extra.retryAfter;
    this.weakPassword = extra.weakPassword;
  }
}

/** 400 for an invalid value in a request. */
export function validationFailed(message: string): AuthError {
  return new AuthError(400, "validation_failed", message);
}

/** 429; `seconds` is the time until the next request is accepted. */
export function tooManyRequests(
  seconds: number,
  code: "over_request_rate_limit" | "over_email_send_rate_limit" = "over_request_rate_limit",
): AuthError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  const message =
    code === "over_request_rate_limit"
      ? "Request rate limit reached"
      : `For security purposes, you can only request this after ${retryAfter} seconds.`;
  return new AuthError(429, code, message, { retryAfter });
}

/** 504 when the server has no capacity. The official client retries and keeps the session. */
export function requestTimeout(retryAfter: number): AuthError {
  const message = "Processing this request timed out, please retry after a moment.";
  return new AuthError(504, "request_timeout", message, { retryAfter });
}

/**
 * 503 for too many token refreshes. On 429 the official client would end the session; on 503 it keeps the session
 * and retries.
 */
export function tooManyTokenRefreshes(seconds: number): AuthError {
  const { code, message, retryAfter = 1 } = tooManyRequests(seconds);
  return new AuthError(503, code, message, { retryAfter });
}

/**
 * A refusal of the project's database: a trigger on a table of ours raised SQLSTATE `PT4xx`, whose digits are the status
 * and which is the code, as at hosted projects. Undefined for every other error.
 */
export function databaseRefusal(error: unknown): AuthError | undefined {
  if (!(error instanceof pg.DatabaseError) || !/^PT4\d\d$/.test(error.code ?? "")) return undefined;
  const code = error.code ?? "";
  return new AuthError(Number(code.slice(2)) as ContentfulStatusCode, code, error.message);
}

function acceptsCurrentVersion(c: Context): boolean {
  const requested = c.req.header(versionHeader) ?? "";
  return /^\d{4}-\d{2}-\d{2}$/.test(requested) && requested >= currentVersion;
}

/** The error body of the client's API version: `{code, message}`, or `{code, error_code, msg}` before 2024. */
export function errorResponse(c: Context, error: AuthError): Response {
  const weak = error.weakPassword ? { weak_password: { reasons: error.weakPassword.reasons } } : {};
  c.header("x-sb-error-code", error.code);
  if (error.retryAfter !== undefined) c.header("retry-after", String(error.retryAfter));
  if (acceptsCurrentVersion(c)) {
    c.header(versionHeader, currentVersion);
    return c.json({ code: error.code, message: error.message, ...weak }, error.status);
  }
  const body = { code: error.status, error_code: error.code, msg: error.message, ...weak };
  return c.json(body, error.status);
}
