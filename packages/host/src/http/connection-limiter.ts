import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientNetwork } from "../limits/client-address.ts";
import type { HttpLimits } from "./http-limits.ts";

const sweepEveryMs = 250;

/** A request whose response is not finished. */
interface OpenRequest {
  request: IncomingMessage;
  response: ServerResponse;
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
function bufferedBytes(connection: Connection): number {
  let received = 0;
  for (const { bytesReadAtStart } of connection.open) {
    received = Math.max(received, connection.socket.bytesRead - bytesReadAtStart);
  }
  return received + connection.socket.writableLength;
}

/**
 * Counts connections per address, and closes those whose response takes too long or whose buffers are too large.
 * Upgraded connections still count, but are no longer swept: their protocol has its own limits.
 */
export class ConnectionLimiter {
  readonly #limits: HttpLimits;
  readonly #isExempt: (address: string) => boolean;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #counts = new Map<string, number>();
  readonly #busy = new Set<Connection>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(limits: HttpLimits, isExempt: (address: string) => boolean) {
    this.#limits = limits;
    this.#isExempt = isExempt;
    this.#sweeping = setInterval(() => this.#sweep(), sweepEveryMs);
    this.#sweeping.unref();
  }

  /** Starts tracking a connection. An error on it closes that connection only. */
  trackConnection(socket: Socket): void {
    // Each stage of a connection adds its own error listeners, with gaps between them. An unhandled error would end the process.
    socket.on("error", () => socket.destroy());
    const address = socket.remoteAddress ?? "";
    const network = this.#isExempt(address) ? "" : clientNetwork(address);
    const connection: Connection = { socket, network, open: new Set() };
    this.#bySocket.set(socket, connection);
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    socket.once("close", () => {
      this.#busy.delete(connection);
      const left = (this.#counts.get(network) ?? 1) - 1;
      if (left === 0) this.#counts.delete(network);
      else this.#counts.set(network, left);
    });
    // A few connections above the limit are accepted so that they get a 429 response; the rest are closed at once.
    if (this.#isOver(network, this.#limits.maxConnectionsPerAddress * 1.25)) socket.destroy();
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
        const others = byNetwork.get(connection.network);
        if (others === undefined) byNetwork.set(connection.network, [connection]);
        else others.push(connection);
      }
    }
    for (const [network, connections] of byNetwork) {
      if (network !== "") closeLargest(connections, this.#limits.maxBufferedBytesPerAddress);
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
