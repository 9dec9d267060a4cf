// Hono middleware in front of each service that lets the request limiter admit or reject a request.

import type { Context, MiddlewareHandler } from "hono";
import type { HostContext } from "../context.ts";
import { isPreflight } from "../http/preflight.ts";
import { InvalidToken, type Caller } from "../keys.ts";
import { clientAddress, clientNetwork } from "./client-address.ts";
import type { LimitedService } from "./limits.ts";
import { mayHaveBody, receiveBody } from "./receive-body.ts";
import { tokenRefreshLimitResponse, limitResponse } from "./limit-responses.ts";
import type { RequestLimiter } from "./request-limiter.ts";

/** Who a request counts against: only a verified token makes the caller a member. */
async function callerOf(context: HostContext, request: Request): Promise<Caller | undefined> {
  try {
    return await context.keys.resolveCaller(request);
  } catch (error) {
    // The service itself reports what is wrong with the token.
    if (error instanceof InvalidToken) return undefined;
    throw error;
  }
}

function memberKey(caller: Caller | undefined): string | undefined {
  return caller === undefined || caller.role === "anon"
    ? undefined
    : (caller.userId ?? `role ${caller.role}`);
}

/** On 429 the official client ends the session and signs the member out; on 503 it retries. */
function isTokenRefresh(c: Context): boolean {
  return c.req.path.endsWith("/token") && c.req.query("grant_type") === "refresh_token";
}

/**
 * Counts every request to a service against its caller and its address before the service does any work.
 * Requests with the service key and CORS preflight requests are exempt.
 */
export function limitRequests(
  context: HostContext,
  limiter: RequestLimiter,
  service: LimitedService,
): MiddlewareHandler {
  return async (c, next) => {
    if (isPreflight(c.req.raw)) return await next();
    const request = c.req.raw;
    const network = clientNetwork(clientAddress(c, context.config.trustedProxy));
    const signal = () => request.signal;
    const isRefresh = service === "auth" && isTokenRefresh(c);
    const caller = isRefresh ? undefined : await callerOf(context, request);
    if (caller?.role === "service_role") return await next();
    const member = memberKey(caller);
    const isUpload = service === "storage" && mayHaveBody(request) && request.body !== null;
    const receive = async () => {
      const { anonymousBodyTimeoutMs } = context.config.limits.requests;
      const deadlineMs = member === undefined ? anonymousBodyTimeoutMs : undefined;
      const received = await receiveBody(request, service, deadlineMs);
      if (received !== undefined) c.req.raw = received;
      return received !== undefined;
    };
    const admitted = isRefresh
      ? await limiter.admitTokenRefresh({ network, signal, receive })
      : await limiter.admit({ service, member, network, isUpload, signal, receive });
    if (typeof admitted !== "function") {
      return isRefresh
        ? tokenRefreshLimitResponse(c, admitted)
        : limitResponse(c, service, admitted);
    }
    try {
      return await next();
    } finally {
      admitted();
    }
  };
}
