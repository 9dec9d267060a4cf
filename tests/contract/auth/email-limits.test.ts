import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import type { RunningHost } from "../../support/running.ts";
import { call, fragmentOf, inboxOf, linkIn, openLink } from "./requests.ts";
import { cookiesOf, newClientAddress } from "./client-addresses.ts";
import { startHostWith } from "./start-host-with.ts";

const config = `
[auth.rate_limit]
email_sent = 1000
sign_in_sign_ups = 1000
[auth.email]
max_frequency = "0s"
`;

let host: RunningHost;
let stop: () => Promise<void>;
let owner: pg.Pool;
beforeAll(async () => {
  ({ running: host, stop } = await startHostWith(config, { env: { TRUSTED_PROXY: "127.0.0.1" } }));
  owner = new pg.Pool({ connectionString: host.databaseUrl, max: 2 });
});
afterAll(async () => {
  await owner.end();
  await stop();
});

async function recover(email: string, headers = newClientAddress()) {
  const { status, body } = await call(host, "/recover", { body: { email }, headers });
  return [status, body];
}

/** An account and the cookie of the browser that signed up. */
async function signUp(): Promise<{ email: string; browser: Record<string, string> }> {
  const email = newEmail();
  const body = { email, password: testPassword };
  const { status, headers } = await call(host, "/signup", { body, headers: newClientAddress() });
  expect(status).toBe(200);
  return { email, browser: cookiesOf(headers) };
}

describe("e-mails to one recipient", () => {
  test("are limited for all unknown devices together, and the response stays the same", async () => {
    const { email } = await signUp();
    for (let count = 0; count < 15; count += 1) expect(await recover(email)).toEqual([200, {}]);
    expect(await inboxOf(host, email)).toHaveLength(10);
    const unknown = newEmail();
    for (let count = 0; count < 15; count += 1) expect(await recover(unknown)).toEqual([200, {}]);
  });

  test("are limited for one network of unknown devices, so that it cannot use up the share of all", async () => {
    const { email } = await signUp();
    const address = newClientAddress();
    for (let count = 0; count < 20; count += 1) await recover(email, address);
    expect(await inboxOf(host, email)).toHaveLength(5);
    await recover(email);
    expect(await inboxOf(host, email)).toHaveLength(6);
  });

  test("are limited across all link types", async () => {
    const { email } = await signUp();
    for (let count = 0; count < 6; count += 1) {
      await call(host, "/otp", { body: { email }, headers: newClientAddress() });
      await recover(email);
    }
    expect(await inboxOf(host, email)).toHaveLength(10);
  });

  test("are still sent for a browser that signed in before", async () => {
    const { email, browser } = await signUp();
    for (let count = 0; count < 12; count += 1) await recover(email);
    const before = await inboxOf(host, email);
    await recover(email, { ...newClientAddress(), ...browser });
    const after = await inboxOf(host, email);
    expect(after).toHaveLength(before.length + 1);
    expect(fragmentOf(await openLink(linkIn(after[0])))).toHaveProperty("access_token");
  });

  test("are still sent for a new browser after it has opened a link from the mailbox", async () => {
    const { email } = await signUp();
    for (let count = 0; count < 12; count += 1) await recover(email);
    const phone = newClientAddress();
    await recover(email, phone);
    const mails = await inboxOf(host, email);
    expect(mails).toHaveLength(10);
    const opened = await fetch(linkIn(mails[3]), { redirect: "manual", headers: phone });
    await recover(email, { ...newClientAddress(), ...cookiesOf(opened.headers) });
    expect(await inboxOf(host, email)).toHaveLength(11);
  });

  test("are allowed again after an hour, up to a daily limit", async () => {
    const { email } = await signUp();
    for (let hour = 0; hour < 4; hour += 1) {
      for (let count = 0; count < 11; count += 1) await recover(email);
      await owner.query(
        "update host.auth_limits set expires_at = now() where expires_at < now() + interval '1 hour'",
      );
    }
    expect(await inboxOf(host, email)).toHaveLength(30);
  });
});

describe("a link requested by an unknown device", () => {
  test("does not invalidate the owner's links", async () => {
    const { email, browser } = await signUp();
    await recover(email, { ...newClientAddress(), ...browser });
    const mine = linkIn((await inboxOf(host, email))[0]);
    for (let count = 0; count < 12; count += 1) await recover(email);
    expect(fragmentOf(await openLink(mine))).toHaveProperty("access_token");
  });

  test("does not end the owner's PKCE flow", async () => {
    const { email } = await signUp();
    const { createHash } = await import("node:crypto");
    const verifier = "v".repeat(64);
    const challenge = (text: string) => ({
      code_challenge: createHash("sha256").update(text).digest("base64url"),
      code_challenge_method: "s256",
    });
    const ask = async (text: string) =>
      await call(host, "/recover", {
        body: { email, ...challenge(text) },
        headers: newClientAddress(),
      });
    await ask(verifier);
    const mine = linkIn((await inboxOf(host, email))[0]);
    await ask("w".repeat(64));
    const code = (await openLink(mine)).searchParams.get("code");
    const { status } = await call(host, "/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: verifier },
    });
    expect(status).toBe(200);
  });
});
