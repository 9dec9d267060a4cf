// Finds the client's address, also behind the trusted proxy, and the network that limits are counted by.

import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

function withoutMapping(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

/** True when a socket's address is the configured proxy's. */
export function isProxy(address: string, trustedProxy: string | undefined): boolean {
  return trustedProxy !== undefined && withoutMapping(address) === withoutMapping(trustedProxy);
}

/**
 * Address the request came from: the socket's, or, behind the trusted proxy, the last address
 * of the `x-forwarded-for` header.
 */
export function clientAddress(c: Context, trustedProxy: string | undefined): string {
  const hasSocket = typeof c.env === "object" && c.env !== null && "incoming" in c.env;
  const socket = hasSocket ? getConnInfo(c).remote.address : undefined;
  return forwardedAddress(socket, c.req.header("x-forwarded-for"), trustedProxy);
}

/** The same for a socket address and an `x-forwarded-for` header, for an upgrade request. */
export function forwardedAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxy: string | undefined,
): string {
  const socket = withoutMapping(remoteAddress ?? "");
  if (!isProxy(socket, trustedProxy)) return socket;
  const forwarded = forwardedFor?.split(",").at(-1)?.trim();
  return forwarded ? withoutMapping(forwarded) : socket;
}

/** The client network of an upgrade request; see {@link clientNetwork}. */
export function clientNetworkOfUpgrade(
  request: IncomingMessage,
  trustedProxy: string | undefined,
): string {
  const forwarded = request.headers["x-forwarded-for"];
  const header = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  return clientNetwork(forwardedAddress(request.socket.remoteAddress, header, trustedProxy));
}

/** The key limits count by: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientNetwork(socketAddress: string): string {
  const address = withoutMapping(socketAddress);
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const gap = address.includes("::") ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array.from({ length: gap }, () => "0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => (Number.parseInt(group, 16) || 0).toString(16))
    .join(":")}::/64`;
}

/** True for this machine: functions, the operator, or a proxy that is not configured. It does not identify a caller. */
export function isLoopback(network: string): boolean {
  return network === "" || network === "0:0:0:0::/64" || network.startsWith("127.");
}
