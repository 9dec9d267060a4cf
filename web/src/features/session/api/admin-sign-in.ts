import type { BackendClient } from "@/lib/backend-client.ts";
import { messageOf } from "@/lib/errors.ts";
import { sessionMessages } from "../messages.ts";

/**
 * Signs in an administrator. Whoever turns out not to be one is signed out again. Answers with
 * the message to show, null when it worked. Never throws.
 */
export async function adminSignIn(
  client: BackendClient,
  email: string,
  password: string,
): Promise<string | null> {
  try {
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    /* The library turns an answer without a user or session into this error. */
    if (error?.name === "AuthInvalidTokenResponseError") return sessionMessages.adminNoUser;
    if (error) return messageOf(error, sessionMessages.adminFailed);
    const refusal = await checkAdmin(client, data.user.id);
    if (refusal !== null) await client.auth.signOut({ scope: "local" });
    return refusal;
  } catch (error) {
    return messageOf(error, sessionMessages.adminFailed);
  }
}

async function checkAdmin(client: BackendClient, userId: string): Promise<string | null> {
  const { data, error } = await client
    .from("profiles")
    .select("role")
    .eq("id", userId)
    .maybeSingle();
  if (error) return sessionMessages.adminUnverified;
  return data?.role === "admin" ? null : sessionMessages.adminOnly;
}
