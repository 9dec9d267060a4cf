import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { eraseAccount } from "../_shared/account/erase-account.ts";
import { publishableKey } from "../_shared/api-keys.ts";
import type { DatabaseClient } from "../_shared/database/database-client.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { providerSignInAt, requireMember, type Member } from "../_shared/http/caller.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse, FunctionError } from "../_shared/http/responses.ts";

const options = { name: "delete-my-account", failureMessage: "Your account could not be deleted." };
const requestBody = z.object({ password: z.string().min(1).max(1000).optional() });
/** How long ago a member without a password may have signed in at a provider. */
const recentSignInS = 600;

/** Deletes the caller's account. After a failure the call can be repeated and continues. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { password } = await parseBody(request, requestBody);
    await enforceRateLimit(service, caller, "delete_account");
    if (password === undefined) await requireRecentSignIn(request, service, caller);
    else await requirePassword(deps, caller, password);
    await eraseAccount(deps, caller);
    return jsonResponse(200, { message: "Your account has been deleted" });
  });
}

/**
 * Requires, in place of a password, that the member of an account without one has just signed in at a provider.
 * @throws {FunctionError} 400 password_required, 403 sign_in_again.
 */
async function requireRecentSignIn(
  request: Request,
  service: DatabaseClient,
  caller: Member,
): Promise<void> {
  const { data, error } = await service.auth.admin.getUserById(caller.id);
  if (error) throw new Error("the account could not be read", { cause: error });
  const ways: unknown = data.user.app_metadata["providers"];
  if (!Array.isArray(ways) || ways.length === 0 || ways.includes("email")) {
    throw new FunctionError(400, "password_required", "Please enter your password.");
  }
  const at = providerSignInAt(request);
  if (at !== null && Date.now() / 1000 - at < recentSignInS) return;
  throw new FunctionError(403, "sign_in_again", "Please sign in again first.");
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
