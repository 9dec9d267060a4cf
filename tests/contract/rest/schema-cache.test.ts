import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anonymous, ownerPool } from "../../support/clients.ts";
import { rawRequest } from "./callers.ts";

let owner: pg.Pool;
beforeAll(() => {
  owner = ownerPool();
});
afterAll(async () => {
  await owner.query("drop table if exists public.kites, public.strings");
  await owner.end();
});

/** Repeats a check until it succeeds, because notifications arrive asynchronously. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 60_000;
  while (!(await check())) {
    if (Date.now() > until) throw new Error("the check never succeeded");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("the schema cache", () => {
  it("reloads when a table, column, foreign key or function is missing from it", async () => {
    const kites = () => anonymous().from("kites");
    expect((await kites().select()).error?.code).toBe("PGRST205");
    await owner.query(`create table public.kites (id int primary key);
      insert into public.kites values (1); grant select, insert on public.kites to anon`);
    expect((await kites().select()).data).toEqual([{ id: 1 }]);

    await owner.query("alter table public.kites add column colour text default 'red'");
    expect((await kites().select("colour")).data).toEqual([{ colour: "red" }]);
    await owner.query("alter table public.kites add column tail text");
    expect((await kites().insert({ id: 2, tail: "long" })).status).toBe(201);

    await owner.query(`create table public.strings (id int primary key, kite_id int references public.kites);
      grant select on public.strings to anon`);
    const { data } = await kites().select("id, strings(id)").eq("id", 1);
    expect(data).toEqual([{ id: 1, strings: [] }]);

    await owner.query(`create function public.kite_count() returns bigint language sql stable
      as 'select count(*) from public.kites'`);
    expect((await anonymous().rpc("kite_count")).data).toBe(2);
    await owner.query("drop function public.kite_count()");
    expect((await anonymous().rpc("kite_count")).error?.code).toMatch(/42883|PGRST202/);
    expect((await anonymous().rpc("kite_count")).error?.code).toBe("PGRST202");
  });

  it("reloads when a column has another type", async () => {
    await owner.query("alter table public.kites add column size int default 3");
    const kites = () => anonymous().from("kites").select("size").eq("id", 1);
    // Many times, so that the statement is prepared on several connections.
    await Promise.all(Array.from({ length: 30 }, async () => await kites().eq("size", 3)));
    await owner.query("alter table public.kites alter column size type text using 'big'");
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => await kites().eq("size", "big")),
    );
    for (const { data } of answers) expect(data).toEqual([{ size: "big" }]);
  });

  it("reloads on NOTIFY", async () => {
    await owner.query("alter table public.kites rename column colour to hue");
    await owner.query("notify pgrst, 'reload schema'");
    await eventually(async () => (await anonymous().from("kites").select("hue")).error === null);
  });
});

describe("settings of the authenticator role", () => {
  const set = async (setting: string) => {
    await owner.query(`alter role authenticator ${setting}`);
    await owner.query("notify pgrst, 'reload config'");
  };

  it("allow aggregates", async () => {
    const query = "/books?select=state,count(),pages.sum(),thickest:pages.max()::text&order=state";
    await set("set pgrst.db_aggregates_enabled = 'true'");
    try {
      await eventually(async () => (await rawRequest(query)).status === 200);
      expect(await (await rawRequest(query)).json()).toEqual([
        { state: "new", count: 2, sum: 410, thickest: "320" },
        { state: "worn", count: 1, sum: 410, thickest: "410" },
        { state: "lost", count: 2, sum: 250, thickest: "150" },
      ]);
      const total = await rawRequest("/books?select=count()");
      expect(await total.json()).toEqual([{ count: 5 }]);
      const grouped = await rawRequest("/books?select=pages.avg()::int,publishers(name)&id=lt.3");
      expect(await grouped.json()).toEqual([{ avg: 365, publishers: { name: "Harbour Press" } }]);
      const embedded = await rawRequest("/publishers?select=name,books(count())&order=id");
      expect(await embedded.json()).toEqual([
        { name: "Harbour Press", books: [{ count: 2 }] },
        { name: "Night Owl", books: [{ count: 2 }] },
        { name: "Empty House", books: [{ count: 0 }] },
      ]);
    } finally {
      await set("reset pgrst.db_aggregates_enabled");
    }
    await eventually(async () => (await rawRequest(query)).status === 400);
  });

  it("allow mutations to be rolled back on request", async () => {
    const attempt = async () =>
      await anonymous().from("kites").insert({ id: 77 }).select("id").rollback();
    await set("set pgrst.db_tx_end = 'commit-allow-override'");
    try {
      const rows = async () =>
        (await owner.query<{ id: number }>("select id from public.kites where id = 77")).rows;
      await eventually(async () => {
        const { data } = await attempt();
        expect(data).toEqual([{ id: 77 }]);
        const undone = (await rows()).length === 0;
        await owner.query("delete from public.kites where id = 77");
        return undone;
      });
    } finally {
      await set("reset pgrst.db_tx_end");
    }
  });
});

describe("max_rows", () => {
  it("limits responses and embeds", async () => {
    await owner.query(
      `insert into public.strings (id, kite_id) select g, 1 from generate_series(1, 1200) g`,
    );
    const { data, count } = await anonymous().from("strings").select("id", { count: "exact" });
    expect(data).toHaveLength(1000);
    expect(count).toBe(1200);
    const embedded = await anonymous().from("kites").select("strings(id)").eq("id", 1).single();
    expect((embedded.data as { strings: unknown[] }).strings).toHaveLength(1000);
    const asked = await anonymous().from("strings").select("id").limit(5000);
    expect(asked.data).toHaveLength(1000);
    const planned = await anonymous().from("strings").select("id", { count: "estimated" });
    expect(planned.count).toBeGreaterThan(1000);
  });
});

describe("a lost database connection", () => {
  it("fails the running request, and the next one succeeds", async () => {
    const slow = anonymous()
      .rpc("nap", { seconds: 2 })
      .retry(false)
      .then((answer) => answer);
    await eventually(async () => {
      const { rowCount } = await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'authenticator' and query like '%"nap"%' and state = 'active'`,
      );
      return (rowCount ?? 0) > 0;
    });
    const { status, error } = await slow;
    expect(status).toBe(503);
    expect(error?.code).toMatch(/57P01|PGRST001/);
    expect((await anonymous().from("books").select("id")).status).toBe(200);
  });
});
