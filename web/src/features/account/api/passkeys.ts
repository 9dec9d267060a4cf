import type { BackendClient } from "@/lib/backend-client.ts";

/** A passkey of the account. */
export interface Passkey {
  readonly id: string;
  /** Empty until it got one. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Null when it was never used. */
  readonly lastUsedAt: number | null;
}

/** The passkeys of the signed-in account, the oldest first. Throws the auth server's error. */
export async function fetchPasskeys(client: BackendClient): Promise<readonly Passkey[]> {
  const { data, error } = await client.auth.passkey.list();
  if (error) throw error;
  return data.map((passkey) => ({
    id: passkey.id,
    name: passkey.friendly_name ?? "",
    createdAt: Date.parse(passkey.created_at),
    lastUsedAt: passkey.last_used_at === undefined ? null : Date.parse(passkey.last_used_at),
  }));
}

/** Has the browser make a passkey and gives it a name. Throws the browser's error or the auth server's. */
export async function addPasskey(client: BackendClient, name: string): Promise<void> {
  const { data, error } = await client.auth.registerPasskey();
  if (error) throw error;
  await renamePasskey(client, data.id, name);
}

/** Throws the auth server's error. */
export async function renamePasskey(
  client: BackendClient,
  id: string,
  name: string,
): Promise<void> {
  const { error } = await client.auth.passkey.update({ passkeyId: id, friendlyName: name });
  if (error) throw error;
}

/** Throws the auth server's error. */
export async function removePasskey(client: BackendClient, id: string): Promise<void> {
  const { error } = await client.auth.passkey.delete({ passkeyId: id });
  if (error) throw error;
}
