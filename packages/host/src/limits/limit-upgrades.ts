import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { sendHttpErrorToSocket } from "../http/http-error.ts";
import { clientNetworkOfUpgrade } from "./client-address.ts";
import type { RequestLimiter } from "./request-limiter.ts";

/** Rejects a WebSocket upgrade when its address opened too many sockets recently. @returns true when it was rejected */
export function limitUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  limiter: RequestLimiter,
  trustedProxy: string | undefined,
): boolean {
  const retryAfterS = limiter.admitSocket(clientNetworkOfUpgrade(request, trustedProxy));
  if (retryAfterS === undefined) return false;
  // Without a listener, a connection reset by the client would end the process.
  socket.on("error", () => socket.destroy());
  sendHttpErrorToSocket(socket, {
    status: 429,
    code: "too_many_sockets",
    message: "Too many new sockets from this address. Wait and try again.",
    headers: { "retry-after": String(retryAfterS) },
  });
  return true;
}
