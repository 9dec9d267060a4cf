import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { ownerPool, serviceRole, signUp, type Account } from "../../support/clients.ts";
import { call } from "./requests.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

async function refreshTokenOf(account: Account): Promise<string> {
  const { data } = await account.client.auth.getSession();
  return data.session?.refresh_token ?? "";
}

async function refresh(token: string) {
  const answer = await call(host, "/token?grant_type=refresh_token", {
    body: { refresh_token: token },
  });
  return {
    status: answer.status,
    code: answer.body["code"],
    message: answer.body["message"],
    next: String(answer.body["refresh_token"]),
    access: String(answer.body["access_token"]),
  };
}

/** Moves the used tokens of an account past the reuse window. */
async function forgetWindow(userId: string): Promise<void> {
  await owner.query(
    "update auth.refresh_tokens set updated_at = updated_at - interval '11 s' where user_id = $1 and revoked",
    [userId],
  );
}

describe("refreshing a session", () => {
  test("returns a new refresh token each time and keeps the session", async () => {
    const account = await signUp();
    const before = await account.client.auth.getSession();
    const { data, error } = await account.client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(before.data.session?.refresh_token);
    expect(data.user?.id).toBe(account.id);
    const sessionOf = (token: string | undefined) =>
      (
        JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString()) as {
          session_id: string;
        }
      ).session_id;
    expect(sessionOf(data.session?.access_token)).toBe(
      sessionOf(before.data.session?.access_token),
    );
  });

  test("rejects an unknown token", async () => {
    for (const token of ["no-such-token", "x".repeat(5000)]) {
      expect(await refresh(token)).toMatchObject({
        status: 400,
        code: "refresh_token_not_found",
        message: "Invalid Refresh Token: Refresh Token Not Found",
      });
    }
    expect(await refresh("")).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("does not accept the stored hash as a token", async () => {
    const account = await signUp();
    const { rows } = await owner.query<{ token: string }>(
      "select token from auth.refresh_tokens where user_id = $1",
      [account.id],
    );
    expect(await refresh(rows[0]?.token ?? "")).toMatchObject({ code: "refresh_token_not_found" });
  });

  test("returns the current token for a token reused within ten seconds", async () => {
    const account = await signUp();
    const first = await refreshTokenOf(account);
    const second = await refresh(first);
    const third = await refresh(second.next);
    const again = await refresh(first);
    expect(again).toMatchObject({ status: 200, next: third.next });
    expect(await refresh(again.next)).toMatchObject({ status: 200 });
  });

  test("ends the session when a used token is reused later", async () => {
    const account = await signUp();
    const first = await refreshTokenOf(account);
    const second = await refresh(first);
    await forgetWindow(account.id);
    expect(await refresh(first)).toMatchObject({
      status: 400,
      code: "refresh_token_already_used",
      message: "Invalid Refresh Token: Already Used",
    });
    expect(await refresh(second.next)).toMatchObject({ code: "refresh_token_not_found" });
    const user = await call(host, "/user", {
      headers: { authorization: `Bearer ${second.access}` },
    });
    expect([user.status, user.body["code"]]).toEqual([403, "session_not_found"]);
  });

  test("does not end the account's other sessions on token reuse", async () => {
    const account = await signUp();
    const first = await refreshTokenOf(account);
    const elsewhere = await call(host, "/token?grant_type=password", {
      body: { email: account.email, password: "Correct-Horse-42!" },
    });
    await refresh(first);
    await forgetWindow(account.id);
    await refresh(first);
    expect(await refresh(String(elsewhere.body["refresh_token"]))).toMatchObject({ status: 200 });
  });

  test("returns the same token for concurrent refreshes", async () => {
    const account = await signUp();
    const first = await refreshTokenOf(account);
    const holder = await owner.connect();
    // While the row is locked, no refresh can finish, so all of them run concurrently.
    await holder.query("begin");
    await holder.query("select 1 from auth.refresh_tokens where user_id = $1 for update", [
      account.id,
    ]);
    // One less than the auth service has connections.
    const underWay = Promise.all(Array.from({ length: 4 }, async () => await refresh(first)));
    try {
      await vi.waitFor(async () => {
        const { rows } = await owner.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%auth.refresh_tokens%'`,
        );
        expect(rows[0]?.waiting).toBe(4);
      }, 60_000);
    } finally {
      await holder.query("commit");
      holder.release();
    }
    const answers = await underWay;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ next }) => next)).size).toBe(1);
    const { rows } = await owner.query(
      "select id from auth.refresh_tokens where user_id = $1 and not revoked",
      [account.id],
    );
    expect(rows).toHaveLength(1);
  });

  test("fails for a banned account", async () => {
    const account = await signUp();
    const token = await refreshTokenOf(account);
    await serviceRole().auth.admin.updateUserById(account.id, { ban_duration: "1h" });
    expect(await refresh(token)).toMatchObject({ status: 400, code: "user_banned" });
  });

  test("puts changed metadata into the next access token", async () => {
    const account = await signUp();
    await serviceRole().auth.admin.updateUserById(account.id, { app_metadata: { tier: "gold" } });
    const { data } = await account.client.auth.refreshSession();
    const payload = data.session?.access_token.split(".")[1] ?? "";
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      app_metadata: { tier: "gold", provider: "email" },
    });
  });
});
