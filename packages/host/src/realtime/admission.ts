import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { InvalidToken } from "../keys.ts";
import type { ProtocolVersion } from "./frames.ts";
import { strangerGraceMs } from "./limits.ts";
import { isOriginAllowed } from "./origin.ts";
import type { RealtimeParts } from "./parts.ts";
import type { Address } from "./senders.ts";
import { senderOfUpgrade } from "../limits/client-address.ts";

const TOO_MANY_SOCKETS = "Too many connected users";
const TOO_MANY_CONNECTS = "Too many joins per second";
/** When to try again, in seconds. */
const RETRY_AFTER_S = 5;
/** Share of all strangers' sockets one address may hold while there is no room for more. */
const STRANGER_SHARE = 0.02;

/** How a socket was opened. */
export interface SocketOrigin {
  wire: Duplex;
  version: ProtocolVersion;
  apiKey: string;
  address: Address;
  /** True for the project's own backend. */
  isService: boolean;
}

/** Answers a connection that does not become a socket, and ends it whether or not its client does. */
export function refuse(socket: Duplex, status: string, error: string, retryAfterS = 0): void {
  const body = JSON.stringify({ error });
  const retry = retryAfterS > 0 ? `Retry-After: ${retryAfterS}\r\n` : "";
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n${retry}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Decides which connections become sockets, and counts those that are open or being opened. */
export class Admission {
  readonly #parts: RealtimeParts;
  #sockets = 0;

  constructor(parts: RealtimeParts) {
    this.#parts = parts;
  }

  /** @returns undefined when the connection was answered and ended */
  async admit(request: IncomingMessage, wire: Duplex): Promise<SocketOrigin | undefined> {
    const { context, identities, senders } = this.#parts;
    const address = senders.address(senderOfUpgrade(request, context.config.trustedProxy));
    const reason = this.#refusal(address);
    if (reason !== undefined) {
      refuse(wire, "429 Too Many Requests", reason, RETRY_AFTER_S);
      return undefined;
    }
    this.#count(address, wire);
    if (!isOriginAllowed(context, request)) {
      refuse(wire, "403 Forbidden", "Pages of this site may not connect");
      return undefined;
    }
    const query = new URL(request.url ?? "/", context.localUrl).searchParams;
    const apiKey = query.get("apikey") ?? String(request.headers["apikey"] ?? "");
    try {
      const { identity } = await identities.of(apiKey, undefined);
      const version = query.get("vsn") === "2.0.0" ? "2.0.0" : "1.0.0";
      return { wire, version, apiKey, address, isService: identity.role === "service_role" };
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      refuse(wire, "401 Unauthorized", error.message);
      return undefined;
    }
  }

  #refusal(address: Address): string | undefined {
    const { context, limits } = this.#parts;
    if (!address.connects.take(1, context.now())) return TOO_MANY_CONNECTS;
    if (address.sockets >= limits.socketsPerAddress) return TOO_MANY_SOCKETS;
    if (this.#sockets >= limits.sockets) return TOO_MANY_SOCKETS;
    return this.#hasRoomForStranger(address) ? undefined : TOO_MANY_SOCKETS;
  }

  /** Every socket begins as a stranger's. Where there are too many, the oldest that never became a member's makes room. */
  #hasRoomForStranger(address: Address): boolean {
    const { context, limits, strangers } = this.#parts;
    if (strangers.size < limits.strangerSockets) return true;
    if (address.sockets > limits.strangerSockets * STRANGER_SHARE) return false;
    const [oldest] = strangers;
    if (oldest === undefined || context.now() - oldest.openedAt < strangerGraceMs) return false;
    strangers.delete(oldest);
    oldest.terminate();
    return true;
  }

  #count(address: Address, wire: Duplex): void {
    this.#sockets += 1;
    address.sockets += 1;
    wire.once("close", () => {
      this.#sockets -= 1;
      address.sockets -= 1;
    });
  }
}
