import { InvalidToken } from "../../keys.ts";
import { QueueFull } from "../fair-queue.ts";
import { EXPIRED, JoinRefused, NO_LONGER } from "./channel-socket.ts";

export const TOO_MANY_MESSAGES = "Too many messages per second";

/**
 * What a client is told when its channel ends because a new token could not be taken over.
 * @throws the error when it is not the client's
 */
export function endOfRefresh(error: unknown): string {
  if (error instanceof QueueFull) return TOO_MANY_MESSAGES;
  if (error instanceof JoinRefused) return NO_LONGER;
  if (!(error instanceof InvalidToken)) throw error;
  return error.message === "JWT expired" ? EXPIRED : error.message;
}
