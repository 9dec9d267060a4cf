import type { Session } from "@supabase/supabase-js";
import { createLinkClient, type BackendClient } from "@/lib/backend-client.ts";
import type { BackendConfig } from "@/lib/config.ts";
import { userBanned } from "@/lib/error-codes.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { isSameAddress, type AskedLink } from "../model/asked-links.ts";
import { authRefusal } from "../model/auth-message.ts";
import type { EmailLink } from "../model/email-link.ts";

export type OpenedEmailLink =
  /** The browser is signed in with the session of the link. */
  | { readonly kind: "signed-in" }
  /** The address is confirmed; this browser had not asked for it, so it is not signed in by it. */
  | { readonly kind: "confirmed" }
  | { readonly kind: "email-changed"; readonly email: string }
  /** Of two addresses that have to agree, one has. */
  | { readonly kind: "awaiting-other-inbox" }
  /** The link is another account's than the one this browser is signed in to, which goes on. */
  | { readonly kind: "other-account"; readonly signedInAs: string }
  /** Used before, too old, or made up. */
  | { readonly kind: "expired" }
  /** Not used up: it can be tried again. */
  | ({ readonly kind: "failed" } & Refusal<"accountSuspended" | "linkFailed">);

/** Opens the link of an e-mail, which uses it up. Never throws. */
export async function openEmailLink(
  client: BackendClient,
  config: BackendConfig,
  link: EmailLink,
  asked: AskedLink | null,
): Promise<OpenedEmailLink> {
  const linkClient = createLinkClient(config);
  try {
    const { data, error } = await linkClient.auth.verifyOtp({
      token_hash: link.tokenHash,
      type: link.type,
    });
    if (error?.code === "otp_expired") return { kind: "expired" };
    if (error?.code === userBanned) return { kind: "failed", code: "accountSuspended" };
    if (error) return failed(error);
    if (data.session === null) return { kind: "awaiting-other-inbox" };
    const current = (await client.auth.getSession()).data.session;
    if (takesSession(link, data.session, current, asked)) {
      const { access_token, refresh_token } = data.session;
      const taken = await client.auth.setSession({ access_token, refresh_token });
      if (taken.error === null) return { kind: "signed-in" };
      return failed(taken.error);
    }
    await linkClient.auth.signOut({ scope: "local" });
    return await withoutSession(client, link, data.session, current);
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): OpenedEmailLink {
  return { kind: "failed", ...authRefusal(error, "linkFailed") };
}

/**
 * Whether the session of the link becomes this browser's. It never replaces that of another account, nor one of the
 * same account that knows more, such as a second factor. A visitor is signed in by a confirmation only where it was
 * asked for; a link for a password works on every device.
 */
function takesSession(
  { type }: EmailLink,
  { user }: Session,
  current: Session | null,
  asked: AskedLink | null,
): boolean {
  if (current !== null && current.user.id !== user.id) return false;
  if (type === "recovery" || type === "invite") return true;
  if (type === "email_change" || current !== null) return false;
  return asked !== null && isSameAddress(asked.email, user.email ?? "");
}

async function withoutSession(
  client: BackendClient,
  { type }: EmailLink,
  { user }: Session,
  current: Session | null,
): Promise<OpenedEmailLink> {
  const isOwn = current?.user.id === user.id;
  if (type === "email_change") {
    // The token of the session names the address.
    if (isOwn) await client.auth.refreshSession();
    return { kind: "email-changed", email: user.email ?? "" };
  }
  if (isOwn) return { kind: "signed-in" };
  if (current !== null) return { kind: "other-account", signedInAs: current.user.email ?? "" };
  return { kind: "confirmed" };
}
