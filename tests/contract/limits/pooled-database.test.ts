import { randomInt, randomUUID } from "node:crypto";
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type RealtimePostgresInsertPayload,
} from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { rolePassword } from "basehost/testing";
import { fixtureDataKey, startFixtureHost } from "../../support/start-fixture-host.ts";
import { startTransactionPool } from "../../support/transaction-pool.ts";
import { signToken, uniqueName } from "../rest/callers.ts";

const direct = inject("host").databaseUrl;

function urlOf(user: string): string {
  const url = new URL(direct);
  if (user === url.username) return url.href;
  url.username = user;
  url.password = rolePassword(fixtureDataKey, user as "authenticator");
  return url.href;
}

let pool: Awaited<ReturnType<typeof startTransactionPool>>;
let pooled = "";
beforeAll(async () => {
  pool = await startTransactionPool(urlOf);
  const url = new URL(direct);
  url.port = String(pool.port);
  pooled = url.href;
});
afterAll(async () => await pool.stop());

describe("a pool in transaction mode", () => {
  it("is refused by name as DATABASE_URL alone, and as DATABASE_DIRECT_URL", async () => {
    await expect(startFixtureHost({ DATABASE_URL: pooled })).rejects.toThrow(
      /DATABASE_URL leads through a connection pool.*DATABASE_DIRECT_URL/s,
    );
    await expect(
      startFixtureHost({ DATABASE_URL: direct, DATABASE_DIRECT_URL: pooled }),
    ).rejects.toThrow(/DATABASE_DIRECT_URL leads through a connection pool/);
  });

  it("is refused with DATABASE_POOL_STATEMENTS where it forgets prepared statements", async () => {
    await expect(
      startFixtureHost({
        DATABASE_URL: pooled,
        DATABASE_DIRECT_URL: direct,
        DATABASE_POOL_STATEMENTS: "1",
      }),
    ).rejects.toThrow(/forgets prepared statements/);
  });

  it("is refused where it leads to another database", async () => {
    const elsewhere = new URL(pooled);
    elsewhere.pathname = "/template1";
    const other = await startTransactionPool((user) => {
      const url = new URL(urlOf(user));
      url.pathname = "/template1";
      return url.href;
    });
    elsewhere.port = String(other.port);
    try {
      await expect(
        startFixtureHost({ DATABASE_URL: elsewhere.href, DATABASE_DIRECT_URL: direct }),
      ).rejects.toThrow(/lead to two databases/);
    } finally {
      await other.stop();
    }
  });
});

describe("a host behind a pool, with the server beside it", () => {
  let host: Awaited<ReturnType<typeof startFixtureHost>>;
  beforeAll(async () => {
    host = await startFixtureHost({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct });
  });
  afterAll(async () => await host.stop());

  it("answers requests that a host with named statements would fail, each as its caller", async () => {
    const { url, anonKey, serviceRoleKey } = host.running;
    const members = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const id = randomUUID();
        const token = await signToken({ sub: id, role: "authenticated", aud: "authenticated" });
        const accessToken = async () => await Promise.resolve(token);
        return { id, role: "authenticated", client: createClient(url, anonKey, { accessToken }) };
      }),
    );
    const callers = [
      ...members,
      { id: null, role: "anon", client: createClient(url, anonKey) },
      { id: null, role: "service_role", client: createClient(url, serviceRoleKey) },
    ];
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all(
        callers.map(async ({ client }) => {
          const { data, error } = await client.rpc("who_calls");
          const { role, claims } = data as { role: string; claims: { sub?: string } };
          return error ?? { role, id: claims.sub ?? null };
        }),
      );
      expect(answers).toEqual(callers.map(({ id, role }) => ({ role, id })));
    }
  });

  it("signs people up and in, and tells them of changes and of a sign-out elsewhere", async () => {
    const { url, anonKey, serviceRoleKey } = host.running;
    const email = `${uniqueName("ada")}@example.com`;
    const password = "a long enough passphrase 47";
    const admin = createClient(url, serviceRoleKey);
    const created = await admin.auth.admin.createUser({ email, password, email_confirm: true });
    expect(created.error).toBeNull();
    const client = createClient(url, anonKey, { auth: { persistSession: false } });
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
    const told = Promise.withResolvers<RealtimePostgresInsertPayload<{ title: string }>>();
    const joined = Promise.withResolvers<undefined>();
    const title = uniqueName("poster");
    const channel = client
      .channel(uniqueName("pooled"))
      .on(
        "postgres_changes",
        { event: "INSERT", schema: "public", table: "posters", filter: `title=eq.${title}` },
        (change) => told.resolve(change as RealtimePostgresInsertPayload<{ title: string }>),
      )
      .subscribe((status) => {
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) joined.resolve(undefined);
      });
    await joined.promise;
    expect(
      (await admin.from("posters").insert({ id: randomInt(2 ** 31), title })).error,
    ).toBeNull();
    expect((await told.promise).new.title).toBe(title);
    // A sign-out at another host is heard of by LISTEN, and by the next check of a token at the latest.
    const closed = Promise.withResolvers<undefined>();
    const rejoined = Promise.withResolvers<undefined>();
    client
      .channel(uniqueName("ended"))
      .on("system", {}, ({ message }: { message: string }) => {
        if (message.includes("session has ended")) closed.resolve(undefined);
      })
      .subscribe(
        (status) => status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && rejoined.resolve(undefined),
      );
    await rejoined.promise;
    const { data } = await client.auth.getSession();
    const other = createClient(inject("host").url, inject("host").serviceRoleKey);
    await other.auth.admin.signOut(data.session?.access_token ?? "", "global");
    await closed.promise;
    await channel.unsubscribe();
    await client.realtime.disconnect();
  });

  it("keeps its own sessions out of the pool", async () => {
    const { rows } = await host.host.context.db.admin.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
        where application_name like 'host-%' and client_port is not null order by 1`,
    );
    expect(host.host.context.db.url).toBe(direct);
    expect(rows.map(({ name }) => name)).toContain("host-realtime-sessions");
    expect(pool.opened()).toBeGreaterThan(0);
  });
});
