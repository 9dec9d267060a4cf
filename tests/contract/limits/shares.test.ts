import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { startLimitedHost, type LimitedHost } from "./limited-host.ts";

/** A table that requests wait for while a test holds it. */
const HELD = "/rest/v1/publishers?select=id&limit=1";
const OTHER = "/rest/v1/books?select=id&limit=1";

let host: LimitedHost;
beforeAll(async () => {
  host = await startLimitedHost({});
  // The schema cache is read before a test holds a table that it reads, too.
  await host.ask(OTHER, "203.0.113.1");
});
afterAll(async () => await host.stop());

/** Runs `work` while whoever reads the held table has to wait. */
async function whileHeld({ owner }: LimitedHost, work: () => Promise<void>): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query("begin; lock table publishers in access exclusive mode");
    await work();
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Resolves when so many connections wait for the held table. */
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
  test("strangers who hold all of theirs leave members, accounts and the service key alone", async () => {
    const ada = await host.member();
    await whileHeld(host, async () => {
      const strangers = Array.from(
        { length: 40 },
        async (_, at) => await host.ask(HELD, `198.51.100.${at}`),
      );
      await untilWaiting(host, 4);
      expect((await host.ask(OTHER, "203.0.113.1", { token: ada.token })).status).toBe(200);
      const token = host.running.serviceRoleKey;
      expect((await host.ask(OTHER, "203.0.113.1", { token })).status).toBe(200);
      expect((await host.ask("/auth/v1/settings", "203.0.113.1")).status).toBe(200);
      expect((await fetch(`${host.running.url}/readyz`)).status).toBe(200);
      // The short statement time of strangers ends what waits, the test need not.
      const first = await Promise.race(strangers);
      expect(await first.json()).toMatchObject({ code: "57014" });
      void Promise.allSettled(strangers);
    });
  });

  test("whoever asks for readiness without end leaves sign-in alone, and costs one question", async () => {
    const { admin, lookups } = host.context.db;
    const held = [await admin.connect(), await admin.connect()];
    const asked = vi.spyOn(lookups, "query");
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
      const questions = asked.mock.calls.filter(([sql]) => sql === "select 1");
      expect(questions.length).toBeGreaterThan(0);
      expect(questions.length).toBeLessThan(10);
    } finally {
      asked.mockRestore();
      for (const client of held) client.release();
    }
  });

  test("one member cannot hold them all", async () => {
    const [ada, ben] = [await host.member(), await host.member()];
    await whileHeld(host, async () => {
      const many = Array.from(
        { length: 50 },
        async () => await host.ask(HELD, "203.0.113.1", { token: ada.token }),
      );
      await untilWaiting(host, 4);
      expect((await host.ask(OTHER, "203.0.113.1", { token: ben.token })).status).toBe(200);
      void Promise.allSettled(many);
    });
  });
});

describe("an honest page", () => {
  test("of a member may ask fifty things at once", async () => {
    const ada = await host.member();
    const answers = await Promise.all(
      Array.from(
        { length: 50 },
        async () => await ada.client.from("books").select("id,title").limit(5),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("of a stranger may ask fifty things at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => await host.ask(OTHER, "192.0.2.1")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("a queue that is full answers in the shape of", () => {
  let narrow: LimitedHost;
  beforeAll(async () => {
    narrow = await startLimitedHost({
      database: { connections: { strangers: 1, auth: 1 }, waiting: 0 },
    });
    await narrow.ask(OTHER, "203.0.113.1");
  });
  afterAll(async () => await narrow.stop());

  test("rest and storage", async () => {
    await whileHeld(narrow, async () => {
      const holder = narrow.ask(HELD, "203.0.113.1");
      await untilWaiting(narrow, 1);
      const rest = await narrow.ask(OTHER, "203.0.113.2");
      expect([rest.status, rest.headers.get("retry-after")]).toEqual([504, "2"]);
      expect(await rest.json()).toMatchObject({ code: "PGRST003" });
      expect(rest.headers.get("access-control-expose-headers")).toContain("Retry-After");
      const storage = await narrow.ask("/storage/v1/bucket", "203.0.113.2");
      expect([storage.status, storage.headers.get("retry-after")]).toEqual([544, "2"]);
      expect(await storage.json()).toMatchObject({ code: "DatabaseTimeout" });
      void holder.catch(() => undefined);
    });
  });

  test("auth, whose client tries again and keeps the session", async () => {
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

describe("statement time", () => {
  test("is that of the caller's role wherever the host asks as a caller, a project's own included", async () => {
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
