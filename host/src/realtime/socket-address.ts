import type { IncomingMessage } from "node:http";
import { forwardedAddress, senderOf } from "../auth/client-address.ts";

/** What counts as one sender of sockets: an IPv4 address or an IPv6 /64, seen through the trusted proxy. */
export function socketAddress(request: IncomingMessage, trustedProxy: string | undefined): string {
  const forwarded = request.headers["x-forwarded-for"];
  const header = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  return senderOf(forwardedAddress(request.socket.remoteAddress ?? "", header, trustedProxy));
}
