import type { SupabaseClient } from "@supabase/supabase-js";
import {
  firstFactorDue,
  firstFactorLinkDue,
  secondFactorDue,
  sessionEnded,
  tokenRefused,
} from "./error-codes.ts";

const listeners = new Set<() => void>();
const firstFactorListeners = new Set<() => void>();

/** Calls back when the server said that the session is over. @returns how to stop. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back when the server said that an administrator has to set up a second factor. @returns how to stop. */
export function onFirstFactorDue(listener: () => void): () => void {
  firstFactorListeners.add(listener);
  return () => firstFactorListeners.delete(listener);
}

async function codeOf(response: Response): Promise<unknown> {
  if (response.status !== 401) return undefined;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { code?: unknown } | null)?.code;
}

/** The last token that was replaced: once each, so that a server that refuses every token is not asked without end. */
let replacedToken: string | undefined;

/**
 * Handles a rejected session: clears one that has ended, and refreshes one that now needs a second factor, so that the
 * app asks for the code. A token whose key was revoked is replaced as well: the session itself goes on.
 */
export async function handleSessionError(
  auth: Pick<SupabaseClient["auth"], "getSession" | "refreshSession" | "signOut">,
  authorization: string | null,
  response: Response,
): Promise<void> {
  const code = await codeOf(response);
  if (code === firstFactorDue || code === firstFactorLinkDue) {
    for (const listener of firstFactorListeners) listener();
    return;
  }
  if (code !== sessionEnded && code !== secondFactorDue && code !== tokenRefused) return;
  const { data } = await auth.getSession();
  const token = data.session?.access_token;
  // An answer to an earlier session says nothing about the present one.
  if (token === undefined || authorization !== `Bearer ${token}`) return;
  if (code !== sessionEnded) {
    if (replacedToken === token) return;
    replacedToken = token;
    await auth.refreshSession();
    return;
  }
  await auth.signOut({ scope: "local" });
  for (const listener of listeners) listener();
}
