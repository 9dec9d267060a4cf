import type { Context } from "hono";
import { errorResponse, renewLater, requestTimeout, tooMany } from "../auth/auth-error.ts";
import type { LimitedService } from "./limits.ts";
import type { BudgetRefusal } from "./request-limiter.ts";

/** Code of a refusal by rate or concurrency; the word the accounts service has for it. */
const overLimitCode = "over_request_rate_limit";
/** Code of a refusal because too many strangers are being served. */
const busyCode = "server_busy";

interface Saying {
  status: 408 | 429 | 503;
  code: string;
  message: string;
}

function sayingOf({ reason, retryAfterS }: BudgetRefusal): Saying {
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

/** The body each official client reads its error from. */
function bodyOf(service: Exclude<LimitedService, "auth">, { status, code, message }: Saying) {
  switch (service) {
    case "rest":
      return { code, message, details: null, hint: null };
    case "storage":
      return { statusCode: String(status), error: "SlowDown", code: "SlowDown", message };
    case "functions":
      return { code, message };
  }
}

/** Readable by any site. */
function letAnySiteRead(c: Context): void {
  c.header("access-control-allow-origin", "*");
  c.header("access-control-expose-headers", "Retry-After, X-Sb-Error-Code, Sb-Error-Code");
}

/** The answer to the renewal of a session that is not heard now: one that the official client tries again. */
export function refuseRenewal(c: Context, refusal: BudgetRefusal): Response {
  letAnySiteRead(c);
  return errorResponse(c, renewLater(refusal.retryAfterS));
}

/** The answer to a request that is not heard now: 429 or 503 with `Retry-After`, readable by any site. */
export function refuseRequest(
  c: Context,
  service: LimitedService,
  refusal: BudgetRefusal,
): Response {
  letAnySiteRead(c);
  if (service === "auth") {
    if (refusal.reason === "rate" || refusal.reason === "concurrency") {
      return errorResponse(c, tooMany(refusal.retryAfterS));
    }
    return errorResponse(c, requestTimeout(refusal.retryAfterS));
  }
  const saying = sayingOf(refusal);
  c.header("retry-after", String(refusal.retryAfterS));
  if (service === "functions") c.header("sb-error-code", saying.code);
  return c.json(bodyOf(service, saying), saying.status);
}
