import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anonymous, ownerPool, serviceRole } from "../../support/clients.ts";
import { member, rawRequest, unique, type Member } from "./callers.ts";

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
      await member()
    ).client
      .from("diaries")
      .insert({ entry: `[${Array.from({ length: 2000 }, () => "1e131071").join(",")}]` })
      .select("entry::jsonb");
    expect(error).toBeNull();
    expect(JSON.stringify(data).length).toBeLessThan(100_000);
  });
});

describe("a count by the planner", () => {
  const hidden = 700;
  let reader: Member;
  let entry: string;
  beforeAll(async () => {
    reader = await member();
    entry = unique("counted");
    await owner.query(
      "insert into public.diaries (owner, entry) select $1, $2 || g from generate_series(1, $3) g",
      [randomUUID(), entry, hidden],
    );
    await reader.client.from("diaries").insert([{ entry }, { entry }]);
    await owner.query(`create view public.open_diaries as select * from public.diaries;
      grant select on public.open_diaries to authenticated;
      create view public.all_diaries with (security_invoker = true) as select * from public.diaries;
      grant select on public.all_diaries to authenticated, service_role;
      analyze public.diaries; notify pgrst`);
  });
  afterAll(async () => {
    await owner.query("drop view public.open_diaries, public.all_diaries");
  });

  it.each(["planned", "estimated"] as const)("tells what the caller may see: %s", async (count) => {
    const own = async (table: string) =>
      await reader.client.from(table).select("id", { count }).like("entry", `${entry}%`);
    expect(await own("diaries")).toMatchObject({ count: 2, error: null });
    expect(await own("all_diaries")).toMatchObject({ count: 2, error: null });
    const head = await reader.client.from("diaries").select("*", { count, head: true });
    expect(head.count).toBe(2);
    const page = await reader.client.from("diaries").select("id", { count }).range(0, 0);
    expect(page).toMatchObject({ count: 2, status: 206 });
    const stranger = await anonymous().from("diaries").select("id", { count });
    expect(stranger).toMatchObject({ count: 0, error: null });
  });

  it("is exact where more rows may be seen than an answer holds", async () => {
    const many = await member();
    await owner.query(
      "insert into public.diaries (owner, entry) select $1, 'many' from generate_series(1, 1100)",
      [many.id],
    );
    await owner.query("analyze public.diaries");
    const { count } = await many.client.from("diaries").select("id", { count: "estimated" });
    expect(count).toBe(1100);
  });

  it("tells the service role what the planner thinks", async () => {
    const { count } = await serviceRole()
      .from("diaries")
      .select("id", { count: "planned" })
      .limit(1);
    expect(count).toBeGreaterThan(hidden / 2);
  });

  it("is remembered for one kind of caller only", async () => {
    for (let round = 0; round < 2; round += 1) {
      const ask = async (client: Member["client"]) =>
        (await client.from("diaries").select("owner", { count: "planned" }).limit(1)).count ?? 0;
      expect(await ask(serviceRole())).toBeGreaterThan(hidden / 2);
      expect(await ask(reader.client)).toBe(2);
    }
  });
});
