import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import type { SupabaseClient } from "@supabase/supabase-js";
import { newEmail, testPassword } from "../../support/clients.ts";
import type { RunningHost } from "../../support/running.ts";
import { clientOf, fragmentOf, inboxOf, linkIn, openLink } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

const config = `
[auth.rate_limit]
sign_in_sign_ups = 1000
[auth.email]
require_current_password = true
max_frequency = "0s"
`;
const newPassword = "Harbour-Violet-19?";

let host: RunningHost;
let stop: () => Promise<void>;
let owner: pg.Pool;
beforeAll(async () => {
  ({ running: host, stop } = await startHostWith(config));
  owner = new pg.Pool({ connectionString: host.databaseUrl, max: 2 });
});
afterAll(async () => {
  await owner.end();
  await stop();
});

async function signUp(): Promise<{ client: SupabaseClient; email: string }> {
  const client = clientOf(host);
  const email = newEmail();
  const { error } = await client.auth.signUp({ email, password: testPassword });
  if (error) throw error;
  return { client, email };
}

/** Changes the password. @returns null, or the error code */
async function change(client: SupabaseClient, password: string, current?: string) {
  const { error } = await client.auth.updateUser({
    password,
    ...(current === undefined ? {} : { current_password: current }),
  });
  return error?.code ?? null;
}

/** A client with a session from a recovery link, by code exchange or with tokens. */
async function recover(email: string, flow: "implicit" | "pkce"): Promise<SupabaseClient> {
  const client = clientOf(host, flow);
  const { error } = await client.auth.resetPasswordForEmail(email);
  if (error) throw error;
  const target = await openLink(linkIn((await inboxOf(host, email))[0]));
  if (flow === "pkce") {
    await client.auth.exchangeCodeForSession(target.searchParams.get("code") ?? "");
  } else {
    const { access_token = "", refresh_token = "" } = fragmentOf(target);
    await client.auth.setSession({ access_token, refresh_token });
  }
  return client;
}

describe("a new password", () => {
  test("requires the current one", async () => {
    const { client, email } = await signUp();
    expect(await change(client, newPassword)).toBe("current_password_required");
    expect(await change(client, newPassword, "")).toBe("current_password_required");
    expect(await change(client, newPassword, "Wrong-Horse-42!")).toBe("current_password_invalid");
    const before = await clientOf(host).auth.signInWithPassword({ email, password: testPassword });
    expect(before.error).toBeNull();
    expect(await change(client, newPassword, testPassword)).toBeNull();
    const after = await clientOf(host).auth.signInWithPassword({ email, password: newPassword });
    expect(after.error).toBeNull();
  });

  test("is not required for other changes", async () => {
    const { client } = await signUp();
    expect((await client.auth.updateUser({ data: { name: "Ada" } })).error).toBeNull();
  });

  test.each(["implicit", "pkce"] as const)(
    "is set by a recovery (%s) without the current one, once",
    async (flow) => {
      const { email } = await signUp();
      const client = await recover(email, flow);
      expect(await change(client, newPassword)).toBeNull();
      expect(await change(client, "Quarry-Lantern-77?")).toBe("current_password_required");
      expect(await change(client, "Quarry-Lantern-77?", newPassword)).toBeNull();
    },
  );

  test("cannot be set by a recovery session older than an hour", async () => {
    const { email } = await signUp();
    const client = await recover(email, "pkce");
    await owner.query(
      `update auth.mfa_amr_claims set created_at = created_at - interval '61 min'
        where authentication_method = 'recovery'`,
    );
    expect(await change(client, newPassword)).toBe("current_password_required");
  });

  test("cannot be set with a magic link alone, unless the account has no password", async () => {
    const link = async (email: string) => {
      const client = clientOf(host, "pkce");
      await client.auth.signInWithOtp({ email });
      const target = await openLink(linkIn((await inboxOf(host, email))[0]));
      await client.auth.exchangeCodeForSession(target.searchParams.get("code") ?? "");
      return client;
    };
    const { email } = await signUp();
    expect(await change(await link(email), newPassword)).toBe("current_password_required");
    expect(await change(await link(newEmail()), newPassword)).toBeNull();
  });

  test("cannot be set by guessing the current one", async () => {
    const { client } = await signUp();
    const codes = [];
    for (let guess = 0; guess < 11; guess += 1) {
      codes.push(await change(client, newPassword, `Wrong-Horse-${guess}!`));
    }
    const expected = [...(Array(10).fill("current_password_invalid") as string[])];
    expect(codes).toEqual([...expected, "over_request_rate_limit"]);
    expect(await change(client, newPassword, testPassword)).toBe("over_request_rate_limit");
  });
});

describe("once there is a new password", () => {
  /** A link opened with access to the mailbox alone; its code waits to be exchanged. */
  async function openedLink(email: string) {
    const client = clientOf(host, "pkce");
    await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const target = await openLink(linkIn((await inboxOf(host, email))[0]));
    return { client, code: target.searchParams.get("code") ?? "" };
  }

  test("the code of a link that was opened before is worth nothing", async () => {
    const { client, email } = await signUp();
    const before = await openedLink(email);
    expect(await change(client, newPassword, testPassword)).toBeNull();
    const { error } = await before.client.auth.exchangeCodeForSession(before.code);
    expect(error?.code).toBe("flow_state_not_found");

    const after = await openedLink(email);
    expect((await after.client.auth.exchangeCodeForSession(after.code)).error).toBeNull();
  });

  test("a change of address that was asked for before does not happen", async () => {
    const { client, email } = await signUp();
    const wanted = newEmail();
    expect((await client.auth.updateUser({ email: wanted })).error).toBeNull();
    const links = [email, wanted].map(async (to) => linkIn((await inboxOf(host, to))[0]));
    expect(await change(client, newPassword, testPassword)).toBeNull();
    for (const link of await Promise.all(links)) {
      expect((await openLink(link)).href).toContain("error_code=otp_expired");
    }
    const { data } = await client.auth.getUser();
    expect([data.user?.email, data.user?.new_email]).toEqual([email, undefined]);
  });
});
