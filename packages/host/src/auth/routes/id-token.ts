// Signs in with an ID token that an app got from a provider by itself (`signInWithIdToken` of supabase-js).

import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { JWTPayload } from "jose";
import { z } from "zod";
import { isEqualConstantTime } from "../../constant-time.ts";
import { inTransaction } from "../../postgres/database.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { createSession, sessionJson } from "../flows/sessions.ts";
import { assertSessionStands } from "../flows/session-checks.ts";
import { requireUserWithSession } from "../mfa/factors.ts";
import { ProviderFailure } from "../providers/fetch-json.ts";
import type { OidcProvider } from "../providers/oidc-provider.ts";
import {
  accountFromClaims,
  isProviderName,
  type ProviderAccount,
} from "../providers/provider-kinds.ts";
import { isIdentityTaken } from "../users/identities.ts";
import { linkToAccount, signInWithProvider } from "../users/provider-sign-in.ts";
import { isEmailTaken } from "../users/users.ts";
import { deviceOf } from "./authenticate.ts";
import { assertMayChangeIdentities, notifyOfIdentity } from "./identities.ts";
import { optionalText, readBody } from "./request-body.ts";

const body = z.object({
  provider: optionalText,
  id_token: optionalText,
  access_token: optionalText,
  nonce: optionalText,
  link_identity: z.boolean().nullish(),
});

function badToken(reason: string): AuthError {
  return new AuthError(400, "validation_failed", reason);
}

/** The client keeps the nonce and gives the provider its hash, so a token alone is not enough to sign in. */
function assertNonce(provider: OidcProvider, claims: JWTPayload, nonce: string): void {
  if (provider.skipsNonce) return;
  const { nonce: hashed } = claims;
  if ((typeof hashed === "string" && hashed !== "") !== (nonce !== "")) {
    throw badToken("Passed nonce and nonce in id_token should either both exist or not.");
  }
  if (nonce === "") return;
  const expected = createHash("sha256").update(nonce).digest("hex");
  if (typeof hashed !== "string" || !isEqualConstantTime(expected, hashed)) {
    throw badToken("Nonces mismatch");
  }
}

/** Where both are given, the access token has to be the one that the ID token came with. */
function assertAccessToken(claims: JWTPayload, accessToken: string): void {
  const { at_hash: expected } = claims;
  if (accessToken === "" || typeof expected !== "string") return;
  const half = createHash("sha256").update(accessToken).digest().subarray(0, 16);
  if (!isEqualConstantTime(half.toString("base64url"), expected)) throw badToken("Bad ID token");
}

async function accountOf(
  auth: AuthContext,
  fields: z.output<typeof body>,
): Promise<ProviderAccount> {
  const name = fields.provider.toLowerCase();
  if (fields.id_token === "") throw badToken("id_token required");
  if (name === "") throw badToken("provider or client_id and issuer required");
  if (!isProviderName(name)) throw validationFailed(`Custom OIDC provider "${name}" not allowed`);
  const provider = auth.providers.get(name);
  if (provider === undefined) {
    throw new AuthError(400, "provider_disabled", `Provider ${name} is not enabled`);
  }
  try {
    const claims = await provider.verifyIdToken(fields.id_token);
    assertNonce(provider, claims, fields.nonce);
    assertAccessToken(claims, fields.access_token);
    const account = accountFromClaims(name, claims);
    if (account === undefined) throw badToken("Missing sub claim in id_token");
    return account;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    auth.log.info({ err: error, provider: name }, "an ID token was not taken");
    throw badToken("Bad ID token");
  }
}

/** `POST /token?grant_type=id_token`; with `link_identity` it adds the identity to the signed-in account. */
export async function signInWithIdToken(auth: AuthContext, c: Context): Promise<Response> {
  if (auth.providers.size === 0) {
    throw new AuthError(400, "provider_disabled", "Sign-in with an ID token is not enabled");
  }
  await auth.rateLimits.take("signIn", auth.clientNetwork(c));
  const fields = await readBody(c, body);
  const caller = fields.link_identity === true ? await requireUserWithSession(auth, c) : undefined;
  if (caller) assertMayChangeIdentities(auth, caller);
  const account = await accountOf(auth, fields);
  const device = deviceOf(auth, c);
  const attempt = async () =>
    await inTransaction(auth.db.admin, async (db) => {
      if (caller) {
        const user = await linkToAccount(auth, db, caller.user.id, account, device.address);
        await assertSessionStands(db, caller);
        const issued = await createSession(auth, db, user.id, "oauth", device);
        return { issued, linked: user, email: user.email ?? "" };
      }
      const { userId, email, linked } = await signInWithProvider(auth, db, account, device.address);
      return { issued: await createSession(auth, db, userId, "oauth", device), linked, email };
    });
  const { issued, linked, email } = await attempt().catch(async (error: unknown) => {
    if (isEmailTaken(error) || isIdentityTaken(error)) return await attempt();
    throw error;
  });
  if (linked) notifyOfIdentity(auth, "identity_linked", linked, account.provider);
  await auth.devices.remember(c, email);
  return c.json(await sessionJson(auth, issued));
}
