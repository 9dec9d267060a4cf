import { Hono } from "hono";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser } from "./authenticate.ts";

/** Routes of the hosted API for sign-in methods this host does not support; each responds as if disabled. */
export function unsupportedRoutes(auth: AuthContext): Hono {
  const app = new Hono();
  app.all("/factors/*", async (c) => {
    await requireUser(auth, c);
    throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  });
  app.all("/sso/*", () => {
    throw new AuthError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
  });
  app.all("/oauth/*", () => {
    throw new AuthError(404, "feature_disabled", "The OAuth server is disabled");
  });
  return app;
}
