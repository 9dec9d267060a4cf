import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { inject } from "vitest";
import { newEmail, testPassword, type Account } from "./test-account.ts";

export { newEmail, testPassword, type Account };

const authOptions = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

/** The official client with an API key and no account. */
export function clientWith(key: string): SupabaseClient {
  return createClient(inject("host").url, key, { auth: authOptions });
}

export function anonymous(): SupabaseClient {
  return clientWith(inject("host").anonKey);
}

export function serviceRole(): SupabaseClient {
  return clientWith(inject("host").serviceRoleKey);
}

export async function signUp(data: Record<string, unknown> = {}): Promise<Account> {
  const client = anonymous();
  const email = newEmail();
  const { data: answer, error } = await client.auth.signUp({
    email,
    password: testPassword,
    options: { data },
  });
  if (error) throw error;
  if (!answer.user) throw new Error("sign-up gave no user");
  return { id: answer.user.id, email, client };
}

/** Connections as the owner of the database; end the pool in `afterAll`. */
export function ownerPool(): pg.Pool {
  return new pg.Pool({ connectionString: inject("host").databaseUrl, max: 4 });
}
