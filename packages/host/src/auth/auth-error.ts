import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

const VERSION_HEADER = "x-supabase-api-version";
const VERSION = "2024-01-01";

/** What an extra field of an error says; only weak passwords have one. */
export interface WeakPassword {
  message: string;
  reasons: string[];
}

/** An answer other than success: status, code and a sentence, as the auth client expects them. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly status: ContentfulStatusCode;
  readonly code: string;
  /** Seconds until trying again makes sense. */
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

/** A value that cannot be accepted. */
export function invalid(message: string): AuthError {
  return new AuthError(400, "validation_failed", message);
}

/** Too many requests; `seconds` until the next one is heard. */
export function tooMany(
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

/** There was no room for the request. The official client tries again and keeps the session. */
export function requestTimeout(retryAfter: number): AuthError {
  const message = "Processing this request timed out, please retry after a moment.";
  return new AuthError(504, "request_timeout", message, { retryAfter });
}

/**
 * Too many sessions are being renewed. 429 would end the session in the official client, which keeps it and tries
 * again after 503.
 */
export function renewLater(seconds: number): AuthError {
  const { code, message, retryAfter = 1 } = tooMany(seconds);
  return new AuthError(503, code, message, { retryAfter });
}

function speaksCurrentVersion(c: Context): boolean {
  const asked = c.req.header(VERSION_HEADER) ?? "";
  return /^\d{4}-\d{2}-\d{2}$/.test(asked) && asked >= VERSION;
}

/** The body a client of its API version understands: `{code, message}`, or `{code, error_code, msg}` before 2024. */
export function errorResponse(c: Context, error: AuthError): Response {
  const weak = error.weakPassword ? { weak_password: { reasons: error.weakPassword.reasons } } : {};
  c.header("x-sb-error-code", error.code);
  if (error.retryAfter !== undefined) c.header("retry-after", String(error.retryAfter));
  if (speaksCurrentVersion(c)) {
    c.header(VERSION_HEADER, VERSION);
    return c.json({ code: error.code, message: error.message, ...weak }, error.status);
  }
  const body = { code: error.status, error_code: error.code, msg: error.message, ...weak };
  return c.json(body, error.status);
}
