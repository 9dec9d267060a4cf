// Checks WebSocket upgrade requests: limits on sockets, origin and API key.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { InvalidToken } from "../../keys.ts";
import type { ProtocolVersion } from "../socket/frames.ts";
import { anonGraceMs } from "../limits/realtime-limits.ts";
import { isOriginAllowed } from "./allowed-origin.ts";
import type { RealtimeServices } from "./realtime-services.ts";
import type { AddressUsage } from "../limits/caller-registry.ts";
import { clientNetworkOfUpgrade } from "../../limits/client-address.ts";

const tooManySockets = "Too many connected users";
const tooManyConnects = "Too many joins per second";
/** Value of `Retry-After`. */
const retryAfterSeconds = 5;
/** Share of all anonymous sockets one address may hold while the limit is reached. */
const anonShare = 0.02;

/** An accepted upgrade request. */
export interface AcceptedUpgrade {
  wire: Duplex;
  version: ProtocolVersion;
  apiKey: string;
  address: AddressUsage;
  /** True for the service role. */
  isService: boolean;
}

/** Answers a rejected upgrade and closes the connection. */
export function rejectUpgrade(
  socket: Duplex,
  status: string,
  error: string,
  retryAfterS = 0,
): void {
  const body = JSON.stringify({ error });
  const retry = retryAfterS > 0 ? `Retry-After: ${retryAfterS}\r\n` : "";
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n${retry}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Decides which connections may become sockets, and counts those that are open or opening. */
export class UpgradeGate {
  readonly #services: RealtimeServices;
  #sockets = 0;

  constructor(services: RealtimeServices) {
    this.#services = services;
  }

  /** @returns undefined when the connection was rejected */
  async admit(request: IncomingMessage, wire: Duplex): Promise<AcceptedUpgrade | undefined> {
    const { context, tokenVerifier, callers } = this.#services;
    const address = callers.address(clientNetworkOfUpgrade(request, context.config.trustedProxy));
    const reason = this.#rejectionReason(address);
    if (reason !== undefined) {
      rejectUpgrade(wire, "429 Too Many Requests", reason, retryAfterSeconds);
      return undefined;
    }
    this.#countUntilClosed(address, wire);
    if (!isOriginAllowed(context, request)) {
      rejectUpgrade(wire, "403 Forbidden", "Pages of this site may not connect");
      return undefined;
    }
    const query = new URL(request.url ?? "/", context.localUrl).searchParams;
    const apiKey = query.get("apikey") ?? String(request.headers["apikey"] ?? "");
    try {
      const { identity } = await tokenVerifier.verify(apiKey, undefined);
      const version = query.get("vsn") === "2.0.0" ? "2.0.0" : "1.0.0";
      return { wire, version, apiKey, address, isService: identity.role === "service_role" };
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      rejectUpgrade(wire, "401 Unauthorized", error.message);
      return undefined;
    }
  }

  #rejectionReason(address: AddressUsage): string | undefined {
    const { context, limits } = this.#services;
    if (!address.connects.take(1, context.now())) return tooManyConnects;
    if (address.sockets >= limits.socketsPerAddress) return tooManySockets;
    if (this.#sockets >= limits.sockets) return tooManySockets;
    return this.#hasRoomForAnonSocket(address) ? undefined : tooManySockets;
  }

  /** Every socket starts without an account. At the limit, the oldest one that still has none is closed. */
  #hasRoomForAnonSocket(address: AddressUsage): boolean {
    const { context, limits, anonSockets } = this.#services;
    if (anonSockets.size < limits.anonSockets) return true;
    if (address.sockets > limits.anonSockets * anonShare) return false;
    const [oldest] = anonSockets;
    if (oldest === undefined || context.now() - oldest.openedAt < anonGraceMs) return false;
    anonSockets.delete(oldest);
    oldest.terminate();
    return true;
  }

  #countUntilClosed(address: AddressUsage, wire: Duplex): void {
    this.#sockets += 1;
    address.sockets += 1;
    wire.once("close", () => {
      this.#sockets -= 1;
      address.sockets -= 1;
    });
  }
}
