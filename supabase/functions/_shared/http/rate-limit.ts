import type { DatabaseClient } from "../database/database-client.ts";
import { FunctionError } from "./responses.ts";
import type { Member } from "./caller.ts";

/** Actions of functions in `private.rate_limits`. */
type LimitedAction =
  | "create_customer"
  | "purchase"
  | "change_renewal"
  | "change_plan"
  | "preview_code"
  | "update_card"
  | "delete_account";

/**
 * Counts one call of the caller. The counter is in Postgres, so it is shared by every host.
 * @throws {FunctionError} 429 too_many_requests with the seconds to wait.
 */
export async function enforceRateLimit(
  service: DatabaseClient,
  caller: Member,
  action: LimitedAction,
): Promise<void> {
  const { error } = await service.rpc("enforce_function_rate_limit", { member: caller.id, action });
  if (error === null) return;
  if (error.code !== "FF300") throw new Error("enforce_function_rate_limit", { cause: error });
  const wait = Number(error.details);
  throw new FunctionError(
    429,
    "too_many_requests",
    "You have tried this too often. Please wait a few minutes and try again.",
    { retryAfterS: Number.isInteger(wait) && wait > 0 ? wait : 60 },
  );
}
