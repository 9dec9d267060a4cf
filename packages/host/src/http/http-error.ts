import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How long a refused client may take to hang up before its socket is destroyed. */
const lingerMs = 1000;

/** An answer that no application wrote: what the server itself has to say about a connection. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

function headersOf(refusal: Refusal, length: number): Record<string, string> {
  return {
    "content-type": "application/json",
    "content-length": String(length),
    "access-control-allow-origin": "*",
    connection: "close",
    ...refusal.headers,
  };
}

function bodyOf(refusal: Refusal): string {
  return JSON.stringify({ code: refusal.code, message: refusal.message });
}

/** Destroys a socket that its client does not close in time. */
function closeSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
  // What the client still sends is read and dropped: unread bytes would turn the answer into a reset.
  socket.resume();
}

/** Answers on a socket that is no longer (or not yet) the HTTP parser's, and closes it. */
export function refuseSocket(socket: Duplex, refusal: Refusal): void {
  if (socket.destroyed) return;
  const body = bodyOf(refusal);
  const lines = Object.entries(headersOf(refusal, Buffer.byteLength(body))).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`;
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  closeSoon(socket);
}

/** Answers a request that the application never sees, and closes its connection. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): void {
  const body = bodyOf(refusal);
  response.writeHead(refusal.status, headersOf(refusal, Buffer.byteLength(body)));
  response.end(body);
  closeSoon(request.socket);
}
