import type { BackendClient } from "@/lib/backend-client.ts";
import { firstFactorDue, firstFactorLinkDue, userBanned } from "@/lib/error-codes.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";
import { isSecondFactorRequired, mustChoosePassword } from "../model/authenticator-assurance.ts";

type AdminRefusalCode =
  "adminNoUser" | "accountSuspended" | "adminFailed" | "adminUnverified" | "adminOnly";

export type AdminSignIn =
  | { readonly kind: "done" }
  /** The password was accepted; the code of the second factor comes next, and then {@link verifyAdmin}. */
  | { readonly kind: "enter-code" }
  /** Signed in with a one-time password, which has to be replaced before the account is an administrator's. */
  | { readonly kind: "choose-password" }
  /** An administrator without a second factor, which comes before all else. */
  | { readonly kind: "first-factor" }
  | ({ readonly kind: "failed" } & Refusal<AdminRefusalCode>);

const failed = (code: AdminRefusalCode): AdminSignIn => ({ kind: "failed", code });

/** Signs in an administrator. An account that is none is signed out again. Never throws. */
export async function adminSignIn(
  client: BackendClient,
  email: string,
  password: string,
): Promise<AdminSignIn> {
  try {
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    // The library turns an answer without a user or session into this error.
    if (error?.name === "AuthInvalidTokenResponseError") return failed("adminNoUser");
    if (error?.code === userBanned) return failed("accountSuspended");
    if (error) return { kind: "failed", ...authRefusal(error, "adminFailed") };
    return isSecondFactorRequired(data.session)
      ? { kind: "enter-code" }
      : await verifyAdmin(client);
  } catch (error) {
    return { kind: "failed", ...authRefusal(error, "adminFailed") };
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
  if (error) return failed("adminUnverified");
  return data?.role === "admin" ? { kind: "done" } : failed("adminOnly");
}
