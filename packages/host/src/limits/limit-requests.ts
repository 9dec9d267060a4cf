import type { Context, MiddlewareHandler } from "hono";
import type { HostContext } from "../context.ts";
import { InvalidToken, type Caller } from "../keys.ts";
import { clientAddress, senderOf } from "./client-address.ts";
import type { LimitedService } from "./limits.ts";
import { receiveBody } from "./receive-body.ts";
import { refuseRenewal, refuseRequest } from "./limit-responses.ts";
import type { RequestBudgets } from "./request-limiter.ts";

/** Whose budget a request is charged to: only a verified token makes anybody a member. */
async function callerOf(context: HostContext, request: Request): Promise<Caller | undefined> {
  try {
    return await context.keys.resolveCaller(request);
  } catch (error) {
    // The service itself says what is wrong with the token.
    if (error instanceof InvalidToken) return undefined;
    throw error;
  }
}

function memberOf(caller: Caller | undefined): string | undefined {
  return caller === undefined || caller.role === "anon"
    ? undefined
    : (caller.userId ?? `role ${caller.role}`);
}

/** A stranger's body has to come within this time; a member's within that of the request. */
const strangersBodyMs = 10_000;

function isPreflight(c: Context): boolean {
  return c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
}

/** The official client takes 429 here for the end of the session and signs its member out; it tries again after 503. */
function isTokenRefresh(c: Context): boolean {
  return c.req.path.endsWith("/token") && c.req.query("grant_type") === "refresh_token";
}

/**
 * Charges every request of a service to its caller and its address before the service does any work.
 * The service key is exempt, as are the questions browsers ask before a request.
 */
export function limitRequests(
  context: HostContext,
  budgets: RequestBudgets,
  service: LimitedService,
): MiddlewareHandler {
  return async (c, next) => {
    if (isPreflight(c)) return await next();
    const request = c.req.raw;
    const sender = senderOf(clientAddress(c, context.config.trustedProxy));
    const signal = () => request.signal;
    const renews = service === "auth" && isTokenRefresh(c);
    const caller = renews ? undefined : await callerOf(context, request);
    if (caller?.role === "service_role") return await next();
    const member = memberOf(caller);
    const receive = async () => {
      const deadlineMs = member === undefined ? strangersBodyMs : undefined;
      const received = await receiveBody(request, service, deadlineMs);
      if (received !== undefined) c.req.raw = received;
      return received !== undefined;
    };
    const admitted = renews
      ? await budgets.admitRenewal({ sender, signal, receive })
      : await budgets.admit({ service, member, sender, signal, receive });
    if (typeof admitted !== "function") {
      return renews ? refuseRenewal(c, admitted) : refuseRequest(c, service, admitted);
    }
    try {
      return await next();
    } finally {
      admitted();
    }
  };
}
