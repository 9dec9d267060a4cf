import type { BackendClient } from "@/lib/backend-client.ts";
import { messageOf } from "@/lib/errors.ts";
import { sessionMessages } from "../messages.ts";
import { isSecondFactorDue } from "../model/assurance.ts";

/**
 * Signs in an administrator. Whoever turns out not to be one is signed out again; where a second
 * factor is due, this is checked after it. Answers with the message to show, null when it worked.
 * Never throws.
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
    return isSecondFactorDue(data.session) ? null : await checkAdmin(client);
  } catch (error) {
    return messageOf(error, sessionMessages.adminFailed);
  }
}

/** Signs out again whoever is signed in and no administrator. Answers with the message to show, or null. */
export async function checkAdmin(client: BackendClient): Promise<string | null> {
  const refusal = await roleProblem(client);
  if (refusal !== null) await client.auth.signOut({ scope: "local" });
  return refusal;
}

async function roleProblem(client: BackendClient): Promise<string | null> {
  const { data: signedIn } = await client.auth.getSession();
  const { data, error } = await client
    .from("profiles")
    .select("role")
    .eq("id", signedIn.session?.user.id ?? "")
    .maybeSingle();
  if (error) return sessionMessages.adminUnverified;
  return data?.role === "admin" ? null : sessionMessages.adminOnly;
}
