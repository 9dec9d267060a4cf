import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningHost } from "../../support/running.ts";
import { startHostWith } from "../auth/start-host-with.ts";
import { broughtProject } from "./brought-project.ts";
import { signToken } from "./callers.ts";

const config = `
  [auth]
  allow_guessable_passwords = true
  enable_anonymous_sign_ins = true
  [auth.external.github]
  enabled = true
  [functions.absent]
  verify_jwt = false
`;

let running: RunningHost;
let stop: () => Promise<void>;
const logged: string[] = [];
beforeAll(async () => {
  const log = pino({ level: "warn" }, { write: (line: string) => logged.push(line) });
  const files = {
    "supabase/migrations/20260101000000_brought.sql": broughtProject,
    "supabase/functions/ordinary/index.ts": "Deno.serve(() => new Response('hello'));",
    "supabase/functions/guarded/handler.ts": "export default () => new Response('in');",
    "supabase/functions/_shared/cors.ts": "export {};",
  };
  ({ running, stop } = await startHostWith(config, { files, log }));
});
afterAll(async () => await stop());

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("apikey", running.anonKey);
  if (init.body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  return await fetch(`${running.url}/rest/v1${path}`, { ...init, headers });
}
const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
  await send(path, { method: "POST", body: JSON.stringify(body), headers });
const answer = async (response: Response) => [response.status, await response.json()];

describe("settings of the login role in a migration", () => {
  it("start the host, and count where they are supported", async () => {
    const sums = await send("/processes?select=pid.max()");
    expect(await answer(sums)).toEqual([200, [{ max: 11 }]]);
    const undone = await post("/factories", { id: 50 }, { prefer: "tx=rollback" });
    expect(undone.headers.get("preference-applied")).toBe("tx=rollback");
    expect(await (await send("/factories?id=eq.50")).json()).toEqual([]);
    const kept = await post("/factories", { id: 51 }, { prefer: "tx=commit" });
    expect(kept.headers.get("preference-applied")).toBe("tx=commit");
    expect(await (await send("/factories?id=eq.51&select=id")).json()).toEqual([{ id: 51 }]);
  });

  it("are named in the log where they are not", () => {
    const all = logged.join("");
    for (const name of ["db_plan_enabled", "server_timing_enabled", "db_schemas"]) {
      expect(all).toContain(`"setting":"pgrst.${name}"`);
    }
    expect(all).not.toContain("pgrst.db_aggregates_enabled");
    expect(all).not.toContain("pgrst.db_tx_end");
  });
});

describe("what the project asks for and does not get", () => {
  it("is named in the log at the start", () => {
    const all = logged.join("");
    expect(all).toContain("config.toml sets auth.enable_anonymous_sign_ins, which has no effect");
    expect(all).toContain("config.toml sets auth.external.github.enabled, which has no effect");
    expect(all).toContain("function ordinary is not served");
    expect(all).toContain("function absent is not served");
    expect(all).not.toContain("guarded");
    expect(all).not.toContain("_shared");
  });
});

describe("a guessable password", () => {
  it("is accepted where config.toml allows it", async () => {
    const { auth } = createClient(running.url, running.anonKey, {
      auth: { persistSession: false },
    });
    const email = `${randomUUID()}@example.com`;
    expect((await auth.signUp({ email, password: "password123" })).error).toBeNull();
    expect((await auth.signInWithPassword({ email, password: "password123" })).error).toBeNull();
  });

  it("is never accepted in production", async () => {
    const env = {
      NODE_ENV: "production",
      PUBLIC_URL: "https://club.example",
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "club@example.com",
      SUPABASE_JWT_SECRET: `${randomUUID()}${randomUUID()}`,
      SUPABASE_ANON_KEY: running.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: running.serviceRoleKey,
    };
    const config = "[auth]\nallow_guessable_passwords = true\n";
    await expect(startHostWith(config, { env })).rejects.toThrow(
      "auth.allow_guessable_passwords in config.toml is for development only",
    );
  });
});

describe("a function without a name for its parameter", () => {
  it.each([
    ["say", { "": "foo" }, "foo"],
    ["say", { "": 5 }, "5"],
    ["keep", { "": { a: 1 } }, { "": { a: 1 } }],
    ["maybe", { "": "given" }, "given"],
    ["alone", {}, "x"],
    ["alone", { "": "given" }, "given"],
  ])("%s takes %j", async (name, body, expected) => {
    expect(await answer(await post(`/rpc/${name}`, body))).toEqual([200, expected]);
  });

  it("takes only text, JSON, XML or bytes", async () => {
    const refused = await post("/rpc/count_up", { "": 1 });
    expect([refused.status, await refused.json()]).toMatchObject([404, { code: "PGRST202" }]);
  });

  it("is ambiguous beside one without parameters", async () => {
    const [status, body] = await answer(await post("/rpc/maybe", {}));
    expect(status).toBe(300);
    expect(body).toMatchObject({
      code: "PGRST203",
      message:
        "Could not choose the best candidate function between: public.maybe(), public.maybe( => text)",
    });
  });

  it("is listed in PostgREST's order when overloads are ambiguous", async () => {
    expect(await (await post("/rpc/choose", { value: 1 })).json()).toMatchObject({
      message:
        "Could not choose the best candidate function between: public.choose(value => integer), public.choose(value => text), public.choose(value => integer, more => integer)",
    });
  });
});

