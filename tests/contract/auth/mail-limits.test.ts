import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, PASSWORD } from "../../support/clients.ts";
import type { RunningHost } from "../../support/running.ts";
import { call, fragmentOf, inboxOf, linkIn, open } from "./requests.ts";
import { cookiesOf, newSender } from "./senders.ts";
import { startHostWith } from "./start-host-with.ts";

const CONFIG = `
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
  ({ running: host, stop } = await startHostWith(CONFIG, { env: { TRUSTED_PROXY: "127.0.0.1" } }));
  owner = new pg.Pool({ connectionString: host.databaseUrl, max: 2 });
});
afterAll(async () => {
  await owner.end();
  await stop();
});

async function recover(email: string, headers = newSender()) {
  const { status, body } = await call(host, "/recover", { body: { email }, headers });
  return [status, body];
}

/** An account and the cookie of the browser that signed up. */
async function signUp(): Promise<{ email: string; browser: Record<string, string> }> {
  const email = newEmail();
  const body = { email, password: PASSWORD };
  const { status, headers } = await call(host, "/signup", { body, headers: newSender() });
  expect(status).toBe(200);
  return { email, browser: cookiesOf(headers) };
}

describe("e-mails to one recipient", () => {
  test("are capped over all strangers, and the answer stays the same", async () => {
    const { email } = await signUp();
    for (let count = 0; count < 15; count += 1) expect(await recover(email)).toEqual([200, {}]);
    expect(await inboxOf(host, email)).toHaveLength(10);
    const nobody = newEmail();
    for (let count = 0; count < 15; count += 1) expect(await recover(nobody)).toEqual([200, {}]);
  });

  test("are capped for one stranger before that stranger uses up the share of all", async () => {
    const { email } = await signUp();
    const stranger = newSender();
    for (let count = 0; count < 20; count += 1) await recover(email, stranger);
    expect(await inboxOf(host, email)).toHaveLength(5);
    await recover(email);
    expect(await inboxOf(host, email)).toHaveLength(6);
  });

  test("are capped over all kinds of links together", async () => {
    const { email } = await signUp();
    for (let count = 0; count < 6; count += 1) {
      await call(host, "/otp", { body: { email }, headers: newSender() });
      await recover(email);
    }
    expect(await inboxOf(host, email)).toHaveLength(10);
  });

  test("reach the browser that signed in before, however many strangers asked for", async () => {
    const { email, browser } = await signUp();
    for (let count = 0; count < 12; count += 1) await recover(email);
    const before = await inboxOf(host, email);
    await recover(email, { ...newSender(), ...browser });
    const after = await inboxOf(host, email);
    expect(after).toHaveLength(before.length + 1);
    expect(fragmentOf(await open(linkIn(after[0])))).toHaveProperty("access_token");
  });

  test("reach a new browser once it has opened any link in the mailbox", async () => {
    const { email } = await signUp();
    for (let count = 0; count < 12; count += 1) await recover(email);
    const phone = newSender();
    await recover(email, phone);
    const mails = await inboxOf(host, email);
    expect(mails).toHaveLength(10);
    const opened = await fetch(linkIn(mails[3]), { redirect: "manual", headers: phone });
    await recover(email, { ...newSender(), ...cookiesOf(opened.headers) });
    expect(await inboxOf(host, email)).toHaveLength(11);
  });

  test("are allowed again when the hour is over, up to the cap of a day", async () => {
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

describe("a stranger who asks for links", () => {
  test("voids none of the owner's", async () => {
    const { email, browser } = await signUp();
    await recover(email, { ...newSender(), ...browser });
    const mine = linkIn((await inboxOf(host, email))[0]);
    for (let count = 0; count < 12; count += 1) await recover(email);
    expect(fragmentOf(await open(mine))).toHaveProperty("access_token");
  });

  test("does not end the owner's code exchange either", async () => {
    const { email } = await signUp();
    const { createHash } = await import("node:crypto");
    const verifier = "v".repeat(64);
    const challenge = (text: string) => ({
      code_challenge: createHash("sha256").update(text).digest("base64url"),
      code_challenge_method: "s256",
    });
    const ask = async (text: string) =>
      await call(host, "/recover", { body: { email, ...challenge(text) }, headers: newSender() });
    await ask(verifier);
    const mine = linkIn((await inboxOf(host, email))[0]);
    await ask("w".repeat(64));
    const code = (await open(mine)).searchParams.get("code");
    const { status } = await call(host, "/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: verifier },
    });
    expect(status).toBe(200);
  });
});
