import type { SupabaseClient } from "@supabase/supabase-js";
import { Refusal } from "./answers.ts";
import type { Caller } from "./caller.ts";

/** Actions of functions in `private.rate_limits`. */
type LimitedAction = "create_customer" | "purchase" | "change_renewal" | "delete_account";

/**
 * Counts one call of the caller, in Postgres, so that it holds for every host and on a hosted project.
 * @throws {Refusal} 429 too_many_requests with the seconds to wait.
 */
export async function holdRate(
  service: SupabaseClient,
  caller: Caller,
  action: LimitedAction,
): Promise<void> {
  const { error } = await service.rpc("enforce_function_rate_limit", { member: caller.id, action });
  if (error === null) return;
  if (error.code !== "FF300") throw new Error("enforce_function_rate_limit", { cause: error });
  const wait = Number(error.details);
  throw new Refusal(
    429,
    "too_many_requests",
    "You have tried this too often. Please wait a few minutes and try again.",
    { retryAfterS: Number.isInteger(wait) && wait > 0 ? wait : 60 },
  );
}
