import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { startLimitedHost, type LimitedHost } from "./limited-host.ts";

/** Reads a table that a test can lock. */
const lockedPath = "/rest/v1/publishers?select=id&limit=1";
const otherPath = "/rest/v1/books?select=id&limit=1";

let host: LimitedHost;
beforeAll(async () => {
  host = await startLimitedHost({});
  // Load the schema cache first: it reads the table that a test locks.
  await host.ask(otherPath, "203.0.113.1");
});
afterAll(async () => await host.stop());

/** Runs `work` while the table is locked, so that its readers wait. */
async function whileLocked({ owner }: LimitedHost, work: () => Promise<void>): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query("begin; lock table publishers in access exclusive mode");
    await work();
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Resolves when at least `count` connections wait for the locked table. */
async function untilWaiting({ owner }: LimitedHost, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await owner.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks
          where relation = 'public.publishers'::regclass and not granted`,
      );
      expect(rows[0]?.waiting).toBeGreaterThanOrEqual(count);
    },
    { timeout: 60_000, interval: 20 },
  );
}

describe("connections", () => {
  test("anonymous requests that hold all of theirs do not delay members, auth and the service key", async () => {
    const ada = await host.member();
    await whileLocked(host, async () => {
      const anonymous = Array.from(
        { length: 40 },
        async (_, at) => await host.ask(lockedPath, `198.51.100.${at}`),
      );
      await untilWaiting(host, 4);
      expect((await host.ask(otherPath, "203.0.113.1", { token: ada.token })).status).toBe(200);
      const token = host.running.serviceRoleKey;
      expect((await host.ask(otherPath, "203.0.113.1", { token })).status).toBe(200);
      expect((await host.ask("/auth/v1/settings", "203.0.113.1")).status).toBe(200);
      expect((await fetch(`${host.running.url}/readyz`)).status).toBe(200);
      // The statement timeout of `anon` ends the waiting requests.
      const first = await Promise.race(anonymous);
      expect(await first.json()).toMatchObject({ code: "57014" });
      void Promise.allSettled(anonymous);
    });
  });

  test("many readiness checks do not delay sign-in and share one query", async () => {
    const { admin, lookups } = host.context.db;
    const held = [await admin.connect(), await admin.connect()];
    const query = vi.spyOn(lookups, "query");
    try {
      const readiness = Array.from(
        { length: 50 },
        async () => (await fetch(`${host.running.url}/readyz`)).status,
      );
      const { url, anonKey } = host.running;
      const client = createClient(url, anonKey, { auth: { persistSession: false } });
      const credentials = { email: `${randomUUID()}@example.test`, password: "Correct-Horse-42!" };
      expect((await client.auth.signUp(credentials)).error).toBeNull();
      expect((await client.auth.signInWithPassword(credentials)).error).toBeNull();
      expect((await client.auth.refreshSession()).error).toBeNull();
      expect(new Set(await Promise.all(readiness))).toEqual(new Set([200]));
      const checks = query.mock.calls.filter(([sql]) => sql === "select 1");
      expect(checks.length).toBeGreaterThan(0);
      expect(checks.length).toBeLessThan(10);
    } finally {
      query.mockRestore();
      for (const client of held) client.release();
    }
  });

  test("one member cannot use all connections of members", async () => {
    const [ada, ben] = [await host.member(), await host.member()];
    await whileLocked(host, async () => {
      const many = Array.from(
        { length: 50 },
        async () => await host.ask(lockedPath, "203.0.113.1", { token: ada.token }),
      );
      await untilWaiting(host, 4);
      expect((await host.ask(otherPath, "203.0.113.1", { token: ben.token })).status).toBe(200);
      void Promise.allSettled(many);
    });
  });
});

describe("an ordinary page", () => {
  test("may send fifty requests of a member at once", async () => {
    const ada = await host.member();
    const answers = await Promise.all(
      Array.from(
        { length: 50 },
        async () => await ada.client.from("books").select("id,title").limit(5),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("may send fifty anonymous requests at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => await host.ask(otherPath, "192.0.2.1")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("a full queue is reported in the error format of", () => {
  let narrow: LimitedHost;
  beforeAll(async () => {
    narrow = await startLimitedHost({
      database: { connections: { anonymous: 1, auth: 1 }, maxQueued: 0 },
    });
    await narrow.ask(otherPath, "203.0.113.1");
  });
  afterAll(async () => await narrow.stop());

  test("rest and storage", async () => {
    await whileLocked(narrow, async () => {
      const holder = narrow.ask(lockedPath, "203.0.113.1");
      await untilWaiting(narrow, 1);
      const rest = await narrow.ask(otherPath, "203.0.113.2");
      expect([rest.status, rest.headers.get("retry-after")]).toEqual([504, "2"]);
      expect(await rest.json()).toMatchObject({ code: "PGRST003" });
      expect(rest.headers.get("access-control-expose-headers")).toContain("Retry-After");
      const storage = await narrow.ask("/storage/v1/bucket", "203.0.113.2");
      expect([storage.status, storage.headers.get("retry-after")]).toEqual([544, "2"]);
      expect(await storage.json()).toMatchObject({ code: "DatabaseTimeout" });
      void holder.catch(() => undefined);
    });
  });

  test("auth, whose client retries and keeps the session", async () => {
    const held = await narrow.owner.connect();
    try {
      await held.query("begin; lock table auth.users in access exclusive mode");
      const ada = await narrow.member();
      const ask = async () => await narrow.ask("/auth/v1/user", "203.0.113.1", ada);
      const first = ask();
      await vi.waitFor(
        async () => {
          const { rows } = await narrow.owner.query<{ waiting: number }>(
            `select count(*)::int as waiting from pg_locks
              where relation = 'auth.users'::regclass and not granted`,
          );
          expect(rows[0]?.waiting).toBe(1);
        },
        { timeout: 60_000, interval: 20 },
      );
      const second = await ask();
      expect([second.status, second.headers.get("retry-after")]).toEqual([504, "2"]);
      expect(await second.json()).toMatchObject({ error_code: "request_timeout" });
      await held.query("rollback");
      expect((await first).status).toBe(403);
    } finally {
      held.release();
    }
  });
});

describe("the statement timeout", () => {
  test("is that of the caller's role in every query on behalf of a caller, including a project's own setting", async () => {
    const { host: own, stop } = await startFixtureHost();
    try {
      const timeOf = async (role: string) =>
        await own.context.db.asCaller({ role, claims: { role } }, async (client) => {
          const { rows } = await client.query<{ statement_timeout: string }>(
            "show statement_timeout",
          );
          return rows[0]?.statement_timeout;
        });
      expect(await timeOf("anon")).toBe("3s");
      expect(await timeOf("authenticated")).toBe("8s");
      expect(await timeOf("service_role")).toBe("8s");
      await own.context.db.admin.query("alter role anon set statement_timeout = '1200ms'");
      expect(await timeOf("anon")).toBe("1200ms");
    } finally {
      await stop();
    }
  });
});
