import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { refuseSocket } from "../http/http-error.ts";
import { senderOfUpgrade } from "./client-address.ts";
import type { RequestBudgets } from "./request-limiter.ts";

/** Refuses a new socket when its address opened too many lately. @returns true when it was refused. */
export function refuseUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  budgets: RequestBudgets,
  trustedProxy: string | undefined,
): boolean {
  const retryAfterS = budgets.admitSocket(senderOfUpgrade(request, trustedProxy));
  if (retryAfterS === undefined) return false;
  // A client that resets the connection instead of reading must not end the process.
  socket.on("error", () => socket.destroy());
  refuseSocket(socket, {
    status: 429,
    code: "too_many_sockets",
    message: "Too many new sockets from this address. Wait and try again.",
    headers: { "retry-after": String(retryAfterS) },
  });
  return true;
}
