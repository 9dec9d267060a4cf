// Maps the routes below `/passkeys` to their handlers.

import { Hono } from "hono";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { deletePasskey, readPasskeys, updatePasskey } from "./manage-passkeys.ts";
import { createPasskey, passkeyCreationOptions } from "./register-passkey.ts";
import { passkeyRequestOptions, openSessionByPasskey } from "./sign-in-with-passkey.ts";

/** Routes below `/passkeys`; while passkeys are off, all respond with 404 `passkey_disabled`. */
export function passkeyRoutes(auth: AuthContext): Hono {
  const app = new Hono();
  app.use(async (_c, next) => {
    if (!auth.settings.passkey.enabled) {
      throw new AuthError(404, "passkey_disabled", "Passkeys are disabled");
    }
    await next();
  });
  app.get("/", readPasskeys(auth));
  app.post("/registration/options", passkeyCreationOptions(auth));
  app.post("/registration/verify", createPasskey(auth));
  app.post("/authentication/options", passkeyRequestOptions(auth));
  app.post("/authentication/verify", openSessionByPasskey(auth));
  app.patch("/:passkey", updatePasskey(auth));
  app.delete("/:passkey", deletePasskey(auth));
  return app;
}
