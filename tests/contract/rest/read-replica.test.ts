import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findBinaries } from "basehost/database";
import { fixtureJwtSecret, startFixtureHost } from "../../support/start-fixture-host.ts";
import { startStreamingReplica, type StreamingReplica } from "../../support/streaming-replica.ts";
import { timeLimitMs } from "../../support/time-limits.ts";
import { signToken, uniqueName } from "./callers.ts";

type Started = Awaited<ReturnType<typeof startFixtureHost>>;

let primary: Started;
let replica: StreamingReplica;
let host: Started;
let onReplica: pg.Client;
beforeAll(async () => {
  primary = await startFixtureHost();
  replica = await startStreamingReplica(primary.running.databaseUrl, await findBinaries());
  const url = new URL(primary.running.databaseUrl);
  url.port = String(replica.port);
  onReplica = new pg.Client({ connectionString: url.href });
  onReplica.on("error", () => undefined);
  await onReplica.connect();
  host = await startFixtureHost({
    DATABASE_URL: primary.running.databaseUrl,
    DATABASE_REPLICA_URL: url.href,
    METRICS_PORT: "0",
  });
  await becomesUsed();
});
afterAll(async () => {
  await onReplica.end().catch(() => undefined);
  await host.stop();
  await replica.remove();
  await primary.stop();
});

const reads = () => ({ ...host.host.context.db.replica?.reads });
const becomesUsed = async () =>
  await vi.waitFor(() => expect(host.host.context.db.replica?.problem).toBeUndefined(), {
    timeout: timeLimitMs(30),
    interval: 100,
  });

const tokenOf = async (sub: string) =>
  await signToken({ sub, role: "authenticated", aud: "authenticated" }, fixtureJwtSecret);

async function member(sub: string, url = host.running.url): Promise<SupabaseClient> {
  const token = await tokenOf(sub);
  return createClient(url, host.running.anonKey, {
    accessToken: async () => await Promise.resolve(token),
  });
}
const ada = "11111111-1111-4111-8111-111111111111";
const grace = "22222222-2222-4222-8222-222222222222";

/** Holds the replica up while the primary goes on. */
async function paused(work: () => Promise<void>): Promise<void> {
  await onReplica.query("select pg_wal_replay_pause()");
  try {
    await work();
  } finally {
    await onReplica.query("select pg_wal_replay_resume()");
  }
}

describe("a read that may lag", () => {
  it("is answered by the replica, as its caller and under the same policies", async () => {
    const before = reads();
    const { data } = await (await member(ada)).rpc("who_calls");
    expect(data).toMatchObject({ role: "authenticated", claims: { sub: ada } });
    expect(reads()).toEqual({ ...before, replica: (before.replica ?? 0) + 1 });
  });

  it.each([
    [
      "of a visitor",
      async () => await createClient(host.running.url, host.running.anonKey).rpc("who_calls"),
    ],
    [
      "of the service key",
      async () =>
        await createClient(host.running.url, host.running.serviceRoleKey).rpc("who_calls"),
    ],
    ["of a table", async () => await (await member(ada)).from("books").select("id").limit(1)],
    ["of a function that is not listed", async () => await (await member(ada)).rpc("page_counts")],
    [
      "of a listed function that may write",
      async () => await (await member(grace)).rpc("store_tool", { tool_name: uniqueName("tool") }),
    ],
  ])("is none %s: the primary answers", async (_, ask) => {
    const before = reads();
    expect((await ask()).error).toBeNull();
    expect(reads()).toEqual(before);
  });

  it("does not miss its reader's own write, made here or at another host, while others' may be late", async () => {
    const title = uniqueName("lagging");
    const writer = await member(ada);
    const other = await member(randomUUID());
    const titles = async (client: SupabaseClient, headers: Record<string, string> = {}) => {
      const asked = client.rpc("find_books", { term: title });
      for (const [name, value] of Object.entries(headers)) void asked.setHeader(name, value);
      const { data, error } = await asked;
      return error ?? (data as { title: string }[]).map((book) => book.title);
    };
    await paused(async () => {
      const service = createClient(host.running.url, host.running.serviceRoleKey);
      const { error } = await service.from("books").insert({ title });
      expect(error).toBeNull();
      const answer = await fetch(`${host.running.url}/rest/v1/rpc/store_tool`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          apikey: host.running.anonKey,
          authorization: `Bearer ${await tokenOf(ada)}`,
        },
        body: JSON.stringify({ tool_name: uniqueName("tool") }),
      });
      expect([answer.status, answer.headers.get("x-database-written")]).toEqual([200, "true"]);
      expect(await titles(writer)).toEqual([title]);
      expect(await titles(other)).toEqual([]);
      expect(await titles(other, { "x-read-after-write": "true" })).toEqual([title]);
    });
  });

  it("goes to the primary once the replica is more than five seconds behind, and back", async () => {
    const client = await member(grace);
    await paused(async () => {
      const service = createClient(host.running.url, host.running.serviceRoleKey);
      const title = uniqueName("late");
      expect((await service.from("books").insert({ title })).error).toBeNull();
      await vi.waitFor(() => expect(host.host.context.db.replica?.problem).toMatch(/5 s behind/), {
        timeout: timeLimitMs(30),
        interval: 200,
      });
      const { data } = await client.rpc("find_books", { term: title });
      expect(data).toHaveLength(1);
      const metrics = await fetch(`http://127.0.0.1:${host.host.metricsPort}/metrics`);
      expect(await metrics.text()).toContain("postgres_replica_used 0");
      expect(await host.host.checks()).toMatchObject({ replica: { state: "warning" } });
    });
    await becomesUsed();
    const before = reads();
    expect((await client.rpc("find_books", { term: "e" })).error).toBeNull();
    expect(reads().replica).toBe((before.replica ?? 0) + 1);
  });

  it("goes to the primary when the replica ends, without a failed request, and back", async () => {
    const client = await member(grace);
    const before = reads();
    await replica.stop();
    for (let at = 0; at < 5; at++) expect((await client.rpc("who_calls")).error).toBeNull();
    expect(reads().replica).toBe(before.replica);
    await replica.start();
    await vi.waitFor(
      async () => {
        expect((await client.rpc("who_calls")).error).toBeNull();
        expect(reads().replica).toBeGreaterThan(before.replica ?? 0);
      },
      { timeout: timeLimitMs(30), interval: 200 },
    );
  });
});

it("a primary named as the replica is not used, and the host serves", async () => {
  const wrong = await startFixtureHost({
    DATABASE_URL: primary.running.databaseUrl,
    DATABASE_REPLICA_URL: primary.running.databaseUrl,
  });
  try {
    const client = await member(ada, wrong.running.url);
    await vi.waitFor(
      () => expect(wrong.host.context.db.replica?.problem).toMatch(/it is no replica/),
      { timeout: timeLimitMs(30), interval: 100 },
    );
    expect((await client.rpc("who_calls")).error).toBeNull();
  } finally {
    await wrong.stop();
  }
});
