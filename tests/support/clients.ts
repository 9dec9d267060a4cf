import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { inject } from "vitest";

/** Satisfies every password rule. */
export const PASSWORD = "Correct-Horse-42!";

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

/** A unique e-mail address. */
export function newEmail(): string {
  return `${randomUUID()}@example.test`;
}

/** A signed-up account and the official client signed in as it. */
export interface Account {
  id: string;
  email: string;
  client: SupabaseClient;
}

export async function signUp(data: Record<string, unknown> = {}): Promise<Account> {
  const client = anonymous();
  const email = newEmail();
  const { data: answer, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
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
