import type { BackendClient } from "@/lib/backend-client.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";

export type EmailChange =
  | { readonly kind: "changed" }
  /** A link in an e-mail must be followed first. */
  | { readonly kind: "confirm" }
  | ({ readonly kind: "failed" } & Refusal<"emailChangeFailed" | "emailTaken">);

/** Asks for another e-mail address for the signed-in user. Never throws. */
export async function changeEmail(
  client: BackendClient,
  email: string,
  confirmUrl: string,
): Promise<EmailChange> {
  try {
    const { data, error } = await client.auth.updateUser(
      { email },
      { emailRedirectTo: confirmUrl },
    );
    if (error?.code === "email_exists") return { kind: "failed", code: "emailTaken" };
    if (error) return { kind: "failed", ...authRefusal(error, "emailChangeFailed") };
    const changed = data.user.email?.toLowerCase() === email.toLowerCase();
    return { kind: changed ? "changed" : "confirm" };
  } catch (error) {
    return { kind: "failed", ...authRefusal(error, "emailChangeFailed") };
  }
}
