// Sends browsers to a sign-in provider, to sign in or to link an account there to the signed-in one.

import type { Context, Handler } from "hono";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { createProviderFlow } from "../flows/provider-flow.ts";
import { requestedRedirect } from "../flows/send-link.ts";
import { errorRedirect } from "../flows/verify-redirect.ts";
import { requireUserWithSession } from "../mfa/factors.ts";
import { ProviderFailure } from "../providers/fetch-json.ts";
import type { OidcProvider } from "../providers/oidc-provider.ts";
import { isProviderName } from "../providers/provider-kinds.ts";
import { assertMayChangeIdentities } from "./identities.ts";
import { parseCodeChallenge } from "./request-fields.ts";

/** @throws {AuthError} 400 for a provider that is not known or not on. */
function providerOf(auth: AuthContext, c: Context): OidcProvider {
  const name = (c.req.query("provider") ?? "").toLowerCase();
  const known = isProviderName(name) ? auth.providers.get(name) : undefined;
  if (known === undefined) throw validationFailed("Unsupported provider: provider is not enabled");
  return known;
}

/**
 * Begins a sign-in at a provider.
 * @returns where the browser goes next: to the provider, or back with an error when that cannot be reached.
 */
async function begin(
  auth: AuthContext,
  c: Context,
  linkingTarget: string | undefined,
): Promise<string> {
  const provider = providerOf(auth, c);
  const challenge = parseCodeChallenge({
    code_challenge: c.req.query("code_challenge") ?? "",
    code_challenge_method: c.req.query("code_challenge_method") ?? "",
  });
  if (linkingTarget !== undefined && challenge === undefined) {
    // The code is exchanged by the browser that asked. Otherwise a person who follows another's link to the provider would
    // have their account there linked to that other's account here.
    throw validationFailed("Linking an identity requires the PKCE flow");
  }
  const redirectTo = requestedRedirect(auth, c);
  await auth.rateLimits.take("signIn", auth.clientNetwork(c));
  const flow = { provider: provider.name, redirectTo, challenge, linkingTarget };
  const { state, verifier } = await createProviderFlow(auth.db.admin, flow);
  try {
    return await provider.authorizationUrl(state, verifier, c.req.query());
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    auth.log.warn({ err: error, provider: provider.name }, "a sign-in provider cannot be reached");
    const unavailable = new AuthError(503, "unexpected_failure", "The provider cannot be reached");
    return errorRedirect(redirectTo, unavailable, true);
  }
}

/** `GET /authorize`: supabase-js's `signInWithOAuth` opens it in the browser. */
export function authorize(auth: AuthContext): Handler {
  return async (c) => {
    c.header("cache-control", "no-store");
    c.header("referrer-policy", "no-referrer");
    // Programs that look links up do not sign in.
    if (c.req.method === "HEAD") return c.body(null, 200);
    return c.redirect(await begin(auth, c, undefined), 302);
  };
}

/** `GET /user/identities/authorize`: the same for `linkIdentity`, which reads the address from JSON. */
export function authorizeLink(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    assertMayChangeIdentities(auth, caller);
    const url = await begin(auth, c, caller.user.id);
    c.header("cache-control", "no-store");
    return c.req.query("skip_http_redirect") === "true" ? c.json({ url }) : c.redirect(url, 302);
  };
}
