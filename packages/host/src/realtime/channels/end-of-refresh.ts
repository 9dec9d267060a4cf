import { DatabaseBusyError } from "../../postgres/database-busy.ts";
import { InvalidToken } from "../../keys.ts";
import { isBusy } from "../busy.ts";
import { QueueFull } from "../fair-queue.ts";
import { EXPIRED, JoinRefused, NO_LONGER } from "./channel-socket.ts";

export const TOO_MANY_JOINS = "ClientJoinRateLimitReached: Too many joins per second";
export const TOO_MANY_MESSAGES = "Too many messages per second";

/**
 * What a client is told when its channel ends because a new token could not be taken over: undefined when the database
 * was busy, so that the client joins again with it.
 * @throws the error when it is not the client's
 */
export function endOfRefresh(error: unknown): string | undefined {
  if (error instanceof DatabaseBusyError) return undefined;
  if (error instanceof QueueFull) return TOO_MANY_MESSAGES;
  if (error instanceof JoinRefused) return NO_LONGER;
  if (!(error instanceof InvalidToken)) throw error;
  return error.message === "JWT expired" ? EXPIRED : error.message;
}

/**
 * How a channel ends when its rights were asked again: undefined when too much is asked already, and it is asked later.
 * @throws what is no answer
 */
export function endOfRecheck(error: unknown): string | undefined {
  if (isBusy(error)) return undefined;
  if (error instanceof InvalidToken) return error.message;
  if (error instanceof JoinRefused) return NO_LONGER;
  throw error;
}
