import { z } from "zod";
import type { DatabaseClient } from "../_shared/database/database-client.ts";
import { handlePost, jsonResponse, FunctionError } from "../_shared/http/responses.ts";
import { identifyMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = {
  name: "use-recovery-code",
  failureMessage: "The recovery code could not be used.",
};
const requestBody = z.object({ code: z.string().min(1).max(100) });
const hourSeconds = 3600;

/**
 * Removes the caller's second factor in exchange for a recovery code. The only function that accepts a session without
 * the second factor.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const { caller, session } = await identifyMember(request, service, "No active session");
    const { code } = await parseBody(request, requestBody);
    const factors = await verifiedFactors(service, caller.id);
    if (factors.length === 0) {
      throw new FunctionError(409, "no_second_factor", "Your account has no second factor.");
    }
    await redeem(service, { member: caller.id, code, keep_session: session });
    // The factors are void already. If deleting one fails, the next enrolment deletes it.
    for (const id of factors) {
      const { error } = await service.auth.admin.mfa.deleteFactor({ userId: caller.id, id });
      if (error) console.error("use-recovery-code: a void factor was left", error.message);
    }
    return jsonResponse(200, { message: "Your second factor has been removed" });
  });
}

async function verifiedFactors(service: DatabaseClient, userId: string): Promise<string[]> {
  const { data, error } = await service.auth.admin.mfa.listFactors({ userId });
  if (error) throw new Error("the factors cannot be read", { cause: error });
  return data.factors.filter(({ status }) => status === "verified").map(({ id }) => id);
}

/** @throws {FunctionError} 403 wrong_recovery_code, 429 too_many_attempts. */
async function redeem(
  service: DatabaseClient,
  wanted: { member: string; code: string; keep_session: string | null },
): Promise<void> {
  const { data, error } = await service.rpc("redeem_recovery_code", wanted);
  if (error?.code === "FF300") {
    const retryAfterS = Number(error.details) || hourSeconds;
    const message = "Too many attempts. Please try again later.";
    throw new FunctionError(429, "too_many_attempts", message, { retryAfterS });
  }
  if (error) throw new Error("the code cannot be checked", { cause: error });
  if (data !== true) {
    const message = "This recovery code is wrong or was used before.";
    throw new FunctionError(403, "wrong_recovery_code", message);
  }
}
