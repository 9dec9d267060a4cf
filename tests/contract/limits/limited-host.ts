import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import pg from "pg";
import type { HostContext, LimitOverrides } from "basehost";
import type { RunningHost } from "../../support/running.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";

/** Unsets the rates other tests use, so that the defaults apply. */
const defaultRates = { MEMBER_REQUESTS_PER_SECOND: "", ANONYMOUS_REQUESTS_PER_SECOND: "" };

/** A member, for the official client and for plain requests. */
export interface LimitedMember {
  id: string;
  token: string;
  client: SupabaseClient;
}

/** A host with its own limits and clock; it trusts this machine's forwarding headers. */
export interface LimitedHost {
  running: RunningHost;
  context: HostContext;
  owner: pg.Pool;
  /** Advances the host's clock. */
  pass: (milliseconds: number) => void;
  member: () => Promise<LimitedMember>;
  sign: (claims: Record<string, unknown>, secret?: string) => Promise<string>;
  /** Sends a request from an address; anonymous without a token. */
  ask: (path: string, from: string, init?: RequestInit & { token?: string }) => Promise<Response>;
  stop: () => Promise<void>;
}

export async function startLimitedHost(limits: LimitOverrides): Promise<LimitedHost> {
  let offsetMs = 0;
  const env = { ...defaultRates, TRUSTED_PROXY: "127.0.0.1" };
  const { host, running, stop } = await startFixtureHost(env, undefined, {
    limits,
    now: () => Date.now() + offsetMs,
  });
  const owner = new pg.Pool({ connectionString: running.databaseUrl, max: 4 });
  const sign = async (claims: Record<string, unknown>, secret = running.jwtSecret) =>
    await new SignJWT({ exp: Math.floor(Date.now() / 1000) + 24 * 3600, ...claims })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .sign(new TextEncoder().encode(secret));
  return {
    running,
    context: host.context,
    owner,
    sign,
    pass: (milliseconds) => {
      offsetMs += milliseconds;
    },
    member: async () => {
      const id = randomUUID();
      const token = await sign({ sub: id, role: "authenticated", aud: "authenticated" });
      const accessToken = async () => await Promise.resolve(token);
      return { id, token, client: createClient(running.url, running.anonKey, { accessToken }) };
    },
    ask: async (path, from, { token, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has("apikey")) headers.set("apikey", running.anonKey);
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
      headers.set("x-forwarded-for", from);
      return await fetch(`${running.url}${path}`, { ...init, headers });
    },
    stop: async () => {
      await owner.end();
      await stop();
    },
  };
}
