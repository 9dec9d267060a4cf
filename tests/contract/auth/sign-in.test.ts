import { hash as bcryptHash } from "bcryptjs";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import {
  anonymous,
  newEmail,
  ownerPool,
  testPassword,
  serviceRole,
  signUp,
} from "../../support/clients.ts";
import { call } from "./requests.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

async function hashOf(id: string): Promise<string> {
  const { rows } = await owner.query<{ hash: string }>(
    "select encrypted_password as hash from auth.users where id = $1",
    [id],
  );
  return rows[0]?.hash ?? "";
}

describe("sign-in with a password", () => {
  test("creates a new session each time", async () => {
    const { id, email } = await signUp();
    const { data, error } = await anonymous().auth.signInWithPassword({
      email: email.toUpperCase(),
      password: testPassword,
    });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect(Date.parse(data.user?.last_sign_in_at ?? "")).toBeGreaterThan(Date.now() - 60_000);
    const { rows } = await owner.query("select id from auth.sessions where user_id = $1", [id]);
    expect(rows).toHaveLength(2);
  });

  test("responds the same to a wrong password and an unknown account", async () => {
    const { email } = await signUp();
    const attempt = async (address: string) =>
      await call(host, "/token?grant_type=password", {
        body: { email: address, password: "Wrong-Horse-42!" },
      });
    const [known, unknown] = [await attempt(email), await attempt(newEmail())];
    expect(known.status).toBe(400);
    expect(known.body).toEqual({
      code: "invalid_credentials",
      message: "Invalid login credentials",
    });
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
  });

  test("takes as long for an unknown account as for a known one", async () => {
    const { email } = await signUp();
    const timeOf = async (address: string) => {
      const startedAt = performance.now();
      await call(host, "/token?grant_type=password", {
        body: { email: address, password: "Wrong-Horse-42!" },
      });
      return performance.now() - startedAt;
    };
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[4] ?? 0;
    const times = { known: [] as number[], unknown: [] as number[] };
    // Alternating, so that load on the machine slows both.
    for (let round = 0; round < 9; round += 1) {
      times.known.push(await timeOf(email));
      times.unknown.push(await timeOf(newEmail()));
    }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    // Without the dummy hash the response for an unknown account takes a tenth of the time.
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
  });

  test("reports a ban only after the correct password", async () => {
    const { id, email } = await signUp();
    await serviceRole().auth.admin.updateUserById(id, { ban_duration: "24h" });
    const right = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(right.error?.code).toBe("user_banned");
    const wrong = await anonymous().auth.signInWithPassword({ email, password: "Wrong-Horse-42!" });
    expect(wrong.error?.code).toBe("invalid_credentials");
    await serviceRole().auth.admin.updateUserById(id, { ban_duration: "none" });
    const after = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(after.error).toBeNull();
  });

  test("fails when the password changes during the check", async () => {
    const { email, id } = await signUp();
    const holder = await owner.connect();
    await holder.query("begin");
    await holder.query("select 1 from auth.users where id = $1 for update", [id]);
    const attempt = call(host, "/token?grant_type=password", {
      body: { email, password: testPassword },
    });
    await vi.waitFor(async () => {
      const { rows } = await owner.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
          where wait_event_type = 'Lock' and query like '%auth.users%'`,
      );
      expect(rows[0]?.waiting).toBe(1);
    }, 60_000);
    await holder.query("update auth.users set encrypted_password = 'changed' where id = $1", [id]);
    await holder.query("delete from auth.sessions where user_id = $1", [id]);
    await holder.query("commit");
    holder.release();
    const { status, body } = await attempt;
    expect([status, body["code"]]).toEqual([400, "invalid_credentials"]);
    const { rows } = await owner.query("select id from auth.sessions where user_id = $1", [id]);
    expect(rows).toEqual([]);
  });

  test("requires a confirmed address", async () => {
    const email = newEmail();
    await serviceRole().auth.admin.createUser({ email, password: testPassword });
    const { error } = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(error).toMatchObject({ status: 400, code: "email_not_confirmed" });
  });

  test.each(["$2a$", "$2b$"])("accepts an imported %s hash and replaces it", async (prefix) => {
    const email = newEmail();
    const imported = (await bcryptHash(testPassword, 5)).replace(/^\$2.\$/, prefix);
    const { data } = await serviceRole().auth.admin.createUser({
      email,
      password_hash: imported,
      email_confirm: true,
    });
    const id = data.user?.id ?? "";
    expect(await hashOf(id)).toBe(imported);
    const wrong = await anonymous().auth.signInWithPassword({ email, password: "Wrong-Horse-42!" });
    expect(wrong.error?.code).toBe("invalid_credentials");
    expect(await hashOf(id)).toBe(imported);
    const right = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(right.error).toBeNull();
    expect(await hashOf(id)).toMatch(/^\$argon2id\$/);
    const again = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(again.error).toBeNull();
  });

  test("rejects unsupported grant types", async () => {
    const codes = [];
    for (const grant of ["id_token", "web3", "client_credentials", ""]) {
      const { status, body } = await call(host, `/token?grant_type=${grant}`, { body: {} });
      codes.push([status, body["code"]]);
    }
    expect(codes).toEqual([
      [400, "provider_disabled"],
      [400, "web3_provider_disabled"],
      [400, "invalid_credentials"],
      [400, "invalid_credentials"],
    ]);
  });
});
