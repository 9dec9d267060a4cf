// Sends the errors of the HTTP server itself and closes the connection so that the client can still read them.

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How long a rejected client may take to close its connection before the socket is destroyed. */
const lingerMs = 1000;

/** An error response that the server sends itself, before any service handles the request. */
export interface HttpError {
  status: number;
  code: string;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

function errorHeaders(error: HttpError, length: number): Record<string, string> {
  return {
    "content-type": "application/json",
    "content-length": String(length),
    "access-control-allow-origin": "*",
    connection: "close",
    ...error.headers,
  };
}

function errorBody(error: HttpError): string {
  return JSON.stringify({ code: error.code, message: error.message });
}

/** Destroys the socket if its client does not close it in time. */
function closeAfterLinger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
  // Further input is read and dropped: unread bytes would turn the response into a connection reset.
  socket.resume();
}

/** Sends an error on a socket that the HTTP parser does not own, such as during an upgrade, and closes it. */
export function sendHttpErrorToSocket(socket: Duplex, error: HttpError): void {
  if (socket.destroyed) return;
  const body = errorBody(error);
  const lines = Object.entries(errorHeaders(error, Buffer.byteLength(body))).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${error.status} ${STATUS_CODES[error.status] ?? ""}`;
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  closeAfterLinger(socket);
}

/** Sends an error in reply to a request and closes its connection. */
export function sendHttpError(
  request: IncomingMessage,
  response: ServerResponse,
  error: HttpError,
): void {
  const body = errorBody(error);
  response.writeHead(error.status, errorHeaders(error, Buffer.byteLength(body)));
  response.end(body);
  closeAfterLinger(request.socket);
}
