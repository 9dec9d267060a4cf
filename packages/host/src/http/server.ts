import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { Connections, type Excess } from "./connection-limiter.ts";
import type { HttpLimits } from "./http-limits.ts";
import { refuseRequest, refuseSocket, type Refusal } from "./http-error.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Refused connections are reported at most this often. */
const reportEveryMs = 10_000;

const METHOD_NOT_ALLOWED: Refusal = {
  status: 405,
  code: "method_not_allowed",
  message: "This server does not know that method.",
  headers: { allow: METHODS.join(", ") },
};

const NOT_A_SOCKET: Refusal = {
  status: 404,
  code: "not_found",
  message: "There is no socket at this address.",
};

const EXCESSIVE: Readonly<Record<Excess, Refusal>> = {
  connections: {
    status: 429,
    code: "too_many_connections",
    message: "Too many connections from this address. Close some and try again.",
    headers: { "retry-after": "5" },
  },
  pipelining: {
    status: 429,
    code: "too_many_pipelined_requests",
    message: "Too many requests at once on one connection. Wait for answers before you ask again.",
    headers: { "retry-after": "1" },
  },
};

/** Who answers, once the server has let a request in. */
export interface HttpHandlers {
  request: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Takes over a connection that asks to become a WebSocket; false when nothing listens at that address. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
}

function asksForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * An HTTP server for the open internet: whatever a client does to its connection ends that connection at most.
 * It bounds connections, time and held bytes, and answers 4xx to what is no proper request. It does not listen yet.
 */
export function createHttpServer(
  handlers: HttpHandlers,
  options: {
    log: Logger;
    /** True for addresses that stand for many clients, such as the trusted proxy. */
    isExempt: (address: string) => boolean;
    limits: HttpLimits;
  },
): Server {
  const { log, limits } = options;
  const connections = new Connections(limits, options.isExempt);
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    // Other upgrades (curl offers h2c) are served as if they had not been asked for, as the standard has it.
    shouldUpgradeCallback: asksForWebSocket,
  });
  server.timeout = limits.idleTimeoutMs;
  server.maxConnections = limits.maxConnections;

  server.on("connection", (socket: Socket) => connections.accept(socket));
  server.on("timeout", (socket: Socket) => {
    // A long computation of ours is no fault of the client's; being idle otherwise is.
    if (connections.isWorkingFor(socket)) socket.setTimeout(limits.idleTimeoutMs);
    else socket.destroy();
  });

  server.on("request", (request, response) => {
    // A stream without a listener for its errors ends the process.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const excess = connections.begin(request, response);
    if (excess !== undefined) {
      refuseRequest(request, response, EXCESSIVE[excess]);
      return;
    }
    if (!METHODS.includes(request.method ?? "")) {
      refuseRequest(request, response, METHOD_NOT_ALLOWED);
      return;
    }
    handlers.request(request, response).catch((error: unknown) => {
      log.error({ err: error }, "an answer could not be written");
      response.destroy();
    });
  });

  server.on("upgrade", (request, socket, head) => {
    try {
      if (!handlers.upgrade(request, socket, head)) refuseSocket(socket, NOT_A_SOCKET);
    } catch (error) {
      log.error({ err: error }, "a socket could not be opened");
      socket.destroy();
    }
  });
  server.on("connect", (_request, socket) => refuseSocket(socket, METHOD_NOT_ALLOWED));

  let dropped = 0;
  let reportedAt = 0;
  server.on("drop", () => {
    dropped += 1;
    if (Date.now() - reportedAt < reportEveryMs) return;
    reportedAt = Date.now();
    log.warn(
      { dropped, limit: limits.maxConnections },
      "too many connections; new ones are dropped",
    );
    dropped = 0;
  });
  server.on("close", () => connections.stop());
  return server;
}
