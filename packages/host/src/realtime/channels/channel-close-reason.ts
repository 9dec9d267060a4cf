import { DatabaseBusyError } from "../../postgres/database-busy.ts";
import { InvalidToken } from "../../keys.ts";
import { isBusy } from "../limits/busy-errors.ts";
import { QueueFullError } from "../limits/fair-queue.ts";
import { tokenExpired, JoinError, permissionLost } from "./channel-socket.ts";

export const tooManyJoins = "ClientJoinRateLimitReached: Too many joins per second";
export const tooManyMessages = "Too many messages per second";

/**
 * What a client is told when its channel ends because a new token could not be taken over: undefined when the database
 * was busy, so that the client joins again with it.
 * @throws the error when it is not the client's
 */
export function refreshCloseReason(error: unknown): string | undefined {
  if (error instanceof DatabaseBusyError) return undefined;
  if (error instanceof QueueFullError) return tooManyMessages;
  if (error instanceof JoinError) return permissionLost;
  if (!(error instanceof InvalidToken)) throw error;
  return error.message === "JWT expired" ? tokenExpired : error.message;
}

/**
 * How a channel ends when its rights were asked again: undefined when too much is asked already, and it is asked later.
 * @throws what is no answer
 */
export function recheckCloseReason(error: unknown): string | undefined {
  if (isBusy(error)) return undefined;
  if (error instanceof InvalidToken) return error.message;
  if (error instanceof JoinError) return permissionLost;
  throw error;
}
