import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ownerPool } from "../../support/clients.ts";
import { peakCallerMemory } from "../../support/postgres-memory.ts";
import { rawRequest } from "./callers.ts";

const bytesPerMb = 1024 * 1024;
/** A response may have 8 MiB; a backend holds it several times while building it. */
const memoryAllowed = 250 * bytesPerMb;

let owner: pg.Pool;
beforeAll(async () => {
  owner = ownerPool();
  await owner.query(`
    create table public.scrolls (id int primary key, body text not null, note text);
    create table public.margins (id int generated always as identity primary key, scroll_id int references public.scrolls, words text);
    insert into public.scrolls (id, body) select g, repeat(md5(g::text), 2000) from generate_series(1, 600) g;
    insert into public.margins (scroll_id, words) select 1, repeat('w', 20000) from generate_series(1, 300);
    insert into public.margins (scroll_id, words) select 2, repeat('w', 20000) from generate_series(1, 900);
    create index on public.margins (scroll_id);
    create function public.all_scrolls() returns setof public.scrolls language sql stable as $$ select * from public.scrolls $$;
    create function public.one_text(length int) returns text language sql stable as $$ select repeat('x', length) $$;
    create function public.texts(length int) returns setof text language sql stable as
      $$ select repeat('x', length) from generate_series(1, 100) $$;
    grant all on public.scrolls, public.margins to anon, authenticated, service_role;
    notify pgrst`);
});
afterAll(async () => {
  await owner.query(`drop function public.all_scrolls, public.one_text, public.texts;
    drop table public.margins, public.scrolls`);
  await owner.end();
});

/** Asks with the service key: it has no rate limit, and its statements none of the three seconds that a busy machine needs for so much. */
async function ask(path: string, init: { method?: string; headers?: object; body?: string } = {}) {
  const headers = { apikey: inject("host").serviceRoleKey, ...init.headers };
  const response = await rawRequest(path, { ...init, headers });
  const text = await response.text();
  return { status: response.status, text, length: text.length };
}

const refused = {
  code: "HR001",
  message: "The answer is too large",
  details: null,
  hint: "Select fewer columns or embeds, or ask for fewer rows with limit.",
};
const csv = { headers: { accept: "text/csv" } };
const object = { headers: { accept: "application/vnd.pgrst.object+json" } };
const stripped = { headers: { accept: "application/vnd.pgrst.array+json;nulls=stripped" } };

/** Each response would have 16 bytesPerMb to several gigabytes. */
const tooLarge: [string, string, Parameters<typeof ask>[1]?][] = [
  ["rows", "/scrolls?select=*"],
  ["rows without nulls", "/scrolls?select=*", stripped],
  ["CSV", "/scrolls?select=*", csv],
  ["a column again and again", "/scrolls?select=a:body,b:body,c:body,d:body,e:body&limit=100"],
  ["an embedded list", "/scrolls?select=id,margins(*)&id=eq.2"],
  ["a list in a single object", "/scrolls?select=id,margins(*)&id=eq.2", object],
  ["lists that share one row", "/scrolls?select=id,a:margins(*),b:margins(*),c:margins(*)&id=eq.1"],
  ["lists inside lists", "/margins?select=words,scrolls(id,margins(scrolls(id,margins(*))))"],
  ["a spread list", "/scrolls?select=id,...margins(words,again:words)&id=eq.2"],
  ["rows of a function", "/rpc/all_scrolls?select=id,body"],
  ["values of a function", "/rpc/texts?length=200000"],
  ["the value of a function", "/rpc/one_text?length=20000000"],
  [
    "the counted value of a function",
    "/rpc/one_text?length=20000000",
    { headers: { prefer: "count=exact" } },
  ],
];

describe("a response larger than 8 MiB", () => {
  it.each(tooLarge)("is refused: %s", async (_name, path, init) => {
    let answer: Awaited<ReturnType<typeof ask>> | undefined;
    const peak = await peakCallerMemory(owner, async () => {
      answer = await ask(path, init);
    });
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer?.text ?? "")).toEqual(refused);
    expect(peak).toBeLessThan(memoryAllowed);
  });

  it("to a mutation is refused, and the mutation rolled back", async () => {
    const change = async (prefer: string) =>
      await ask("/scrolls?id=gt.0", {
        method: "PATCH",
        headers: { prefer, "content-type": "application/json" },
        body: '{"note":"changed"}',
      });
    const changed = async () =>
      (await owner.query<{ n: number }>(`select count(note)::int as n from public.scrolls`)).rows[0]
        ?.n;
    const shown = await change("return=representation");
    expect([shown.status, JSON.parse(shown.text)]).toEqual([400, refused]);
    expect(await changed()).toBe(0);
    expect((await change("return=minimal")).status).toBe(204);
    expect(await changed()).toBe(600);
  });

  it("holds neither connections nor memory under concurrent requests", async () => {
    const peak = await peakCallerMemory(owner, async () => {
      const answers = await Promise.all(
        Array.from(
          { length: 60 },
          async (_, at) => await ask(tooLarge[at % tooLarge.length]?.[1] ?? ""),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    });
    // Twenty connections at most.
    expect(peak).toBeLessThan(20 * 80 * bytesPerMb);
    expect((await ask("/books?select=id&limit=1")).text).toBe('[{"id":1}]');
  });
});

describe("a response below 8 MiB", () => {
  it.each([
    ["rows", "/scrolls?select=id,body&limit=100", undefined],
    ["CSV", "/scrolls?select=body&limit=50", csv],
    ["an embedded list", "/scrolls?select=id,margins(words)&id=eq.1", undefined],
    [
      "lists of many rows",
      "/scrolls?select=id,body,margins(scroll_id)&order=id.desc&limit=100",
      undefined,
    ],
    ["a single object", "/scrolls?select=id,margins(words)&id=eq.1", object],
    ["rows of a function", "/rpc/all_scrolls?select=id,body&limit=100", undefined],
    ["a value of a function", "/rpc/one_text?length=6000000", undefined],
  ] as const)("is given: %s", async (_name, path, init) => {
    const { status, length } = await ask(path, init);
    expect(status).toBe(200);
    expect(length).toBeGreaterThan(3 * bytesPerMb);
  });

  it("may count the rows of a table that is much larger", async () => {
    const response = await rawRequest("/scrolls?select=*", {
      method: "HEAD",
      headers: { prefer: "count=exact" },
    });
    expect([response.status, response.headers.get("content-range")]).toEqual([200, "0-599/600"]);
  });
});

describe("a large row from a function", () => {
  it("that exceeds the limit in its headers is refused, and the next request is served", async () => {
    await owner.query(`create function public.own_headers() returns text language sql volatile as $$
      select set_config('response.headers', json_build_array(json_build_object('x-a', repeat('x', 20000000)))::text, true);
      select 'done' $$; notify pgrst`);
    try {
      const { status, text } = await ask("/rpc/own_headers", { method: "POST" });
      expect([status, JSON.parse(text)]).toEqual([400, refused]);
      expect((await ask("/books?select=id&limit=1")).status).toBe(200);
    } finally {
      await owner.query("drop function public.own_headers");
    }
  });
});
