import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { clientNetwork, isLoopback } from "./client-address.ts";

const advice =
  "A proxy on this machine forwards requests, and TRUSTED_PROXY does not name it: " +
  "limits count all its clients as one. Set TRUSTED_PROXY to its address, such as 127.0.0.1.";

/** Tells the operator once when a proxy on this machine is not named, so that limits cannot tell its clients apart. */
export function warnOfUnnamedProxy(
  log: Pick<Logger, "warn">,
  trustedProxy: string | undefined,
): MiddlewareHandler {
  let hasWarned = trustedProxy !== undefined;
  return async (c, next) => {
    if (!hasWarned && c.req.header("x-forwarded-for") !== undefined) {
      const address = getConnInfo(c).remote.address ?? "";
      if (isLoopback(clientNetwork(address))) {
        hasWarned = true;
        log.warn({ address }, advice);
      }
    }
    await next();
  };
}
