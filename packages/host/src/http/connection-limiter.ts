import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { senderOf } from "../limits/client-address.ts";
import type { HttpLimits } from "./http-limits.ts";

const sweepEveryMs = 250;

/** A request whose answer has not been written out. */
interface OpenRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** `socket.bytesRead` when its headers were complete. */
  bytesReadBefore: number;
  answerBeganAt: number | undefined;
}

interface Connection {
  socket: Socket;
  sender: string;
  open: Set<OpenRequest>;
}

/** Why a connection or request is not served. */
export type Excess = "connections" | "pipelining";

/** Bytes that the process may hold for the open requests of a connection: what came in and what is not read yet. */
function heldBytes(connection: Connection): number {
  let received = 0;
  for (const { bytesReadBefore } of connection.open) {
    received = Math.max(received, connection.socket.bytesRead - bytesReadBefore);
  }
  return received + connection.socket.writableLength;
}

/**
 * Counts the connections of each address, and cuts off those that stand still, take too long or hold too much.
 * Connections that became sockets of another protocol stay counted, but are no longer swept: they have limits of their own.
 */
export class Connections {
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

  /** Takes note of a connection; its errors end it and nothing else. */
  accept(socket: Socket): void {
    // Every stage of a connection has listeners of its own, with gaps between them; an error in a gap would end the process.
    socket.on("error", () => socket.destroy());
    const address = socket.remoteAddress ?? "";
    const sender = this.#isExempt(address) ? "" : senderOf(address);
    const connection: Connection = { socket, sender, open: new Set() };
    this.#bySocket.set(socket, connection);
    const count = (this.#counts.get(sender) ?? 0) + 1;
    this.#counts.set(sender, count);
    socket.once("close", () => {
      this.#busy.delete(connection);
      const left = (this.#counts.get(sender) ?? 1) - 1;
      if (left === 0) this.#counts.delete(sender);
      else this.#counts.set(sender, left);
    });
    // Some more than the limit are let in to be told so; the rest are not worth an answer.
    if (this.#isOver(sender, this.#limits.maxConnectionsPerAddress * 1.25)) socket.destroy();
  }

  #isOver(sender: string, limit: number): boolean {
    return sender !== "" && (this.#counts.get(sender) ?? 0) > limit;
  }

  /** Takes note of a request until its answer is out; says what there is too much of, if anything. */
  begin(request: IncomingMessage, response: ServerResponse): Excess | undefined {
    const connection = this.#bySocket.get(request.socket);
    if (connection === undefined) return undefined;
    const { socket, open } = connection;
    const entry = {
      request,
      response,
      bytesReadBefore: socket.bytesRead,
      answerBeganAt: undefined,
    };
    open.add(entry);
    this.#busy.add(connection);
    response.once("close", () => {
      open.delete(entry);
      if (open.size === 0) this.#busy.delete(connection);
    });
    if (this.#isOver(connection.sender, this.#limits.maxConnectionsPerAddress))
      return "connections";
    return open.size > this.#limits.maxPipelined ? "pipelining" : undefined;
  }

  /** True while the client waits for us: all of its request has come, and it has taken all we have written so far. */
  isWorkingFor(socket: Socket): boolean {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || socket.writableLength > 0) return false;
    return [...connection.open].some(({ request }) => request.complete);
  }

  #sweep(): void {
    const now = Date.now();
    const bySender = new Map<string, Connection[]>();
    for (const connection of this.#busy) {
      if (this.#answersTooLong(connection, now)) connection.socket.destroy();
      else if (heldBytes(connection) > 0) {
        const others = bySender.get(connection.sender);
        if (others === undefined) bySender.set(connection.sender, [connection]);
        else others.push(connection);
      }
    }
    for (const [sender, connections] of bySender) {
      if (sender !== "") cutLargest(connections, this.#limits.maxHeldBytesPerAddress);
    }
    cutLargest([...bySender.values()].flat(), this.#limits.maxHeldBytes);
  }

  #answersTooLong(connection: Connection, now: number): boolean {
    for (const entry of connection.open) {
      if (!entry.response.headersSent) continue;
      entry.answerBeganAt ??= now;
      if (now - entry.answerBeganAt > this.#limits.answerTimeoutMs) return true;
    }
    return false;
  }

  stop(): void {
    clearInterval(this.#sweeping);
  }
}

/** Cuts off the connections that hold most until the rest hold no more than `limit`. */
function cutLargest(connections: readonly Connection[], limit: number): void {
  const sized = connections
    .filter(({ socket }) => !socket.destroyed)
    .map((connection) => ({ socket: connection.socket, held: heldBytes(connection) }));
  let sum = sized.reduce((total, { held }) => total + held, 0);
  if (sum <= limit) return;
  sized.sort((a, b) => b.held - a.held);
  for (const { socket, held } of sized) {
    if (sum <= limit) return;
    socket.destroy();
    sum -= held;
  }
}
