import type { Hono } from "hono";
import { randomBytes } from "node:crypto";
import { createSignInStandIn } from "./stand-in.ts";

const path = "/sandbox/sign-in";
const providers = ["google", "apple"] as const;

/** What the product needs to let stand-ins answer for the providers. */
export interface MountedStandIns {
  /** For the auth service. */
  settings: Record<(typeof providers)[number], { url: string; client_id: string; secret: string }>;
  addRoutes: (app: Hono) => void;
}

/** Stand-ins for Google and Apple below an origin. They know nobody after a restart. */
export async function mountSignInStandIns(origin: string): Promise<MountedStandIns> {
  const opened = await Promise.all(
    providers.map(async (provider) => {
      const url = `${origin}${path}/${provider}`;
      const secret = randomBytes(24).toString("base64url");
      const options = { provider, issuer: url, clientId: "fourfold", clientSecret: secret };
      const settings = { url, client_id: options.clientId, secret };
      return { provider, settings, standIn: await createSignInStandIn(options) };
    }),
  );
  return {
    settings: Object.fromEntries(
      opened.map(({ provider, settings }) => [provider, settings]),
    ) as MountedStandIns["settings"],
    addRoutes: (app) => {
      for (const { provider, standIn } of opened) app.route(`${path}/${provider}`, standIn.app);
    },
  };
}
