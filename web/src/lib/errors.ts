import { mockClientCode, poolTimeout } from "./error-codes.ts";

/** What went wrong, in one shape whichever library said so. */
export interface AppError {
  /** Machine-readable, such as `invalid_credentials` or `23505`; empty when there is none. */
  readonly code: string;
  /** For people; empty when the source said nothing. */
  readonly message: string;
  /** HTTP status, 0 when no answer came. */
  readonly status: number;
}

/** Translates any thrown or returned error into a {@link AppError}. This is the only place that does. */
export function toAppError(error: unknown): AppError {
  if (typeof error === "string") return { code: "", message: error, status: 0 };
  if (typeof error !== "object" || error === null) return { code: "", message: "", status: 0 };
  const source = error as Record<string, unknown>;
  return {
    code: typeof source["code"] === "string" ? source["code"] : "",
    message: typeof source["message"] === "string" ? source["message"] : "",
    status: typeof source["status"] === "number" ? source["status"] : 0,
  };
}

/** Codes of a server that asks to come back later: it has done nothing, and trying again is safe. */
export const retryLaterCodes: ReadonlySet<string> = new Set([
  "over_request_rate_limit",
  "server_busy",
  "request_timeout",
  "SlowDown",
  "DatabaseTimeout",
  poolTimeout,
]);

/** When to try again, for the member, where a limit was met; else null. The sentence is made in retrying-fetch.ts. */
export function retryLaterMessage(error: unknown): string | null {
  const { code, message } = toAppError(error);
  return retryLaterCodes.has(code) && message !== "" ? message : null;
}

/** What helps where nothing is known about the reason. */
export const tryAgain = "Check your connection and try again.";

/**
 * The message of a database's error where it says what to do: one of docs/error-codes.md, of a limit, or of the stand-in
 * client; else the fallback. Other messages, of Postgres or of a browser without a connection, are for developers.
 */
export function messageOf(error: unknown, fallback: string): string {
  const { code, message } = toAppError(error);
  const isForMembers =
    code.startsWith("FF") || code === mockClientCode || retryLaterCodes.has(code);
  return isForMembers && message !== "" ? message : fallback;
}

/** True when no backend is configured and the stand-in client answered. */
export function isMockClientError(error: unknown): boolean {
  return toAppError(error).code === mockClientCode;
}
