// Where a provider sends the browser back to: checks its answer, and leads on with a code, a session or an error.

import type { Context, Handler } from "hono";
import { readLimitedBody } from "../../http/limited-body.ts";
import { inTransaction } from "../../postgres/database.ts";
import { AuthError, databaseRefusal } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import {
  claimProviderFlow,
  endProviderFlow,
  findProviderFlow,
  issueProviderCode,
  type ProviderFlow,
} from "../flows/provider-flow.ts";
import { createSession, sessionJson } from "../flows/sessions.ts";
import { errorRedirect, fieldsRedirect, successRedirect } from "../flows/verify-redirect.ts";
import { ProviderFailure } from "../providers/fetch-json.ts";
import {
  accountFromClaims,
  nameFromAppleUser,
  type ProviderAccount,
} from "../providers/provider-kinds.ts";
import { findIdentityOwner, isIdentityTaken } from "../users/identities.ts";
import { identityExists, signInWithProvider } from "../users/provider-sign-in.ts";
import { isEmailTaken } from "../users/users.ts";
import { deviceOf } from "./authenticate.ts";
import { notifyOfIdentity } from "./identities.ts";

type Fields = Readonly<Record<string, string | undefined>>;

const maxFormBytes = 32 * 1024;
const maxCodeLength = 4096;
const maxDescriptionLength = 200;

/** Errors that OAuth calls `access_denied`, whatever their status is. */
const deniedCodes = new Set([
  "signup_disabled",
  "user_banned",
  "provider_email_needs_verification",
]);

/** The provider's answer: in the URL or, from Apple, in a form. */
async function answerOf(c: Context): Promise<Fields> {
  if (c.req.method !== "POST") return c.req.query();
  const bytes = await readLimitedBody(c.req.raw, maxFormBytes).catch(() => undefined);
  return Object.fromEntries(new URLSearchParams(bytes?.toString("utf8") ?? ""));
}

/** What a provider says when a person turns back: `access_denied`, or Apple's own word for it. */
function providerError(answer: Fields): Record<string, string> | undefined {
  const { error } = answer;
  if (error === undefined || error === "") return undefined;
  const isCancelled = error === "user_cancelled_authorize" || error === "access_denied";
  const known = /^[a-z_]{1,40}$/.test(error) ? error : "server_error";
  return {
    error: isCancelled ? "access_denied" : known,
    error_description: (answer["error_description"] ?? "").slice(0, maxDescriptionLength),
  };
}

/** Has the provider exchange its code, and reads who signed in there. */
async function accountOf(
  auth: AuthContext,
  flow: ProviderFlow,
  answer: Fields,
): Promise<ProviderAccount> {
  const provider = auth.providers.get(flow.provider);
  if (provider === undefined) {
    const message = "Unsupported provider: provider is not enabled";
    throw new AuthError(400, "oauth_provider_not_supported", message);
  }
  const code = answer["code"] ?? "";
  if (code === "" || code.length > maxCodeLength) {
    const message = "OAuth callback with missing authorization code missing";
    throw new AuthError(400, "bad_oauth_callback", message);
  }
  const verifier = await claimProviderFlow(auth.db.admin, flow);
  const claims = await provider.exchangeCode(code, verifier);
  const name = flow.provider === "apple" ? nameFromAppleUser(answer["user"]) : undefined;
  const account = accountFromClaims(flow.provider, claims, name);
  if (account === undefined) throw new ProviderFailure("its ID token names no account");
  return account;
}

/** Leaves an identity for the browser that asked for it, which links it when it exchanges the code. */
async function prepareLink(
  auth: AuthContext,
  flow: ProviderFlow,
  userId: string,
  account: ProviderAccount,
): Promise<string> {
  const owner = await findIdentityOwner(auth.db.admin, account);
  if (owner !== undefined) throw identityExists(owner === userId);
  const code = await issueProviderCode(auth.db.admin, flow, userId, account);
  return successRedirect(flow.redirectTo, { code }, "", true);
}

/** Signs in. Two sign-ins of one new account at once are worth another attempt: then there is an account. */
async function signIn(
  auth: AuthContext,
  c: Context,
  flow: ProviderFlow,
  account: ProviderAccount,
): Promise<string> {
  const device = deviceOf(auth, c);
  const attempt = async () =>
    await inTransaction(auth.db.admin, async (db) => {
      const signedIn = await signInWithProvider(auth, db, account, device.address);
      if (flow.isPkce) {
        const code = await issueProviderCode(db, flow, signedIn.userId, undefined);
        return { ...signedIn, code };
      }
      await endProviderFlow(db, flow);
      const issued = await createSession(auth, db, signedIn.userId, "oauth", device);
      return { ...signedIn, issued };
    });
  const done = await attempt().catch(async (error: unknown) => {
    if (isEmailTaken(error) || isIdentityTaken(error)) return await attempt();
    throw error;
  });
  if (done.linked) notifyOfIdentity(auth, "identity_linked", done.linked, flow.provider);
  if ("code" in done) return successRedirect(flow.redirectTo, { code: done.code }, "", true);
  await auth.devices.remember(c, done.email);
  const session = await sessionJson(auth, done.issued);
  return successRedirect(flow.redirectTo, { session }, "", false);
}

async function answer(
  auth: AuthContext,
  c: Context,
  fields: Fields,
  flow: ProviderFlow | undefined,
) {
  await auth.rateLimits.take("verify", auth.clientNetwork(c));
  if (flow === undefined) {
    throw (fields["state"] ?? "") === ""
      ? new AuthError(400, "bad_oauth_callback", "OAuth state parameter missing")
      : new AuthError(400, "bad_oauth_state", "OAuth state not found or expired");
  }
  const refused = providerError(fields);
  if (refused) return fieldsRedirect(flow.redirectTo, refused);
  const account = await accountOf(auth, flow, fields);
  return flow.linkingTarget === null
    ? await signIn(auth, c, flow, account)
    : await prepareLink(auth, flow, flow.linkingTarget, account);
}

/** The error that a failed sign-in leads back to the site with; undefined for one that is ours. */
function asAuthError(auth: AuthContext, error: unknown, provider: string): AuthError | undefined {
  if (error instanceof AuthError) return error;
  if (error instanceof ProviderFailure) {
    auth.log.warn({ err: error, provider }, "a sign-in provider's answer was not taken");
    return new AuthError(500, "unexpected_failure", "Unable to exchange external code");
  }
  return databaseRefusal(error);
}

/** `GET` and `POST /callback`: the redirect URI that is registered with the providers. */
export function providerCallback(auth: AuthContext): Handler {
  return async (c) => {
    c.header("cache-control", "no-store");
    c.header("referrer-policy", "no-referrer");
    if (c.req.method === "HEAD") return c.body(null, 200);
    const fields = await answerOf(c);
    const found = await findProviderFlow(auth.db.admin, fields["state"] ?? "");
    // Asked again: the allow list may have changed since the sign-in began.
    const redirectTo = auth.redirectUrls.resolve(found?.redirectTo);
    try {
      return c.redirect(await answer(auth, c, fields, found && { ...found, redirectTo }), 303);
    } catch (error) {
      const known = asAuthError(auth, error, found?.provider ?? "");
      if (known === undefined) throw error;
      const name = deniedCodes.has(known.code) ? "access_denied" : undefined;
      return c.redirect(errorRedirect(redirectTo, known, true, name), 303);
    }
  };
}
