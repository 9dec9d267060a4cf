import type { BackendClient } from "@/lib/backend-client.ts";
import { messageOf } from "@/lib/errors.ts";
import { sessionMessages } from "../messages.ts";

export type AdminSignIn =
  | { readonly kind: "done" }
  /** Signed in with a one-time password, which has to be replaced before the account is an administrator's. */
  | { readonly kind: "choose-password" }
  | { readonly kind: "failed"; readonly message: string };

const failed = (message: string): AdminSignIn => ({ kind: "failed", message });

/** Signs in an administrator. An account that is none is signed out again. Never throws. */
export async function adminSignIn(
  client: BackendClient,
  email: string,
  password: string,
): Promise<AdminSignIn> {
  try {
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    /* The library turns an answer without a user or session into this error. */
    if (error?.name === "AuthInvalidTokenResponseError") return failed(sessionMessages.adminNoUser);
    if (error) return failed(messageOf(error, sessionMessages.adminFailed));
    if ("password_expires_at" in data.user.app_metadata) return { kind: "choose-password" };
    const refusal = await checkAdmin(client, data.user.id);
    if (refusal === null) return { kind: "done" };
    await client.auth.signOut({ scope: "local" });
    return failed(refusal);
  } catch (error) {
    return failed(messageOf(error, sessionMessages.adminFailed));
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
