import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anonymous, ownerPool, serviceRole } from "../../support/clients.ts";
import { createUserWithClaims, rawRequest, type SignedInUser } from "./callers.ts";

let owner: pg.Pool;
beforeAll(() => {
  owner = ownerPool();
});
afterAll(async () => await owner.end());

describe("a cast", () => {
  const lookups =
    "regclass regrole regproc regprocedure regoper regoperator regtype regnamespace regconfig regdictionary regcollation aclitem xml jsonpath pg_lsn _regclass _numeric pg_node_tree refcursor";

  it.each(lookups.split(" "))("to %s is not offered", async (type) => {
    for (const select of [
      `id::${type}`,
      `title::${type}`,
      `details->a::${type}`,
      `details->>a::${type}`,
      `publishers(id::${type})`,
      `id::${type.toUpperCase()}`,
    ]) {
      const response = await rawRequest(`/books?select=${select}&id=eq.1`);
      expect(response.status, select).toBe(400);
      expect(await response.json(), select).toMatchObject({ code: "42704" });
    }
  });

  it("to a domain over such a type is not offered either, to others it is", async () => {
    await owner.query(`create domain public.table_name as regclass; create domain public.short as varchar(5);
      notify pgrst`);
    try {
      const ask = async (type: string) =>
        (await rawRequest(`/books?select=id::${type}&id=eq.1`)).status;
      expect(await ask("short")).toBe(200);
      expect(await ask("table_name")).toBe(400);
    } finally {
      await owner.query("drop domain public.table_name, public.short");
    }
  });

  it.each([
    ["id::text", '[{"id":"1"}]'],
    ["id::int8", '[{"id":1}]'],
    ["price::float8", '[{"price":12.5}]'],
    ["price::int", '[{"price":13}]'],
    ["added_at::date", '[{"added_at":"2026-01-02"}]'],
    ["state::text", '[{"state":"new"}]'],
    ["state::book_state", '[{"state":"new"}]'],
    ["tags::_varchar", '[{"tags":["sea","calm"]}]'],
    ["details->format::jsonb", '[{"format":{"size": "A5", "weight": 300}}]'],
    ["details->>format::jsonb", '[{"format":{"size": "A5", "weight": 300}}]'],
  ])("%s is", async (select, text) => {
    const response = await rawRequest(`/books?select=${select}&id=eq.1`);
    expect(await response.text()).toBe(text);
  });

  it("to jsonb does not write out the digits of a number", async () => {
    const { data, error } = await (
      await createUserWithClaims()
    ).client
      .from("diaries")
      .insert({ entry: `[${Array.from({ length: 2000 }, () => "1e131071").join(",")}]` })
      .select("entry::jsonb");
    expect(error).toBeNull();
    expect(JSON.stringify(data).length).toBeLessThan(100_000);
  });
});

describe("a planned or estimated count", () => {
  const hidden = 1500;
  let reader: SignedInUser;
  beforeAll(async () => {
    reader = await createUserWithClaims();
    await owner.query(`
      create table public.ballots (id int generated always as identity primary key, owner uuid);
      alter table public.ballots enable row level security;
      create policy ballots_select_own on public.ballots for select to authenticated
        using (owner = (select auth.uid()));
      create view public.all_ballots with (security_invoker = true) as select * from public.ballots;
      grant select on public.ballots, public.all_ballots to anon, authenticated, service_role;
      insert into public.ballots (owner) select gen_random_uuid() from generate_series(1, ${hidden});
      insert into public.ballots (owner) select '${reader.id}' from generate_series(1, 2);
      analyze public.ballots;
      notify pgrst`);
  });
  afterAll(async () => {
    await owner.query("drop view public.all_ballots; drop table public.ballots");
  });

  it.each(["planned", "estimated"] as const)("tells what the caller may see: %s", async (count) => {
    for (const table of ["ballots", "all_ballots"]) {
      const all = await reader.client.from(table).select("id", { count });
      expect(all).toMatchObject({ count: 2, error: null });
      const head = await reader.client.from(table).select("*", { count, head: true });
      expect(head.count).toBe(2);
      const page = await reader.client.from(table).select("id", { count }).range(0, 0);
      expect(page).toMatchObject({ count: 2, status: 206 });
      const unauthenticated = await anonymous().from(table).select("id", { count });
      expect(unauthenticated).toMatchObject({ count: 0, error: null });
    }
  });

  it("is exact when more rows are visible than a response holds", async () => {
    const many = await createUserWithClaims();
    await owner.query(
      "insert into public.ballots (owner) select $1 from generate_series(1, 1100)",
      [many.id],
    );
    await owner.query("analyze public.ballots");
    const { count } = await many.client.from("ballots").select("id", { count: "estimated" });
    expect(count).toBe(1100);
  });

  it("is the planner's estimate for the service role", async () => {
    const planned = await serviceRole().from("ballots").select("id", { count: "planned" }).limit(1);
    expect(planned.count).toBeGreaterThan(hidden / 2);
  });

  it("is cached separately for roles that bypass row-level security", async () => {
    const ask = async (client: SignedInUser["client"]) =>
      (await client.from("ballots").select("owner", { count: "planned" }).limit(1)).count;
    for (let round = 0; round < 2; round += 1) {
      expect(await ask(serviceRole())).toBeGreaterThan(hidden / 2);
      expect(await ask(reader.client)).toBe(2);
    }
  });
});
