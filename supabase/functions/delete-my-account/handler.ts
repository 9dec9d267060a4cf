import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { eraseAccount } from "../_shared/account/erase-account.ts";
import { publishableKey } from "../_shared/api-keys.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { requireMember, type Member } from "../_shared/http/caller.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse, FunctionError } from "../_shared/http/responses.ts";

const options = { name: "delete-my-account", failureMessage: "Your account could not be deleted." };
const requestBody = z.object({ password: z.string().min(1).max(1000) });

/** Deletes the caller's account. After a failure the call can be repeated and continues. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { password } = await parseBody(request, requestBody);
    await enforceRateLimit(service, caller, "delete_account");
    await requirePassword(deps, caller, password);
    await eraseAccount(deps, caller);
    return jsonResponse(200, { message: "Your account has been deleted" });
  });
}

/** Requires the account's password, because an open browser session is not enough to delete an account. */
async function requirePassword(deps: Deps, caller: Member, password: string): Promise<void> {
  const visitor = createClient(requireEnv(deps, "SUPABASE_URL"), publishableKey(deps), {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  const { error } = await visitor.auth.signInWithPassword({ email: caller.email ?? "", password });
  if (error === null) return;
  if (error.code === "invalid_credentials") {
    throw new FunctionError(403, "wrong_password", "This is not your password.");
  }
  if (error.status === 429) {
    throw new FunctionError(429, "too_many_attempts", "Too many attempts. Please try again later.");
  }
  throw error;
}