describe("reads", () => {
  it("spread all columns through several levels", async () => {
    const rows = await send("/factories?select=name,...processes(*,...costs(*))&id=eq.1");
    expect(await answer(rows)).toEqual([
      200,
      [
        {
          name: "Anvil",
          pid: [10, 11],
          title: ["cast", "grind"],
          factory_id: [1, 1],
          process: [10, null],
          cost: [4.5, null],
        },
      ],
    ]);
    const up = await send("/parts?select=part,...processes(*,...factories(*))&part=eq.7");
    const [status, [row]] = (await answer(up)) as [number, Record<string, unknown>[]];
    expect(status).toBe(200);
    expect(row).toMatchObject({ part: 7, pid: 10, title: "cast", id: 1, name: "Anvil" });
  });

  it("search a computed field that is a text vector", async () => {
    const rows = await send("/factories?words=fts(simple).anvil&select=id");
    expect(await answer(rows)).toEqual([200, [{ id: 1 }]]);
    expect(await answer(await send("/factories?words=not.plfts.anvil&id=lt.3&select=id"))).toEqual([
      200,
      [{ id: 2 }],
    ]);
  });

  it("embed in the result of a function that returns a domain over a row", async () => {
    const row = await send("/rpc/first_factory?select=id,processes(pid)&processes.order=pid");
    expect(await answer(row)).toEqual([200, { id: 1, processes: [{ pid: 10 }, { pid: 11 }] }]);
  });

  it("take an offset below zero as zero", async () => {
    const rows = await send("/factories?select=id&order=id&limit=1&offset=-3");
    expect(await answer(rows)).toEqual([200, [{ id: 1 }]]);
  });

  it("ignore an unknown time zone, unless preferences are strict", async () => {
    const path = "/factories?select=opened&id=eq.1";
    const lenient = await send(path, { headers: { prefer: "timezone=Nope/Nope" } });
    expect(lenient.headers.get("preference-applied")).toBeNull();
    expect(await answer(lenient)).toEqual([200, [{ opened: "2026-01-01T00:00:00+00:00" }]]);
    const strict = await send(path, { headers: { prefer: "handling=strict, timezone=Nope/Nope" } });
    expect(await answer(strict)).toMatchObject([
      400,
      { code: "PGRST122", details: "Invalid preferences: timezone=Nope/Nope" },
    ]);
    const known = await send(path, { headers: { prefer: "timezone=Asia/Tokyo" } });
    expect(known.headers.get("preference-applied")).toBe("timezone=Asia/Tokyo");
    expect(await known.json()).toEqual([{ opened: "2026-01-01T09:00:00+09:00" }]);
  });

  it("hint at the types of an operator, which names nothing", async () => {
    expect(await answer(await send("/factories?id=like.1"))).toMatchObject([
      404,
      { code: "42883", hint: expect.stringMatching(/^No operator matches the given name/) },
    ]);
  });

  it.each([
    "/factories?select=name-%3E%3E%00",
    "/factories?select=a%00:name",
    "/factories?name=eq.a%00b",
    "/factories?na%00me=eq.a",
    "/factories?or=(name.eq.%22a%00%22,id.eq.1)",
    "/factories?order=name-%3E%3E%00",
    "/factories?select=id&limit=1%00",
    "/facto%00ries",
    "/rpc/choose?value=%00",
    "/rpc/say%00",
  ])("refuse a NUL character in %s", async (path) => {
    expect(await answer(await send(path))).toMatchObject([400, { code: "22021" }]);
  });
});

describe("writes", () => {
  it("send no content type with an empty body", async () => {
    const created = await post("/factories", { id: 60 });
    expect(created.status).toBe(201);
    expect(await created.text()).toBe("");
    expect(created.headers.get("content-type")).toBeNull();
    expect(created.headers.get("preference-applied")).toBeNull();
  });

  it("are 200 when an upsert has no rows, and 201 when an insert has none", async () => {
    const merge = { prefer: "resolution=merge-duplicates" };
    expect((await post("/factories", [], merge)).status).toBe(200);
    expect((await post("/factories", [])).status).toBe(201);
  });
});

describe("headers", () => {
  it("keep both cookies of a function", async () => {
    const response = await post("/rpc/two_cookies", {});
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(response.headers.get("x-one")).toBe("1");
  });

  it.each([
    ["Bearer", "PGRST301", "Empty JWT is sent in Authorization header"],
    ["Bearer abc", "PGRST301", "Expected 3 parts in JWT; got 1"],
    ["Bearer abc def", "PGRST301", "Expected 3 parts in JWT; got 1"],
    ["Bearer eyJh.eyJi", "PGRST301", "Expected 3 parts in JWT; got 2"],
  ])("with %s as the token are refused", async (authorization, code, message) => {
    const refused = await send("/factories", { headers: { authorization } });
    expect(refused.headers.get("www-authenticate")).toContain(JSON.stringify(message));
    expect(await answer(refused)).toMatchObject([401, { code, message }]);
  });

  it("with claims of the wrong type are refused as such", async () => {
    const token = await signToken({ role: "anon", exp: "soon" }, running.jwtSecret);
    const refused = await send("/factories", { headers: { authorization: `Bearer ${token}` } });
    expect(await answer(refused)).toMatchObject([401, { code: "PGRST303" }]);
  });

  it("say that a call was refused before it reached the function", async () => {
    const call = async (headers: Record<string, string>) =>
      await fetch(`${running.url}/functions/v1/guarded`, { headers });
    for (const headers of [{}, { authorization: "Bearer a.b.c" }, { authorization: "Bearer a" }]) {
      const refused = await call(headers);
      expect([refused.status, refused.headers.get("x-relay-error")]).toEqual([401, "true"]);
    }
    const served = await call({ authorization: `Bearer ${running.anonKey}` });
    expect([await served.text(), served.headers.get("x-relay-error")]).toEqual(["in", null]);
  });
});
