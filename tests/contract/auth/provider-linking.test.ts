import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { enrollSecondFactor } from "../../support/second-factor.ts";
import {
  startSignInStandIns,
  throughProvider,
  type StandInName,
  type SignInStandIns,
} from "../../support/sign-in-stand-ins.ts";
import { startConfirmingHost, type ConfirmingHost } from "./confirming-host.ts";
import { clientOf } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

let standIns: SignInStandIns;
let host: ConfirmingHost;
beforeAll(async () => {
  standIns = await startSignInStandIns();
  const tables = `[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true
[auth.email.notification.identity_linked]\nenabled = true`;
  host = await startConfirmingHost({ env: standIns.env, tables });
});
afterAll(async () => {
  await host.stop();
  await standIns.stop();
});
afterEach(() => {
  standIns.google.tampering = {};
});

type Reached = Parameters<typeof clientOf>[0];

/** Signs in through a provider in a new browser. */
async function signInWith(
  provider: StandInName,
  email: string,
  running: Reached = host.running,
): Promise<{ client: SupabaseClient; id: string; error: string | null }> {
  const client = clientOf(running, "pkce");
  const target = await throughProvider(client, provider, { email });
  const error = target.searchParams.get("error_code");
  if (error !== null) return { client, id: "", error };
  const { data, error: refused } = await client.auth.exchangeCodeForSession(
    target.searchParams.get("code") ?? "",
  );
  return { client, id: data.user?.id ?? "", error: refused?.code ?? null };
}

const passwordWorks = async (
  email: string,
  password = testPassword,
  running: Reached = host.running,
) => (await clientOf(running).auth.signInWithPassword({ email, password })).error === null;

async function providersOf(id: string): Promise<unknown> {
  const { data } = await host.admin.getUserById(id);
  return {
    app: data.user?.app_metadata,
    identities: data.user?.identities?.map(({ provider }) => provider).toSorted(),
  };
}

describe("an account whose address was proved", () => {
  test("is opened by the provider that proves the same address, and keeps its password", async () => {
    const member = await host.confirmed({ plan: "mentor" });
    const { id, client, error } = await signInWith("google", member.email.toUpperCase());
    expect({ id, error }).toEqual({ id: member.id, error: null });
    expect(await providersOf(id)).toMatchObject({
      app: { provider: "email", providers: ["email", "google"] },
      identities: ["email", "google"],
    });
    expect(await passwordWorks(member.email)).toBe(true);
    expect((await member.client.auth.getUser()).data.user?.user_metadata).toMatchObject({
      plan: "mentor",
    });
    expect((await client.auth.getUser()).error).toBeNull();
    const mail = await host.sink.next(member.email);
    expect(mail.text).toContain("Google");
    const again = await signInWith("apple", member.email);
    expect(again.id).toBe(member.id);
  });

  test("stays closed to a provider that has not proved the address", async () => {
    const member = await host.confirmed();
    standIns.google.tampering = { claims: { email_verified: false } };
    expect(await signInWith("google", member.email)).toMatchObject({
      error: "provider_email_needs_verification",
    });
    standIns.google.tampering = {};
    expect(await providersOf(member.id)).toMatchObject({ identities: ["email"] });
  });

  test("stays closed to another address, however alike", async () => {
    const member = await host.confirmed();
    const [local = "", domain = ""] = member.email.split("@");
    for (const other of [
      `${local}+x@${domain}`,
      `${local}@sub.${domain}`,
      `${local}@${domain}.uk`,
    ]) {
      const { id, error } = await signInWith("google", other);
      expect(error).toBeNull();
      expect(id).not.toBe(member.id);
    }
  });

  test("still asks for its second factor", async () => {
    const member = await host.confirmed();
    await enrollSecondFactor(member.client);
    const { client, id } = await signInWith("google", member.email);
    expect(id).toBe(member.id);
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    expect((await client.auth.updateUser({ password: "Another-passw0rd!x" })).error).toMatchObject({
      code: "insufficient_aal",
    });
  });

  test("is closed while it is banned, and nothing is linked", async () => {
    const member = await host.confirmed();
    await host.admin.updateUserById(member.id, { ban_duration: "1h" });
    expect((await signInWith("google", member.email)).error).toBe("user_banned");
    expect(await providersOf(member.id)).toMatchObject({ identities: ["email"] });
    await host.admin.updateUserById(member.id, { ban_duration: "none" });
    expect((await signInWith("google", member.email)).id).toBe(member.id);
    await host.admin.updateUserById(member.id, { ban_duration: "1h" });
    expect((await signInWith("google", member.email)).error).toBe("user_banned");
  });

  test("is not found by an address that it no longer has", async () => {
    const member = await host.confirmed();
    const moved = newEmail();
    await signInWith("google", member.email);
    await host.admin.updateUserById(member.id, { email: moved, email_confirm: true });
    const { id } = await signInWith("apple", member.email);
    expect(id).not.toBe(member.id);
    expect((await signInWith("google", member.email)).id).toBe(member.id);
  });

  test("is another than the one that was deleted", async () => {
    const first = await signInWith("google", newEmail());
    const email = (await first.client.auth.getUser()).data.user?.email ?? "";
    await host.admin.deleteUser(first.id, true);
    const next = await signInWith("google", email);
    expect(next.error).toBeNull();
    expect(next.id).not.toBe(first.id);
  });
});

