import { DatabaseBusyError } from "../../postgres/database-busy.ts";
import { InvalidToken } from "../../keys.ts";
import { isBusy } from "../limits/busy-errors.ts";
import { QueueFullError } from "../limits/fair-queue.ts";
import { tokenExpired, JoinError, permissionLost } from "./channel-socket.ts";

export const tooManyJoins = "ClientJoinRateLimitReached: Too many joins per second";
export const tooManyMessages = "Too many messages per second";

/**
 * The reason a channel closes with after a failed token refresh; undefined when the database was busy and the client
 * should join again with the new token.
 * @throws any other error
 */
export function refreshCloseReason(error: unknown): string | undefined {
  if (error instanceof DatabaseBusyError) return undefined;
  if (error instanceof QueueFullError) return tooManyMessages;
  if (error instanceof JoinError) return permissionLost;
  if (!(error instanceof InvalidToken)) throw error;
  return error.message === "JWT expired" ? tokenExpired : error.message;
}

/**
 * The reason a channel closes with after its permissions were checked again; undefined when the database was busy.
 * @throws any other error
 */
export function recheckCloseReason(error: unknown): string | undefined {
  if (isBusy(error)) return undefined;
  if (error instanceof InvalidToken) return error.message;
  if (error instanceof JoinError) return permissionLost;
  throw error;
}
