import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { fixtureJwtSecret, startFixtureHost } from "../../support/start-fixture-host.ts";
import { call, inboxOf, linkIn } from "./requests.ts";
import { cookiesOf, newClientAddress } from "./client-addresses.ts";

type Fixture = Awaited<ReturnType<typeof startFixtureHost>>;
const wrongPassword = "Wrong-Horse-42!";

/** Two hosts on one database. Both trust this machine as their proxy, so that a test can use many addresses. */
let first: Fixture;
let second: Fixture;
let owner: pg.Pool;
beforeAll(async () => {
  const proxied = { TRUSTED_PROXY: "127.0.0.1" };
  first = await startFixtureHost(proxied);
  second = await startFixtureHost({
    ...proxied,
    DATABASE_URL: first.running.databaseUrl,
    SUPABASE_JWT_SECRET: fixtureJwtSecret,
  });
  owner = new pg.Pool({ connectionString: first.running.databaseUrl, max: 2 });
});
afterAll(async () => {
  await owner.end();
  await second.stop();
  await first.stop();
});

type Headers = Record<string, string>;

async function signIn(email: string, password: string, headers: Headers, host = first) {
  return await call(host.running, "/token?grant_type=password", {
    body: { email, password },
    headers,
  });
}

/** A confirmed account that has never signed in. */
async function createAccount(): Promise<string> {
  const email = newEmail();
  const { status } = await call(first.running, "/admin/users", {
    body: { email, password: testPassword, email_confirm: true },
    headers: { authorization: `Bearer ${first.running.serviceRoleKey}` },
  });
  expect(status).toBe(200);
  return email;
}

/** Sends a hundred wrong guesses from ten addresses, alternating between the hosts. */
async function lockOut(email: string): Promise<void> {
  const guessers = Array.from({ length: 10 }, newClientAddress);
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(
      guessers.map(
        async (guesser, index) =>
          await signIn(email, wrongPassword, guesser, (round + index) % 2 === 0 ? first : second),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(400));
  }
}

describe("a hundred wrong guesses from ten addresses", () => {
  test("lock unknown devices out of the account, on every host", async () => {
    const email = await createAccount();
    await lockOut(email);
    for (const host of [first, second]) {
      const unknownDevice = await signIn(email, testPassword, newClientAddress(), host);
      expect([unknownDevice.status, unknownDevice.body["code"]]).toEqual([
        429,
        "over_request_rate_limit",
      ]);
    }
  });

  test("do not lock out a network that signed in before", async () => {
    const email = await createAccount();
    const home = newClientAddress();
    expect((await signIn(email, testPassword, home)).status).toBe(200);
    await lockOut(email);
    expect((await signIn(email, testPassword, home, second)).status).toBe(200);
    expect((await signIn(email, testPassword, newClientAddress())).status).toBe(429);
  });

  test("do not lock out a browser that signed in before, from any address", async () => {
    const email = await createAccount();
    const cookie = cookiesOf((await signIn(email, testPassword, newClientAddress())).headers);
    expect(cookie).toHaveProperty("cookie");
    await lockOut(email);
    expect(
      (await signIn(email, testPassword, { ...newClientAddress(), ...cookie }, second)).status,
    ).toBe(200);
  });

  test("do not block access by e-mail, and the browser that opened the link becomes a known device", async () => {
    const email = await createAccount();
    await lockOut(email);
    const phone = newClientAddress();
    await call(first.running, "/recover", { body: { email }, headers: phone });
    const link = linkIn((await inboxOf(first.running, email))[0]);
    const opened = await fetch(link, { redirect: "manual", headers: phone });
    expect(opened.headers.get("location")).toContain("access_token=");
    const cookie = cookiesOf(opened.headers);
    expect((await signIn(email, testPassword, { ...newClientAddress(), ...cookie })).status).toBe(
      200,
    );
  });

  test("lock unknown devices only until the lock ends", async () => {
    const email = await createAccount();
    await lockOut(email);
    expect((await signIn(email, testPassword, newClientAddress())).status).toBe(429);
    await owner.query("update host.sign_in_failures set locked_until = now()");
    expect((await signIn(email, testPassword, newClientAddress())).status).toBe(200);
  });
});