describe("someone who signs up with another's address", () => {
  test("keeps nothing once its owner comes by a provider", async () => {
    const email = newEmail();
    const attacker = clientOf(host.running, "pkce");
    await attacker.auth.signUp({
      email,
      password: testPassword,
      options: { data: { by: "attacker" } },
    });
    const link = await host.sink.next(email);
    const owner = await signInWith("google", email);
    expect(owner.error).toBeNull();
    const { data } = await owner.client.auth.getUser();
    expect(data.user).toMatchObject({
      email,
      app_metadata: { provider: "google", providers: ["google"] },
      identities: [{ provider: "google" }],
    });
    expect(data.user?.user_metadata).not.toHaveProperty("by");
    expect(await passwordWorks(email)).toBe(false);
    // The link of the sign-up, which would have set that password.
    const url = new URL(/https?:\S+verify\?\S+/.exec(link.text)?.[0] ?? "");
    const opened = await fetch(url, { redirect: "manual" });
    expect(opened.headers.get("location")).toContain("otp_expired");
    expect(await passwordWorks(email)).toBe(false);
    expect((await attacker.auth.resend({ type: "signup", email })).error).toBeNull();
    expect(await passwordWorks(email)).toBe(false);
  });

  test("keeps nothing where addresses count without confirmation either", async () => {
    const tables = `[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true`;
    const { running, stop } = await startHostWith(tables, { env: standIns.env });
    try {
      const email = newEmail();
      const attacker = clientOf(running, "pkce");
      await attacker.auth.signUp({ email, password: testPassword });
      expect((await attacker.auth.getUser()).data.user).toMatchObject({ email });
      const owner = await signInWith("google", email, running);
      expect(owner.error).toBeNull();
      expect((await owner.client.auth.getUser()).data.user).toMatchObject({
        email,
        identities: [{ provider: "google" }],
      });
      expect((await attacker.auth.getUser()).error).not.toBeNull();
      expect((await attacker.auth.refreshSession()).error).not.toBeNull();
      expect(await passwordWorks(email, testPassword, running)).toBe(false);
    } finally {
      await stop();
    }
  });

  test("does not take an owner's second factor away where one is in use", async () => {
    const tables = `[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true`;
    const { running, stop } = await startHostWith(tables, { env: standIns.env });
    try {
      const email = newEmail();
      const member = clientOf(running, "pkce");
      await member.auth.signUp({ email, password: testPassword });
      await enrollSecondFactor(member);
      const { client } = await signInWith("google", email, running);
      const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
      expect(data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    } finally {
      await stop();
    }
  });

  test("cannot change to that address and wait", async () => {
    const { running, stop } = await startHostWith("", { env: standIns.env });
    try {
      const [own, victim] = [newEmail(), newEmail()];
      const attacker = clientOf(running, "pkce");
      const { data } = await attacker.auth.signUp({ email: own, password: testPassword });
      await attacker.auth.updateUser({ email: victim });
      const inbox = (await (await fetch(`${running.url}/dev/inbox.json`)).json()) as {
        to: string;
        text: string;
      }[];
      const mail = inbox.find(({ to }) => to === own);
      const url = /https?:\S+verify\?\S+/.exec(mail?.text ?? "")?.[0] ?? "";
      await fetch(url, { redirect: "manual" });
      const owner = await signInWith("google", victim, running);
      expect(owner.error).toBeNull();
      if (owner.id === data.user?.id) {
        expect(await passwordWorks(victim, testPassword, running)).toBe(false);
        expect((await attacker.auth.getUser()).error).not.toBeNull();
      }
    } finally {
      await stop();
    }
  });
});

describe("an account that a provider made", () => {
  test("has no password until its owner sets one, which adds the address to the ways to sign in", async () => {
    const email = newEmail();
    const { client, id } = await signInWith("google", email);
    expect(await passwordWorks(email, "")).toBe(false);
    expect(await passwordWorks(email)).toBe(false);
    expect((await client.auth.updateUser({ password: testPassword })).error).toBeNull();
    expect(await passwordWorks(email)).toBe(true);
    expect(await providersOf(id)).toMatchObject({
      app: { provider: "google", providers: ["google", "email"] },
      identities: ["email", "google"],
    });
    expect((await signInWith("google", email)).id).toBe(id);
  });

  test("cannot be claimed by signing up with its address", async () => {
    const email = newEmail();
    const { id } = await signInWith("google", email);
    const { data } = await clientOf(host.running).auth.signUp({ email, password: testPassword });
    expect(data.user?.identities).toEqual([]);
    expect(await passwordWorks(email)).toBe(false);
    expect((await signInWith("google", email)).id).toBe(id);
  });

  test("is written into the audit log", async () => {
    const member = await host.confirmed();
    await signInWith("google", member.email);
    const { rows } = await host.owner.query<{ action: string }>(
      `select payload ->> 'action' as action from auth.audit_log_entries
        where payload ->> 'actor_id' = $1 and payload -> 'traits' ->> 'provider' = 'google'`,
      [member.id],
    );
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(["identity_linked", "login"]),
    );
  });
});
