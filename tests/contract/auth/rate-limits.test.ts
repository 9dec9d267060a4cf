import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import type { RunningHost } from "../../support/running.ts";
import { call, clientOf } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

const config = `
[auth]
minimum_password_length = 12
password_requirements = "lower_upper_letters_digits_symbols"
[auth.rate_limit]
sign_in_sign_ups = 14
token_refresh = 3
token_verifications = 100
email_sent = 4
[auth.email]
max_frequency = "1m"
`;

/** The host trusts this machine as its proxy, so that a test can use many addresses. */
let host: RunningHost;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ running: host, stop } = await startHostWith(config, {
    env: { TRUSTED_PROXY: "127.0.0.1" },
    // The caller of startHost comes before config.toml.
    authRateLimits: { token_verifications: 3 },
  }));
});
afterAll(async () => await stop());

let addresses = 0;
function newClientAddress(): Record<string, string> {
  addresses += 1;
  return { "x-forwarded-for": `198.51.100.7, 203.0.113.${addresses}` };
}

async function statusOf(path: string, body: unknown, headers: Record<string, string>) {
  return await call(host, path, { body, headers });
}

describe("limits", () => {
  test("reject further sign-ups from one address and do not affect others", async () => {
    const address = newClientAddress();
    const answers = [];
    for (let count = 0; count < 15; count += 1) {
      answers.push(await statusOf("/signup", { email: "x", password: testPassword }, address));
    }
    expect(answers.slice(0, 14).map(({ status }) => status)).toEqual(Array(14).fill(400));
    const last = answers.at(-1);
    expect([last?.status, last?.body["code"]]).toEqual([429, "over_request_rate_limit"]);
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    const other = await statusOf(
      "/signup",
      { email: "x", password: testPassword },
      newClientAddress(),
    );
    expect(other.status).toBe(400);
  });

  test("reject further token refreshes and verifications", async () => {
    const address = newClientAddress();
    for (const [path, body, first, then] of [
      ["/token?grant_type=refresh_token", { refresh_token: "x" }, 400, 503],
      ["/verify", { type: "recovery", token_hash: "x" }, 403, 429],
    ] as const) {
      const statuses = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await statusOf(path, body, address)).status);
      }
      expect(statuses.slice(0, 3)).toEqual(Array(3).fill(first));
      expect(statuses[3]).toBe(then);
    }
    const link = await fetch(`${host.url}/auth/v1/verify?type=recovery&token=x`, {
      headers: address,
      redirect: "manual",
    });
    expect(link.headers.get("location")).toContain("error_code=over_request_rate_limit");
  });

  test("allow valid refreshes from an address whose unknown tokens are rejected", async () => {
    const address = newClientAddress();
    const client = createClient(host.url, host.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { headers: address },
    });
    await client.auth.signUp({ email: newEmail(), password: testPassword });
    for (let count = 0; count < 6; count += 1) {
      await statusOf("/token?grant_type=refresh_token", { refresh_token: `x${count}` }, address);
    }
    for (let count = 0; count < 4; count += 1) {
      expect((await client.auth.refreshSession()).error).toBeNull();
    }
  });

  test("reject further e-mails from one address", async () => {
    const address = newClientAddress();
    const codes = [];
    for (let count = 0; count < 5; count += 1) {
      codes.push((await statusOf("/recover", { email: newEmail() }, address)).status);
    }
    expect(codes).toEqual([200, 200, 200, 200, 429]);
  });

  test("reject a second e-mail to one recipient, with or without an account", async () => {
    const known = newEmail();
    await clientOf(host).auth.signUp({ email: known, password: testPassword });
    const answers = [];
    for (const email of [known, newEmail()]) {
      const first = await statusOf("/recover", { email }, newClientAddress());
      const second = await statusOf("/recover", { email }, newClientAddress());
      answers.push([first.status, second.status, second.body["code"]]);
      expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(30);
    }
    expect(answers[0]).toEqual([200, 429, "over_email_send_rate_limit"]);
    expect(answers[1]).toEqual(answers[0]);
  });

  test("lock out only the address that guesses", async () => {
    const email = newEmail();
    await clientOf(host).auth.signUp({ email, password: testPassword });
    for (const address of [email, newEmail()]) {
      const guesser = newClientAddress();
      const guess = async (password: string) =>
        await statusOf("/token?grant_type=password", { email: address, password }, guesser);
      for (let count = 0; count < 10; count += 1) {
        expect((await guess("Wrong-Horse-42!")).status).toBe(400);
      }
      const locked = await guess(testPassword);
      expect([locked.status, locked.body["code"]]).toEqual([429, "over_request_rate_limit"]);
      expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(20);
    }
    const own = await statusOf(
      "/token?grant_type=password",
      { email, password: testPassword },
      newClientAddress(),
    );
    expect(own.status).toBe(200);
  });

  test("count concurrent guesses", async () => {
    const [email, guesser] = [newEmail(), newClientAddress()];
    const answers = await Promise.all(
      Array.from(
        { length: 13 },
        async () =>
          await statusOf(
            "/token?grant_type=password",
            { email, password: "Wrong-Horse-42!" },
            guesser,
          ),
      ),
    );
    const checked = answers.filter(({ status }) => status === 400);
    expect(checked).toHaveLength(10);
  });
});

describe("weak passwords", () => {
  test.each([
    ["Short-1a", ["length"]],
    ["longenoughbutplain", ["characters"]],
    ["LONG-ENOUGH-BUT-LOUD-1", ["characters"]],
    ["Long-Enough-No-Digit", ["characters"]],
    ["LongEnoughNoSymbol1", ["characters"]],
    ["short", ["length", "characters"]],
  ])("%s is rejected with reasons", async (password, reasons) => {
    const { status, body } = await statusOf(
      "/signup",
      { email: newEmail(), password },
      newClientAddress(),
    );
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "weak_password", weak_password: { reasons } });
  });

  test("every documented symbol counts as a symbol", async () => {
    const answers = await Promise.all(
      Array.from(`!@#$%^&*(),.?":{}|<>`).map(
        async (symbol) =>
          (
            await statusOf(
              "/signup",
              { email: newEmail(), password: `LongEnough123${symbol}` },
              newClientAddress(),
            )
          ).status,
      ),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  test("the client throws AuthWeakPasswordError", async () => {
    const { error } = await clientOf(host).auth.signUp({ email: newEmail(), password: "short" });
    expect(error).toMatchObject({
      name: "AuthWeakPasswordError",
      status: 422,
      reasons: ["length", "characters"],
    });
  });
});
