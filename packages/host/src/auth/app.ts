// Maps the routes of `/auth/v1` to their handlers and turns errors into the responses GoTrue would give.

import { Hono } from "hono";
import { cors } from "hono/cors";
import type { HostContext } from "../context.ts";
import { DatabaseBusyError } from "../postgres/database-busy.ts";
import { listAuditLog } from "./routes/audit-log.ts";
import { listUsers } from "./routes/list-users.ts";
import {
  adminUpdateUser,
  adminCreateUser,
  adminDeleteUser,
  adminGetUser,
} from "./routes/admin-users.ts";
import { AuthError, databaseRefusal, errorResponse, requestTimeout } from "./auth-error.ts";
import { createAuthContext, type AuthOptions } from "./auth-context.ts";
import { requireApiKey, requireServiceRole } from "./routes/authenticate.ts";
import { authorize, authorizeLink } from "./routes/authorize.ts";
import { unlinkIdentity } from "./routes/identities.ts";
import { providerCallback } from "./routes/provider-callback.ts";
import { generateLink, invite } from "./routes/generate-link.ts";
import { showHealth, showKeySet, showSettings } from "./routes/service-info.ts";
import { logOut } from "./routes/log-out.ts";
import { sendMagicLink } from "./routes/magic-link.ts";
import { reauthenticate } from "./routes/reauthenticate.ts";
import { enrollFactorHandler } from "./mfa/enroll-factor.ts";
import { adminDeleteFactor, adminListFactors, unenrollFactor } from "./mfa/remove-factor.ts";
import { challengeFactor, verifyFactor } from "./mfa/verify-factor.ts";
import { adminDeletePasskey, adminListPasskeys } from "./passkeys/manage-passkeys.ts";
import { passkeyRoutes } from "./passkeys/passkey-routes.ts";
import { recover } from "./routes/recover.ts";
import { resend } from "./routes/resend.ts";
import { signUpHandler } from "./routes/sign-up.ts";
import { token } from "./routes/token.ts";
import { unsupportedRoutes } from "./routes/unsupported-routes.ts";
import type { ProviderName } from "./providers/provider-kinds.ts";
import { startAuthCleanup } from "./cleanup.ts";
import { readUser, updateUser } from "./routes/user.ts";
import { openVerifyLink, verify } from "./routes/verify.ts";

/** The routes, and what other parts tell of them. */
export interface AuthApp {
  app: Hono;
  /** What is on: ways to sign in besides a password, and security keys as second factor. */
  signIn: { providers: readonly ProviderName[]; passkeys: boolean; securityKeys: boolean };
}

/**
 * The auth API of hosted projects for accounts with a password or a sign-in provider. docs/subsystems/auth.md explains how it works
 * and where it differs on purpose.
 * @throws {BootError} when the `[auth]` table of config.toml cannot be used.
 */
export function createAuthApp(host: HostContext, options?: AuthOptions): AuthApp {
  const auth = createAuthContext(host, options);
  startAuthCleanup(host);
  const app = new Hono();
  app.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      exposeHeaders: ["X-Total-Count", "Link", "X-Supabase-Api-Version", "Retry-After"],
    }),
  );
  app.onError((error, c) => {
    if (error instanceof AuthError) return errorResponse(c, error);
    if (error instanceof DatabaseBusyError) {
      return errorResponse(c, requestTimeout(error.retryAfterS));
    }
    const refusal = databaseRefusal(error);
    if (refusal) return errorResponse(c, refusal);
    auth.log.error({ err: error, path: c.req.path }, "an auth request failed");
    const message = "Unexpected failure, please check server logs for more information";
    return errorResponse(c, new AuthError(500, "unexpected_failure", message));
  });

  // These routes need no API key: e-mail links carry none, nor do browsers on the way to and from a provider,
  // health checks and token verifiers.
  app.get("/verify", openVerifyLink(auth));
  app.get("/authorize", authorize(auth));
  app.get("/callback", providerCallback(auth));
  app.post("/callback", providerCallback(auth));
  app.get("/health", showHealth());
  app.get("/.well-known/jwks.json", showKeySet(auth));

  app.use(requireApiKey(auth));
  app.get("/settings", showSettings(auth));
  app.post("/signup", signUpHandler(auth));
  app.post("/token", token(auth));
  app.post("/verify", verify(auth));
  app.post("/recover", recover(auth));
  app.post("/resend", resend(auth));
  app.post("/otp", sendMagicLink(auth));
  app.post("/magiclink", sendMagicLink(auth));
  app.get("/user", readUser(auth));
  app.put("/user", updateUser(auth));
  app.get("/user/identities/authorize", authorizeLink(auth));
  app.delete("/user/identities/:identity", unlinkIdentity(auth));
  app.post("/logout", logOut(auth));
  app.get("/reauthenticate", reauthenticate(auth));
  app.post("/factors", enrollFactorHandler(auth));
  app.post("/factors/:factor/challenge", challengeFactor(auth));
  app.post("/factors/:factor/verify", verifyFactor(auth));
  app.delete("/factors/:factor", unenrollFactor(auth));

  app.route("/passkeys", passkeyRoutes(auth));

  app.use("/admin/*", requireServiceRole(auth));
  app.get("/admin/audit", listAuditLog(auth));
  app.get("/admin/users", listUsers(auth));
  app.post("/admin/users", adminCreateUser(auth));
  app.get("/admin/users/:id", adminGetUser(auth));
  app.put("/admin/users/:id", adminUpdateUser(auth));
  app.delete("/admin/users/:id", adminDeleteUser(auth));
  app.get("/admin/users/:id/factors", adminListFactors(auth));
  app.delete("/admin/users/:id/factors/:factor", adminDeleteFactor(auth));
  app.get("/admin/users/:id/passkeys", adminListPasskeys(auth));
  app.delete("/admin/users/:id/passkeys/:passkey", adminDeletePasskey(auth));
  app.post("/admin/generate_link", generateLink(auth));
  app.post("/invite", requireServiceRole(auth), invite(auth));

  app.route("/", unsupportedRoutes(auth));
  app.all("*", (c) => errorResponse(c, new AuthError(404, "not_found", "There is nothing here")));
  const { passkey, mfa } = auth.settings;
  // Keys that could be added but not used, or used but not added, are none to offer.
  const securityKeys = mfa.web_authn.enroll_enabled && mfa.web_authn.verify_enabled;
  const providers = [...auth.providers.keys()];
  return { app, signIn: { providers, passkeys: passkey.enabled, securityKeys } };
}
