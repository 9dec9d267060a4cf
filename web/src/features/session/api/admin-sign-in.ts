import type { BackendClient } from "@/lib/backend-client.ts";
import { firstFactorDue, firstFactorLinkDue, userBanned } from "@/lib/error-codes.ts";
import { sessionStrings } from "../strings.ts";
import { authMessageOf } from "../model/auth-message.ts";
import { isSecondFactorRequired, mustChoosePassword } from "../model/authenticator-assurance.ts";

export type AdminSignIn =
  | { readonly kind: "done" }
  /** The password was accepted; the code of the second factor comes next, and then {@link verifyAdmin}. */
  | { readonly kind: "enter-code" }
  /** Signed in with a one-time password, which has to be replaced before the account is an administrator's. */
  | { readonly kind: "choose-password" }
  /** An administrator without a second factor, which comes before all else. */
  | { readonly kind: "first-factor" }
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
    // The library turns an answer without a user or session into this error.
    if (error?.name === "AuthInvalidTokenResponseError") return failed(sessionStrings.adminNoUser);
    if (error?.code === userBanned) return failed(sessionStrings.accountSuspended);
    if (error) return failed(authMessageOf(error, sessionStrings.adminFailed));
    return isSecondFactorRequired(data.session)
      ? { kind: "enter-code" }
      : await verifyAdmin(client);
  } catch (error) {
    return failed(authMessageOf(error, sessionStrings.adminFailed));
  }
}

/** Runs after password and code: asks for a new password if it is a one-time one, and signs out anyone who is not an administrator. */
export async function verifyAdmin(client: BackendClient): Promise<AdminSignIn> {
  const { data } = await client.auth.getSession();
  if (data.session !== null && mustChoosePassword(data.session)) return { kind: "choose-password" };
  const result = await checkRole(client, data.session?.user.id ?? "");
  if (result.kind === "failed") await client.auth.signOut({ scope: "local" });
  return result;
}

async function checkRole(client: BackendClient, userId: string): Promise<AdminSignIn> {
  const { data, error } = await client
    .from("profiles")
    .select("role")
    .eq("id", userId)
    .maybeSingle();
  if (error?.code === firstFactorDue || error?.code === firstFactorLinkDue) {
    return { kind: "first-factor" };
  }
  if (error) return failed(sessionStrings.adminUnverified);
  return data?.role === "admin" ? { kind: "done" } : failed(sessionStrings.adminOnly);
}
