// Responses to rejected requests, in the error format of each service's official client.

import type { Context } from "hono";
import {
  errorResponse,
  tooManyTokenRefreshes,
  requestTimeout,
  tooManyRequests,
} from "../auth/auth-error.ts";
import type { LimitedService } from "./limits.ts";
import type { LimitRejection } from "./request-limiter.ts";

/** Error code for too many requests; the code of the auth API. */
const overLimitCode = "over_request_rate_limit";
/** Error code when too many anonymous requests are running. */
const busyCode = "server_busy";

interface LimitError {
  status: 408 | 429 | 503;
  code: string;
  message: string;
}

function toLimitError({ reason, retryAfterS }: LimitRejection): LimitError {
  const again = `Try again in ${retryAfterS} second${retryAfterS === 1 ? "" : "s"}.`;
  switch (reason) {
    case "rate":
      return { status: 429, code: overLimitCode, message: `Too many requests. ${again}` };
    case "concurrency":
      return { status: 429, code: overLimitCode, message: `Too many requests at once. ${again}` };
    case "slow":
      return { status: 408, code: "request_timeout", message: "The request came too slowly." };
    case "busy":
      return { status: 503, code: busyCode, message: `The server is busy. ${again}` };
  }
}

/** The error body in the format of each service's official client. */
function errorBody(
  service: Exclude<LimitedService, "auth">,
  { status, code, message }: LimitError,
) {
  switch (service) {
    case "rest":
      return { code, message, details: null, hint: null };
    case "storage":
      return { statusCode: String(status), error: "SlowDown", code: "SlowDown", message };
    case "functions":
      return { code, message };
  }
}

/** Lets a page of any origin read the response. */
function allowAnyOrigin(c: Context): void {
  c.header("access-control-allow-origin", "*");
  c.header("access-control-expose-headers", "Retry-After, X-Sb-Error-Code, Sb-Error-Code");
}

/** The response to a rejected token refresh: one after which the official client retries. */
export function tokenRefreshLimitResponse(c: Context, rejection: LimitRejection): Response {
  allowAnyOrigin(c);
  return errorResponse(c, tooManyTokenRefreshes(rejection.retryAfterS));
}

/** The response to a rejected request: its status with `Retry-After`, readable from any origin. */
export function limitResponse(
  c: Context,
  service: LimitedService,
  rejection: LimitRejection,
): Response {
  allowAnyOrigin(c);
  if (service === "auth") {
    if (rejection.reason === "rate" || rejection.reason === "concurrency") {
      return errorResponse(c, tooManyRequests(rejection.retryAfterS));
    }
    return errorResponse(c, requestTimeout(rejection.retryAfterS));
  }
  const error = toLimitError(rejection);
  c.header("retry-after", String(rejection.retryAfterS));
  if (service === "functions") c.header("sb-error-code", error.code);
  return c.json(errorBody(service, error), error.status);
}
