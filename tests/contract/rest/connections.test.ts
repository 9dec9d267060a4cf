import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ownerPool } from "../../support/clients.ts";
import { callerMemory } from "../../support/postgres-memory.ts";
import { rawRequest, uniqueName } from "./callers.ts";

const bytesPerMb = 1024 * 1024;

const headers = { apikey: inject("host").serviceRoleKey };

let owner: pg.Pool;
beforeAll(() => {
  owner = ownerPool();
});
afterAll(async () => await owner.end());

describe("statements that all differ", () => {
  // Each plan takes more than a megabyte.
  const embeds = Array.from({ length: 20 }, (_, at) => `e${at}:authors(*)`).join(",");
  const path = (at: number) => `/books?select=x${at}:title,${embeds}&limit=1`;

  it("do not accumulate in Postgres, even when they are repeated", async () => {
    for (let request = 0; request < 300; request += 1) {
      // Sequential, so that one connection serves them all.
      const response = await rawRequest(path(request % 150), { headers });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    expect(Math.max(...(await callerMemory(owner)))).toBeLessThan(40 * bytesPerMb);
  });
});

/** Number of caller connections that run a statement with the text. */
async function running(text: string): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where usename = 'authenticator' and state = 'active' and position($1 in query) > 0`,
    [text],
  );
  return rows[0]?.n ?? 0;
}

describe("a client that disconnects", () => {
  it("has its read cancelled, and the connection serves the next request", async () => {
    // Without cancellation these run for an hour.
    await owner.query(`create function public.long_nap() returns void language sql stable
      set statement_timeout = '1h' as $$ select pg_sleep(3600) $$; notify pgrst`);
    const aborted = new AbortController();
    const asked = Array.from({ length: 3 }, async () => {
      await rawRequest("/rpc/long_nap", { headers, signal: aborted.signal });
    });
    const outcome = Promise.allSettled(asked);
    await expect.poll(async () => await running('"long_nap"'), { timeout: 60_000 }).toBe(3);
    aborted.abort();
    expect((await outcome).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    await expect.poll(async () => await running('"long_nap"'), { timeout: 60_000 }).toBe(0);
    expect((await rawRequest("/books?select=id&limit=1", { headers })).status).toBe(200);
    await owner.query("drop function public.long_nap");
  });

  it("has its mutation completed", async () => {
    const place = uniqueName("slow");
    await owner.query(`create function public.slow_stock(place text) returns void language sql volatile as $$
      select pg_sleep(2); insert into public.stock (place, item) values (place, 'kept') $$; notify pgrst`);
    try {
      const aborted = new AbortController();
      const asked = rawRequest("/rpc/slow_stock", {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ place }),
        signal: aborted.signal,
      });
      const outcome = Promise.allSettled([asked]);
      await expect.poll(async () => await running('"slow_stock"'), { timeout: 60_000 }).toBe(1);
      aborted.abort();
      expect((await outcome)[0].status).toBe("rejected");
      const stored = async () =>
        (await owner.query("select from public.stock where place = $1", [place])).rowCount;
      await expect.poll(stored, { timeout: 60_000 }).toBe(1);
    } finally {
      await owner.query("drop function public.slow_stock");
    }
  });
});
