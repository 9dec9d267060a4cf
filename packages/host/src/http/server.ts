// Node's HTTP server with the limits and checks that the open internet requires, before any route sees a request.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import {
  ConnectionLimiter,
  type ConnectionRules,
  type ExceededLimit,
} from "./connection-limiter.ts";
import type { HttpLimits } from "./http-limits.ts";
import { sendHttpError, sendHttpErrorToSocket, type HttpError } from "./http-error.ts";

const allowedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Dropped connections are logged at most this often. */
const reportEveryMs = 10_000;

const methodNotAllowed: HttpError = {
  status: 405,
  code: "method_not_allowed",
  message: "This server does not know that method.",
  headers: { allow: allowedMethods.join(", ") },
};

/** Two programs on the way could each take another one (RFC 9112, section 3.2). */
const severalHosts: HttpError = {
  status: 400,
  code: "bad_request",
  message: "A request names one host.",
};

const webSocketNotFound: HttpError = {
  status: 404,
  code: "not_found",
  message: "There is no socket at this address.",
};

const connectionLimitErrors: Readonly<Record<ExceededLimit, HttpError>> = {
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

/** Handlers for requests that passed the server's own checks. */
export interface HttpHandlers {
  request: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Handles a WebSocket upgrade; returns false when there is no WebSocket endpoint at that path. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
}

function asksForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === "websocket";
}

function namesSeveralHosts(request: IncomingMessage): boolean {
  return (request.headersDistinct.host ?? []).length > 1;
}

/**
 * An HTTP server for the open internet: a misbehaving client can lose its own connection and nothing else.
 * It bounds connections, durations and buffered bytes, and answers malformed requests with 4xx. It does not listen yet.
 */
export function createHttpServer(
  handlers: HttpHandlers,
  options: { log: Logger; rules: ConnectionRules; limits: HttpLimits },
): Server {
  const { log, limits } = options;
  const connections = new ConnectionLimiter(limits, options.rules);
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    // Other upgrades, such as h2c from curl, are ignored and served as plain HTTP/1.1, as RFC 9110 allows.
    shouldUpgradeCallback: asksForWebSocket,
  });
  server.timeout = limits.idleTimeoutMs;
  server.maxConnections = limits.maxConnections;

  server.on("connection", (socket: Socket) => connections.trackConnection(socket));
  server.on("timeout", (socket: Socket) => {
    // The client is not idle while the server still computes its response.
    if (connections.isClientWaiting(socket)) socket.setTimeout(limits.idleTimeoutMs);
    else socket.destroy();
  });

  server.on("request", (request, response) => {
    // An error event without a listener would end the process.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const exceeded = connections.trackRequest(request, response);
    if (exceeded !== undefined) {
      sendHttpError(request, response, connectionLimitErrors[exceeded]);
      return;
    }
    if (!allowedMethods.includes(request.method ?? "")) {
      sendHttpError(request, response, methodNotAllowed);
      return;
    }
    if (namesSeveralHosts(request)) {
      sendHttpError(request, response, severalHosts);
      return;
    }
    handlers.request(request, response).catch((error: unknown) => {
      log.error({ err: error }, "an answer could not be written");
      response.destroy();
    });
  });

  server.on("upgrade", (request, socket, head) => {
    try {
      // A rejected upgrade still counts as a connection until it is closed.
      if (namesSeveralHosts(request)) sendHttpErrorToSocket(socket, severalHosts);
      else if (handlers.upgrade(request, socket, head)) connections.release(socket);
      else sendHttpErrorToSocket(socket, webSocketNotFound);
    } catch (error) {
      log.error({ err: error }, "a socket could not be opened");
      socket.destroy();
    }
  });
  server.on("connect", (_request, socket) => sendHttpErrorToSocket(socket, methodNotAllowed));

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
