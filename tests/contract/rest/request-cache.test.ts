import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createUserWithClaims, rawRequest, uniqueName, type SignedInUser } from "./callers.ts";

const owner = new pg.Client({ connectionString: inject("host").databaseUrl });
beforeAll(async () => await owner.connect());
afterAll(async () => await owner.end());

async function ask(
  path: string,
  who: SignedInUser | undefined,
  headers: Record<string, string> = {},
) {
  const own = who === undefined ? headers : { ...headers, authorization: `Bearer ${who.token}` };
  const response = await rawRequest(path, { headers: own });
  return { response, body: (await response.json()) as unknown };
}

describe("a request that was sent before", () => {
  it("returns each caller's own rows", async () => {
    const [one, two] = [await createUserWithClaims(), await createUserWithClaims()];
    const entry = uniqueName("mine");
    await one.client.from("diaries").insert({ entry });
    const path = `/diaries?select=owner&entry=eq.${entry}`;
    for (const [who, rows] of [
      [one, [{ owner: one.id }]],
      [two, []],
      [one, [{ owner: one.id }]],
    ] as const) {
      expect((await ask(path, who)).body).toEqual(rows);
    }
    expect((await ask(path, undefined)).body).toEqual([]);
  });

  it("is handled separately for other headers", async () => {
    const path = "/books?select=id&order=id&id=lt.3";
    const rows = [{ id: 1 }, { id: 2 }];
    const range = async (headers: Record<string, string>) => {
      const { response, body } = await ask(path, undefined, headers);
      return [response.headers.get("content-range"), body];
    };
    expect(await range({})).toEqual(["0-1/*", rows]);
    expect(await range({ prefer: "count=exact" })).toEqual(["0-1/2", rows]);
    expect(await range({ range: "1-1" })).toEqual(["1-1/*", [{ id: 2 }]]);
    const single = await ask(path, undefined, { accept: "application/vnd.pgrst.object+json" });
    expect(single.response.status).toBe(406);
    const schema = await ask(path, undefined, { "accept-profile": "hidden" });
    expect(schema.response.status).toBe(406);
    expect(await range({})).toEqual(["0-1/*", rows]);
  });

  it("passes the headers of the current request to functions", async () => {
    const path = "/rpc/header_of?name=x-colour";
    await owner.query(`create or replace function public.header_of(name text) returns text language sql stable as
      $$ select current_setting('request.headers', true)::json ->> name $$;
      notify pgrst, 'reload schema'`);
    try {
      await expect
        .poll(async () => (await ask(path, undefined)).response.status, { timeout: 60_000 })
        .toBe(200);
      for (const colour of ["red", "blue"]) {
        expect((await ask(path, undefined, { "x-colour": colour })).body).toBe(colour);
      }
      expect((await ask(path, undefined)).body).toBeNull();
    } finally {
      await owner.query("drop function public.header_of(text); notify pgrst, 'reload schema'");
    }
  });

  it("is planned again when its function has changed", async () => {
    const path = "/rpc/twice?n=2";
    const body = async () => (await ask(path, undefined)).body;
    const make = async (type: string, does: string) =>
      await owner.query(`drop function if exists public.twice;
        create function public.twice(n ${type}) returns ${type} language sql as $$ select ${does} $$;
        notify pgrst, 'reload schema'`);
    try {
      await make("text", "n || n");
      await expect.poll(body, { timeout: 60_000 }).toBe("22");
      await make("int", "n + n");
      await expect.poll(body, { timeout: 60_000 }).toBe(4);
    } finally {
      await owner.query("drop function public.twice; notify pgrst, 'reload schema'");
    }
  });
});
