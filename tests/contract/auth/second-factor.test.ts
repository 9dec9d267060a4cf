import { randomUUID } from "node:crypto";
import { isAuthSessionMissingError, type SupabaseClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import { afterAll, describe, expect, inject, test } from "vitest";
import { ownerPool, testPassword, serviceRole, signUp } from "../../support/clients.ts";
import { codesOf, enrollSecondFactor, enterCode } from "../../support/second-factor.ts";
import { headersOf, errorOf, signInAgain } from "../../support/sessions.ts";
import { call } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

async function claimsOf(client: SupabaseClient): Promise<Record<string, unknown>> {
  const { data } = await client.auth.getSession();
  const payload = data.session?.access_token.split(".")[1] ?? "";
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
}

describe("enrolling a factor", () => {
  test("returns a QR code as an image, the secret and its URI", async () => {
    const { client, email } = await signUp();
    const { data, error } = await client.auth.mfa.enroll({
      factorType: "totp",
      friendlyName: "My phone",
      issuer: "Other Project",
    });
    expect(error).toBeNull();
    if (data?.type !== "totp") throw new Error("no TOTP factor");
    expect(data.friendly_name).toBe("My phone");
    expect(data.totp.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(data.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^"#]+<\/svg>$/);
    const address = new URL(data.totp.uri);
    expect(address.protocol).toBe("otpauth:");
    expect(decodeURIComponent(address.pathname)).toContain(`Other Project:${email}`);
    expect(address.searchParams.get("secret")).toBe(data.totp.secret);
    const { data: factors } = await client.auth.mfa.listFactors();
    expect(factors?.all).toMatchObject([{ id: data.id, status: "unverified" }]);
    expect(factors?.totp).toEqual([]);
  });

  test("stores the secret encrypted and never returns it again", async () => {
    const { id, client } = await signUp();
    const { secret } = await enrollSecondFactor(client);
    const { rows } = await owner.query<{ secret: string }>(
      "select secret from auth.mfa_factors where user_id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.secret).not.toContain(secret);
    const { data } = await client.auth.getUser();
    expect(JSON.stringify(data)).not.toContain("secret");
  });

  test("rejects a duplicate name, too many factors and other factor types", async () => {
    const { client } = await signUp();
    const enroll = async (friendlyName: string) =>
      await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
    await enroll("one");
    expect(errorOf(await enroll("one"))).toEqual([422, "mfa_factor_name_conflict"]);
    await enroll("two");
    await enroll("three");
    expect(errorOf(await enroll("four"))).toEqual([422, "too_many_enrolled_mfa_factors"]);
    const phone = await client.auth.mfa.enroll({ factorType: "phone", phone: "+441234567890" });
    expect(errorOf(phone)).toEqual([422, "mfa_phone_enroll_not_enabled"]);
  });

  test("respects the maximum for concurrent requests", async () => {
    const { id, client } = await signUp();
    await Promise.all(
      Array.from({ length: 6 }, async (_, at) =>
        client.auth.mfa.enroll({ factorType: "totp", friendlyName: `phone ${at}` }),
      ),
    );
    const { rows } = await owner.query("select 1 from auth.mfa_factors where user_id = $1", [id]);
    expect(rows).toHaveLength(3);
  });

  test("is rejected where the project has disabled it", async () => {
    const other = await startHostWith("");
    try {
      const { body } = await call(other.running, "/signup", {
        body: { email: "ada@example.test", password: testPassword },
      });
      const answer = await call(other.running, "/factors", {
        body: { factor_type: "totp" },
        headers: { authorization: `Bearer ${String(body["access_token"])}` },
      });
      expect([answer.status, answer.body["code"]]).toEqual([422, "mfa_totp_enroll_not_enabled"]);
    } finally {
      await other.stop();
    }
  });
});

describe("a correct code", () => {
  test("raises the session to aal2, which a refresh keeps", async () => {
    const { client } = await signUp();
    const before = await claimsOf(client);
    expect(before["aal"]).toBe("aal1");
    const { id } = await enrollSecondFactor(client);
    const after = await claimsOf(client);
    expect(after).toMatchObject({ aal: "aal2", session_id: before["session_id"] });
    expect((after["amr"] as { method: string }[]).map(({ method }) => method).toSorted()).toEqual([
      "password",
      "totp",
    ]);
    const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
    const { error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect((await claimsOf(client))["aal"]).toBe("aal2");
    const { data: factors } = await client.auth.mfa.listFactors();
    expect(factors?.totp).toMatchObject([{ id, status: "verified", friendly_name: "Phone" }]);
  });

  test("ends aal1 sessions and deletes unverified factors", async () => {
    const account = await signUp();
    const other = await signInAgain(account);
    const stale = await headersOf(other);
    await account.client.auth.mfa.enroll({ factorType: "totp", friendlyName: "abandoned" });
    await enrollSecondFactor(account.client);
    expect((await call(host, "/user", { headers: stale })).body["code"]).toBe("session_not_found");
    expect(errorOf(await other.auth.refreshSession())[0]).toBe(400);
    const { data } = await account.client.auth.mfa.listFactors();
    expect(data?.all).toHaveLength(1);
  });

  test("is required again at the next sign-in", async () => {
    const account = await signUp();
    const factor = await enrollSecondFactor(account.client);
    const again = await signInAgain(account);
    const { data: level } = await again.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    await enterCode(again, factor.id, factor.nextCode());
    expect((await claimsOf(again))["aal"]).toBe("aal2");
  });

  test("works once, even for another challenge", async () => {
    const account = await signUp();
    const factor = await enrollSecondFactor(account.client);
    const code = factor.nextCode();
    await enterCode(await signInAgain(account), factor.id, code);
    const replay = await signInAgain(account);
    const verified = await replay.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
    expect(errorOf(verified)).toEqual([422, "mfa_verification_failed"]);
    expect((await claimsOf(replay))["aal"]).toBe("aal1");
  });

  test("sent twice at the same time is accepted once", async () => {
    const account = await signUp();
    const factor = await enrollSecondFactor(account.client);
    const code = factor.nextCode();
    const clients = [await signInAgain(account), await signInAgain(account)];
    const answers = await Promise.all(
      clients.map(async ({ auth }) => auth.mfa.challengeAndVerify({ factorId: factor.id, code })),
    );
    const errors = answers.filter(({ error }) => error !== null);
    expect(errors).toHaveLength(1);
    // The second request finds a used code, or a session that the first one has ended, which the client tells in its own way.
    const [late] = errors;
    if (!isAuthSessionMissingError(late?.error)) {
      expect([422, 403]).toContain(errorOf(late ?? { error: null })[0]);
    }
  });
});

describe("a wrong code", () => {
  const wrong = async (client: SupabaseClient, factorId: string) =>
    errorOf(await client.auth.mfa.challengeAndVerify({ factorId, code: "000000" }));

  test("locks the factor after five, for every session and even for the correct code", async () => {
    const account = await signUp();
    const factor = await enrollSecondFactor(account.client);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const client = await signInAgain(account);
      expect(await wrong(client, factor.id)).toEqual([422, "mfa_verification_failed"]);
    }
    const client = await signInAgain(account);
    const code = factor.nextCode();
    const locked = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
    expect(errorOf(locked)).toEqual([429, "over_request_rate_limit"]);
    // The lock is stored in the database, where other hosts see it.
    await owner.query(
      "update host.sign_in_failures set locked_until = now() where locked_until > now()",
    );
    await enterCode(client, factor.id, code);
    // A correct code resets the count: the next wrong one does not lock.
    const again = await signInAgain(account);
    expect(await wrong(again, factor.id)).toEqual([422, "mfa_verification_failed"]);
    expect(await wrong(again, factor.id)).toEqual([422, "mfa_verification_failed"]);
  });

  test("sixty at once count as only five guesses", async () => {
    const account = await signUp();
    const factor = await enrollSecondFactor(account.client);
    const client = await signInAgain(account);
    const answers = await Promise.all(
      Array.from({ length: 60 }, async () => wrong(client, factor.id)),
    );
    expect(answers.filter(([status]) => status === 422)).toHaveLength(5);
    expect(answers.filter(([status]) => status === 429)).toHaveLength(55);
  });
});

describe("a challenge", () => {
  test("accepts one code of its own factor within five minutes", async () => {
    const account = await signUp();
    const { data } = await account.client.auth.mfa.enroll({ factorType: "totp" });
    if (data?.type !== "totp") throw new Error("no TOTP factor");
    const nextCode = codesOf(data.totp.secret);
    const factorId = data.id;
    const unknown = await account.client.auth.mfa.verify({
      factorId,
      challengeId: randomUUID(),
      code: nextCode(),
    });
    expect(errorOf(unknown)).toEqual([422, "mfa_factor_not_found"]);
    const { data: late } = await account.client.auth.mfa.challenge({ factorId });
    await owner.query(
      "update auth.mfa_challenges set created_at = now() - interval '301 seconds' where id = $1",
      [late?.id],
    );
    const expired = await account.client.auth.mfa.verify({
      factorId,
      challengeId: late?.id ?? "",
      code: nextCode(),
    });
    expect(errorOf(expired)).toEqual([422, "mfa_challenge_expired"]);
    const { data: challenge } = await account.client.auth.mfa.challenge({ factorId });
    expect(challenge?.expires_at).toBeGreaterThan(Date.now() / 1000 + 200);
    const answer = async () =>
      await account.client.auth.mfa.verify({
        factorId,
        challengeId: challenge?.id ?? "",
        code: new TOTP({ secret: data.totp.secret }).generate(),
      });
    expect((await answer()).error).toBeNull();
    expect(errorOf(await answer())).toEqual([422, "mfa_ip_address_mismatch"]);
  });

  test("cannot be created for another account's factor", async () => {
    const [ada, eve] = [await signUp(), await signUp()];
    const { id } = await enrollSecondFactor(ada.client);
    expect(errorOf(await eve.client.auth.mfa.challenge({ factorId: id }))).toEqual([
      404,
      "mfa_factor_not_found",
    ]);
    expect(errorOf(await eve.client.auth.mfa.unenroll({ factorId: id }))).toEqual([
      404,
      "mfa_factor_not_found",
    ]);
  });
});

describe("removing a factor", () => {
  test("returns the session to aal1", async () => {
    const account = await signUp();
    const { id } = await enrollSecondFactor(account.client);
    const { data, error } = await account.client.auth.mfa.unenroll({ factorId: id });
    expect(error).toBeNull();
    expect(data).toEqual({ id });
    await account.client.auth.refreshSession();
    expect(await claimsOf(account.client)).toMatchObject({ aal: "aal1" });
    const { data: level } = await account.client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
  });

  test("ends sessions that have not verified it yet when it was the last one", async () => {
    const account = await signUp();
    const { id } = await enrollSecondFactor(account.client);
    const aal1Headers = await headersOf(await signInAgain(account));
    expect((await account.client.auth.mfa.unenroll({ factorId: id })).error).toBeNull();
    expect((await call(host, "/user", { headers: aal1Headers })).body["code"]).toBe(
      "session_not_found",
    );
    expect((await account.client.auth.getUser()).error).toBeNull();
  });

  test("of another account requires the service role", async () => {
    const account = await signUp();
    const { id } = await enrollSecondFactor(account.client);
    const { admin } = serviceRole().auth;
    const listed = await admin.mfa.listFactors({ userId: account.id });
    expect(listed.data?.factors).toMatchObject([{ id, factor_type: "totp", status: "verified" }]);
    const forbidden = await call(host, `/admin/users/${account.id}/factors/${id}`, {
      method: "DELETE",
      headers: await headersOf(account.client),
    });
    expect(forbidden.status).toBe(403);
    const deleted = await admin.mfa.deleteFactor({ userId: account.id, id });
    expect(deleted.error).toBeNull();
    const left = await admin.mfa.listFactors({ userId: account.id });
    expect(left.data?.factors).toEqual([]);
    const { rows } = await owner.query("select aal from auth.sessions where user_id = $1", [
      account.id,
    ]);
    expect(rows).toEqual([]);
  });
});

test("factor events are recorded in the audit log", async () => {
  const account = await signUp();
  const { id } = await enrollSecondFactor(account.client);
  await account.client.auth.mfa.unenroll({ factorId: id });
  const { rows } = await owner.query<{ action: string }>(
    `select payload ->> 'action' as action from auth.audit_log_entries
      where payload ->> 'actor_id' = $1 and payload ->> 'log_type' = 'factor' order by created_at`,
    [account.id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "factor_in_progress",
    "challenge_created",
    "verification_attempted",
    "factor_unenrolled",
  ]);
});
