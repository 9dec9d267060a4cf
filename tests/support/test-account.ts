import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";

/** Satisfies every password rule. */
export const testPassword = "Correct-Horse-42!";

/** A unique e-mail address. */
export function newEmail(): string {
  return `${randomUUID()}@example.test`;
}

/**
 * Headers of a client with an address of its own, as the proxy of a test product states it: sign-ups are limited for each address, and a run
 * of the tests makes more of them than one address may.
 */
export function ownAddress(): { readonly "x-forwarded-for": string } {
  const [, ...groups] = randomUUID().split("-");
  return { "x-forwarded-for": `2001:db8:${groups.slice(0, 2).join(":")}::1` };
}

/** A signed-up account and the official client signed in as it. */
export interface Account {
  id: string;
  email: string;
  client: SupabaseClient;
}
