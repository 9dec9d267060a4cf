import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { CaughtMail } from "basehost";
import type { RunningHost } from "../../support/running.ts";

/** The response to a plain request. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

type Reached = Pick<RunningHost, "url" | "anonKey">;

/** Sends a plain request to the auth API with the anon key. */
export async function call(
  host: Reached,
  path: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { body } = options;
  const response = await fetch(`${host.url}/auth/v1${path}`, {
    method: options.method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      apikey: host.anonKey,
      "content-type": "application/json",
      "x-supabase-api-version": "2024-01-01",
      ...options.headers,
    },
    redirect: "manual",
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

/** The official client with its own storage, as in a browser tab. */
export function clientOf(
  host: Reached,
  flowType: "implicit" | "pkce" = "implicit",
): SupabaseClient {
  const kept = new Map<string, string>();
  return createClient(host.url, host.anonKey, {
    auth: {
      autoRefreshToken: false,
      detectSessionInUrl: false,
      flowType,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    },
  });
}

/** Caught e-mails to an address, newest first. */
export async function inboxOf(
  host: Pick<RunningHost, "url">,
  email: string,
): Promise<CaughtMail[]> {
  const response = await fetch(`${host.url}/dev/inbox.json`);
  const mails = (await response.json()) as CaughtMail[];
  return mails.filter((mail) => mail.to === email);
}

/** The URL of the link in an e-mail. */
export function linkIn(mail: { text: string } | undefined): URL {
  const found = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mail?.text ?? "")?.[0];
  if (found === undefined) throw new Error("the e-mail has no link");
  return new URL(found);
}

/** Opens a link like a browser. @returns the redirect target */
export async function openLink(link: URL): Promise<URL> {
  const response = await fetch(link, { redirect: "manual" });
  if (response.status !== 303) throw new Error(`the link answered ${response.status}`);
  return new URL(response.headers.get("location") ?? "");
}

/** The fields in the fragment of a redirect target. */
export function fragmentOf(address: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(address.hash.slice(1)));
}
