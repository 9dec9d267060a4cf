import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";

/** Satisfies every password rule. */
export const testPassword = "Correct-Horse-42!";

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
