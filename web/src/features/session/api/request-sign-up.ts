import type { ChosenPlan } from "@/domain/chosen-plan.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

export interface CreatedAccount {
  readonly error: unknown;
  /** True when a session came with it; without one the address must be confirmed first. */
  readonly signedIn: boolean;
}

/**
 * Creates an account.
 * @param confirmUrl where a link in the confirmation e-mail leads.
 * @param plan chosen on the front page. The account keeps it, because the link may be opened on another device.
 */
export async function requestSignUp(
  client: BackendClient,
  email: string,
  password: string,
  { confirmUrl, plan }: { readonly confirmUrl: string; readonly plan: ChosenPlan | null },
): Promise<CreatedAccount> {
  const { data, error } = await client.auth.signUp({
    email,
    password,
    options: { emailRedirectTo: confirmUrl, ...(plan !== null && { data: { plan } }) },
  });
  return { error, signedIn: data.session !== null };
}
