import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import { inject } from "vitest";

/** Signs claims with the secret of the running host; valid for an hour unless the claims say otherwise. */
export async function signToken(claims: Record<string, unknown>, secret?: string): Promise<string> {
  const key = new TextEncoder().encode(secret ?? inject("host").jwtSecret);
  return await new SignJWT({ exp: Math.floor(Date.now() / 1000) + 3600, ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(key);
}

/** A signed-in user with an official client. */
export interface SignedInUser {
  id: string;
  token: string;
  client: SupabaseClient;
}

export async function createUserWithClaims(
  claims: Record<string, unknown> = {},
): Promise<SignedInUser> {
  const { url, anonKey } = inject("host");
  const id = randomUUID();
  const token = await signToken({
    sub: id,
    role: "authenticated",
    aud: "authenticated",
    ...claims,
  });
  const client = createClient(url, anonKey, {
    accessToken: async () => await Promise.resolve(token),
  });
  return { id, token, client };
}

/** Sends a raw request, which the official client would not send; anonymous unless the headers say otherwise. */
export async function rawRequest(path: string, init: RequestInit = {}): Promise<Response> {
  const { url, anonKey } = inject("host");
  const headers = new Headers(init.headers);
  if (!headers.has("apikey")) headers.set("apikey", anonKey);
  return await fetch(`${url}/rest/v1${path}`, { ...init, headers });
}

/** A unique name. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

type AnyRow = Record<string, unknown>;

/** Database types for a client that supports the newest preferences. */
interface Modern {
  __InternalSupabase: { PostgrestVersion: "14" };
  public: {
    Tables: Record<string, { Row: AnyRow; Insert: AnyRow; Update: AnyRow; Relationships: [] }>;
    Views: Record<string, never>;
    Functions: Record<string, { Args: AnyRow; Returns: AnyRow[] }>;
  };
}

export function modernClient(): SupabaseClient<Modern> {
  const { url, anonKey } = inject("host");
  return createClient<Modern>(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}