describe("a known device", () => {
  test("is locked out by its own wrong guesses", async () => {
    const email = await createAccount();
    const home = newClientAddress();
    const cookie = cookiesOf((await signIn(email, testPassword, home)).headers);
    const statuses = [];
    for (let guess = 0; guess < 11; guess += 1) {
      // A new address each time: the cookie identifies the device.
      statuses.push(
        (await signIn(email, wrongPassword, { ...newClientAddress(), ...cookie })).status,
      );
    }
    expect(statuses).toEqual([...(Array(10).fill(400) as number[]), 429]);
  });

  test("is known only for the account it signed in to", async () => {
    const [mine, victim] = [await createAccount(), await createAccount()];
    const cookie = cookiesOf((await signIn(mine, testPassword, newClientAddress())).headers);
    await lockOut(victim);
    expect((await signIn(victim, testPassword, { ...newClientAddress(), ...cookie })).status).toBe(
      429,
    );
  });

  test("cannot be forged", async () => {
    const email = await createAccount();
    const genuine =
      cookiesOf((await signIn(email, testPassword, newClientAddress())).headers)["cookie"] ?? "";
    await lockOut(email);
    const forged = [
      genuine.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      genuine.replace(/=.{22}/, `=${"A".repeat(22)}`),
      "auth-device=a.b.c",
      `auth-device=${"~".repeat(5000)}`,
    ];
    for (const cookie of forged) {
      expect((await signIn(email, testPassword, { ...newClientAddress(), cookie })).status).toBe(
        429,
      );
    }
    expect(
      (await signIn(email, testPassword, { ...newClientAddress(), cookie: genuine })).status,
    ).toBe(200);
  });

  test("gets an HttpOnly, SameSite cookie for the auth API", async () => {
    const email = await createAccount();
    const { headers } = await signIn(email, testPassword, newClientAddress());
    const [set = ""] = headers.getSetCookie();
    for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/auth/v1", "Max-Age="]) {
      expect(set).toContain(attribute);
    }
    expect(set).not.toContain(email);
  });
});

describe("wrong guesses", () => {
  test("from one locked network do not lock out others", async () => {
    const email = await createAccount();
    const guesser = newClientAddress();
    await Promise.all(
      Array.from({ length: 150 }, async () => await signIn(email, wrongPassword, guesser)),
    );
    expect((await signIn(email, wrongPassword, guesser)).status).toBe(429);
    expect((await signIn(email, testPassword, newClientAddress())).status).toBe(200);
  });

  test("sent at once to two hosts are counted together", async () => {
    const email = await createAccount();
    const guesser = newClientAddress();
    const answers = await Promise.all(
      Array.from(
        { length: 26 },
        async (_, index) =>
          await signIn(email, wrongPassword, guesser, index % 2 === 0 ? first : second),
      ),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
  });

  test("lock for 30 s, doubling up to 15 min", async () => {
    const key = Buffer.from("a key used only by this test");
    const locks: number[] = [];
    for (let attempt = 1; attempt <= 18; attempt += 1) {
      await owner.query("select host.begin_sign_in(array[$1::bytea], array[10])", [key]);
      const { rows } = await owner.query<{ seconds: number }>(
        `select greatest(0, round(extract(epoch from locked_until - now())))::int as seconds
           from host.sign_in_failures where key = $1 and locked_until > '-infinity'`,
        [key],
      );
      locks.push(rows[0]?.seconds ?? 0);
      // End the lock, but keep its failures.
      await owner.query(
        "update host.sign_in_failures set locked_until = least(locked_until, now()) where key = $1",
        [key],
      );
    }
    expect(locks.slice(0, 9)).toEqual(Array(9).fill(0));
    const expected = [30, 60, 120, 240, 480, 900, 900, 900, 900];
    expect(locks.slice(9).map((seconds, index) => (expected[index] ?? 0) - seconds)).toSatisfy(
      (late: number[]) => late.every((difference) => difference >= 0 && difference <= 20),
    );
  });

  test("are still counted after a restart", async () => {
    const email = await createAccount();
    const guesser = newClientAddress();
    for (let guess = 0; guess < 10; guess += 1) await signIn(email, wrongPassword, guesser, second);
    await second.stop();
    second = await startFixtureHost({
      TRUSTED_PROXY: "127.0.0.1",
      DATABASE_URL: first.running.databaseUrl,
    });
    expect((await signIn(email, testPassword, guesser, second)).status).toBe(429);
  });

  test("store neither IP addresses nor e-mail addresses", async () => {
    const email = await createAccount();
    await signIn(email, wrongPassword, newClientAddress());
    const { rows } = await owner.query<{ row: string }>(
      `select to_json(t)::text as row from host.sign_in_failures t
       union all select to_json(t)::text from host.auth_limits t
       union all select to_json(t)::text from host.known_networks t`,
    );
    const text = rows.map(({ row }) => row).join();
    expect(text).not.toContain(email);
    expect(text).not.toContain("203.0");
  });

  test("and expired limits are deleted, and each table keeps a maximum number of rows", async () => {
    await owner.query("update host.sign_in_failures set expires_at = now()");
    await owner.query(
      `insert into host.auth_limits select sha256(i::text::bytea), i, now() + interval '1 hour'
         from generate_series(1, 50) i`,
    );
    await owner.query("select host.purge_auth(20)");
    const { rows } = await owner.query(
      `select (select count(*)::int from host.sign_in_failures) as failures,
              (select count(*)::int from host.auth_limits) as limits`,
    );
    expect(rows).toEqual([{ failures: 0, limits: 20 }]);
  });
});
