// Bounds the connections and buffered bytes of each client, which Node's HTTP server alone does not.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { clientNetwork } from "../limits/client-address.ts";
import type { HttpLimits } from "./http-limits.ts";

const sweepEveryMs = 250;

/** A request whose response is not finished. */
interface OpenRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** The client network; behind a proxy it differs between requests of one connection. */
  network: string;
  /** True when the body is written to disk as it arrives, so that only its unread part is buffered. */
  isStreamed: boolean;
  /** `socket.bytesRead` when the headers were complete. */
  bytesReadAtStart: number;
  responseStartedAt: number | undefined;
}

interface Connection {
  socket: Socket;
  network: string;
  open: Set<OpenRequest>;
}

/** Which limit a request exceeded. */
export type ExceededLimit = "connections" | "pipelining";

/** Bytes the process may hold in memory for a connection: request bytes received and response bytes not yet sent. */
function bufferedBytes({ socket, open }: Connection): number {
  let received = 0;
  for (const { request, isStreamed, bytesReadAtStart } of open) {
    const buffered = isStreamed ? request.readableLength : socket.bytesRead - bytesReadAtStart;
    received = Math.max(received, buffered);
  }
  return received + socket.writableLength;
}

/** What {@link ConnectionLimiter} asks about clients and requests. */
export interface ConnectionRules {
  /** True for addresses that represent many clients, such as the trusted proxy. */
  isExempt: (address: string) => boolean;
  /** The client network of a request; see `clientNetwork`. */
  networkOf: (request: IncomingMessage) => string;
  /** True for requests whose bodies are written to disk as they arrive. */
  isStreamed: (request: IncomingMessage) => boolean;
}

/**
 * Counts connections per address, and closes those whose response takes too long or whose buffers are too large.
 * Upgraded connections are no longer counted or swept: their protocol has its own limits.
 */
export class ConnectionLimiter {
  readonly #limits: HttpLimits;
  readonly #rules: ConnectionRules;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #counts = new Map<string, number>();
  readonly #busy = new Set<Connection>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(limits: HttpLimits, rules: ConnectionRules) {
    this.#limits = limits;
    this.#rules = rules;
    this.#sweeping = setInterval(() => this.#sweep(), sweepEveryMs);
    this.#sweeping.unref();
  }

  /** Starts tracking a connection. An error on it closes that connection only. */
  trackConnection(socket: Socket): void {
    // Each stage of a connection adds its own error listeners, with gaps between them. An unhandled error would end the process.
    socket.on("error", () => socket.destroy());
    const address = socket.remoteAddress ?? "";
    const network = this.#rules.isExempt(address) ? "" : clientNetwork(address);
    const connection: Connection = { socket, network, open: new Set() };
    this.#bySocket.set(socket, connection);
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    socket.once("close", () => this.#untrack(connection));
    // A few connections above the limit are accepted so that they get a 429 response; the rest are closed at once.
    if (this.#isOver(network, this.#limits.maxConnectionsPerAddress * 1.25)) socket.destroy();
  }

  /** Stops tracking a connection that was upgraded to another protocol. */
  release(socket: Duplex): void {
    const connection = this.#bySocket.get(socket as Socket);
    if (connection !== undefined) this.#untrack(connection);
  }

  #untrack(connection: Connection): void {
    const { socket, network } = connection;
    if (!this.#bySocket.delete(socket)) return;
    this.#busy.delete(connection);
    const left = (this.#counts.get(network) ?? 1) - 1;
    if (left === 0) this.#counts.delete(network);
    else this.#counts.set(network, left);
  }

  #isOver(network: string, limit: number): boolean {
    return network !== "" && (this.#counts.get(network) ?? 0) > limit;
  }

  /** Tracks a request until its response is finished. @returns the limit it exceeds, if any */
  trackRequest(request: IncomingMessage, response: ServerResponse): ExceededLimit | undefined {
    const connection = this.#bySocket.get(request.socket);
    if (connection === undefined) return undefined;
    const { socket, open } = connection;
    const entry = {
      request,
      response,
      network: connection.network || this.#rules.networkOf(request),
      isStreamed: this.#rules.isStreamed(request),
      bytesReadAtStart: socket.bytesRead,
      responseStartedAt: undefined,
    };
    open.add(entry);
    this.#busy.add(connection);
    response.once("close", () => {
      open.delete(entry);
      if (open.size === 0) this.#busy.delete(connection);
    });
    if (this.#isOver(connection.network, this.#limits.maxConnectionsPerAddress))
      return "connections";
    return open.size > this.#limits.maxPipelined ? "pipelining" : undefined;
  }

  /** True while the client waits for the server: its request is complete, and it has read all that was written so far. */
  isClientWaiting(socket: Socket): boolean {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || socket.writableLength > 0) return false;
    return [...connection.open].some(({ request }) => request.complete);
  }

  #sweep(): void {
    const now = Date.now();
    const byNetwork = new Map<string, Connection[]>();
    for (const connection of this.#busy) {
      if (this.#isResponseOverdue(connection, now)) connection.socket.destroy();
      else if (bufferedBytes(connection) > 0) {
        const [first] = connection.open;
        const network = first?.network ?? connection.network;
        const others = byNetwork.get(network);
        if (others === undefined) byNetwork.set(network, [connection]);
        else others.push(connection);
      }
    }
    for (const connections of byNetwork.values()) {
      closeLargest(connections, this.#limits.maxBufferedBytesPerAddress);
    }
    closeLargest([...byNetwork.values()].flat(), this.#limits.maxBufferedBytes);
  }

  #isResponseOverdue(connection: Connection, now: number): boolean {
    for (const entry of connection.open) {
      if (!entry.response.headersSent) continue;
      entry.responseStartedAt ??= now;
      if (now - entry.responseStartedAt > this.#limits.responseTimeoutMs) return true;
    }
    return false;
  }

  stop(): void {
    clearInterval(this.#sweeping);
  }
}

/** Closes the connections with the largest buffers until the rest hold at most `limit` bytes. */
function closeLargest(connections: readonly Connection[], limit: number): void {
  const sized = connections
    .filter(({ socket }) => !socket.destroyed)
    .map((connection) => ({ socket: connection.socket, buffered: bufferedBytes(connection) }));
  let sum = sized.reduce((total, { buffered }) => total + buffered, 0);
  if (sum <= limit) return;
  sized.sort((a, b) => b.buffered - a.buffered);
  for (const { socket, buffered } of sized) {
    if (sum <= limit) return;
    socket.destroy();
    sum -= buffered;
  }
}
