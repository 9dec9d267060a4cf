import type { BackendClient } from "@/lib/backend-client.ts";

export interface CreatedAccount {
  readonly error: unknown;
  /** True when a session came with it; without one the address must be confirmed first. */
  readonly signedIn: boolean;
}

/** Creates an account. `confirmUrl` is where a link in the confirmation e-mail leads. */
export async function requestSignUp(
  client: BackendClient,
  email: string,
  password: string,
  confirmUrl: string,
): Promise<CreatedAccount> {
  const { data, error } = await client.auth.signUp({
    email,
    password,
    options: { emailRedirectTo: confirmUrl },
  });
  return { error, signedIn: data.session !== null };
}
