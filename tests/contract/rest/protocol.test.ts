import { describe, expect, it } from "vitest";
import { anonymous } from "../../support/clients.ts";
import { rawRequest, uniqueName } from "./callers.ts";

describe("headers of a response", () => {
  it("describe the body", async () => {
    const response = await rawRequest("/books?select=id&order=id&id=lt.3");
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("content-range")).toBe("0-1/*");
    expect(response.headers.get("content-location")).toBe("/books?id=lt.3&order=id&select=id");
    expect(response.headers.get("content-profile")).toBe("public");
    expect(await response.text()).toBe('[{"id":1}, \n {"id":2}]');
  });

  it.each([
    ["/books?id=eq.99", { prefer: "count=exact" }, "*/0"],
    ["/books?id=eq.99", {}, "*/*"],
    ["/books?limit=2", { prefer: "count=exact" }, "0-1/5"],
    ["/books?offset=3", { prefer: "count=exact" }, "3-4/5"],
  ])("count rows of %s", async (path, headers, range) => {
    expect((await rawRequest(path, { headers })).headers.get("content-range")).toBe(range);
  });

  it("say which preferences were applied", async () => {
    const name = uniqueName("pref");
    const response = await rawRequest("/tools?columns=name", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        prefer:
          "return=representation, missing=default, resolution=merge-duplicates, count=exact, tx=rollback",
      },
      body: JSON.stringify([{ name }]),
    });
    expect(response.status).toBe(201);
    expect(response.headers.get("preference-applied")).toBe(
      "resolution=merge-duplicates, missing=default, return=representation, count=exact",
    );
    expect(response.headers.get("content-range")).toBe("*/1");
    // Rollbacks on request are not enabled.
    expect((await anonymous().from("tools").select("name").eq("name", name)).data).toHaveLength(1);
  });

  it.each(["/books?id=eq.1", "/rpc/nothing_here", "/nothing_here", "/"])(
    "keep %s out of every cache",
    async (path) => {
      expect((await rawRequest(path)).headers.get("cache-control")).toBe("no-store");
    },
  );

  it("are sent for HEAD without a body", async () => {
    const response = await rawRequest("/books", {
      method: "HEAD",
      headers: { prefer: "count=exact" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-range")).toBe("0-4/5");
    expect(await response.text()).toBe("");
    expect((await rawRequest("/nothing", { method: "HEAD" })).status).toBe(404);
  });
});

describe("media types", () => {
  it.each([
    ["application/vnd.pgrst.object+json", "application/vnd.pgrst.object+json; charset=utf-8"],
    [
      "application/vnd.pgrst.array+json;nulls=stripped",
      "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8",
    ],
    ["text/csv", "text/csv; charset=utf-8"],
    ["text/html, */*;q=0.5", "application/json; charset=utf-8"],
    ["application/json;q=0.1, text/csv", "text/csv; charset=utf-8"],
  ])("%s", async (accept, type) => {
    const response = await rawRequest("/books?id=eq.1", { headers: { accept } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
  });

  it.each(["image/png", "application/vnd.pgrst.plan+json", "application/geo+json"])(
    "%s is not offered",
    async (accept) => {
      const response = await rawRequest("/books", { headers: { accept } });
      expect(response.status).toBe(406);
      expect(await response.json()).toMatchObject({ code: "PGRST107" });
    },
  );
});

describe("preferences", () => {
  it("that are unknown fail only a strict request", async () => {
    const ask = async (handling: string) =>
      await rawRequest("/books", {
        headers: { prefer: `handling=${handling}, anything, count=most` },
      });
    expect((await ask("lenient")).status).toBe(200);
    const strict = await ask("strict");
    expect(strict.status).toBe(400);
    expect(await strict.json()).toEqual({
      code: "PGRST122",
      message: "Invalid preferences given with handling=strict",
      details: "Invalid preferences: anything, count=most",
      hint: null,
    });
  });

  it("set the time zone", async () => {
    const ask = async (zone: string) =>
      await rawRequest("/books?select=added_at&id=eq.1", {
        headers: { prefer: `timezone=${zone}` },
      });
    const response = await ask("Asia/Tokyo");
    expect(await response.json()).toEqual([{ added_at: "2026-01-02T12:04:05.678+09:00" }]);
    expect(response.headers.get("preference-applied")).toBe("timezone=Asia/Tokyo");
    expect((await ask("Jupiter/Spot")).status).toBe(200);
  });
});

describe("schemas", () => {
  it("are selected by the client", async () => {
    const archive = anonymous().schema("archive");
    expect((await archive.from("scrolls").select().eq("id", 1)).data).toEqual([
      { id: 1, name: "Old" },
    ]);
    expect((await archive.rpc("count_scrolls")).data).toBeGreaterThan(0);
    const id = Math.floor(Math.random() * 1e9) + 10;
    const { data } = await archive.from("scrolls").insert({ id, name: "New" }).select("name");
    expect(data).toEqual([{ name: "New" }]);
  });

  it("that are not exposed are refused", async () => {
    const { error, status } = await anonymous().schema("pg_catalog").from("pg_class").select();
    expect(status).toBe(406);
    expect(error).toEqual({
      code: "PGRST106",
      message: "Invalid schema: pg_catalog",
      details: null,
      hint: "Only the following schemas are exposed: public, archive",
    });
  });
});

describe("cross-origin use", () => {
  it("is allowed for every site", async () => {
    const preflight = await rawRequest("/books", {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.test",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,prefer",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization,prefer");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
    const failed = await rawRequest("/nothing");
    expect(failed.headers.get("access-control-allow-origin")).toBe("*");
  });

  it.each([
    ["/books", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"],
    ["/rpc/forget", "OPTIONS,POST"],
    ["/rpc/add_numbers", "OPTIONS,GET,HEAD,POST"],
  ])("OPTIONS %s lists the allowed methods", async (path, allow) => {
    const response = await rawRequest(path, { method: "OPTIONS" });
    expect(response.headers.get("allow")).toBe(allow);
  });
});

describe("invalid requests", () => {
  it.each([
    ["/books?select=", 200, undefined],
    ["/books?select=id,(", 400, "PGRST100"],
    ["/books?select=id:::text", 400, "PGRST100"],
    ["/books?select=publishers(name", 400, "PGRST100"],
    ["/books?select=id::nothing", 400, "42704"],
    ["/books?select=id::text)--", 400, "PGRST100"],
    ["/books?id=5", 400, "PGRST100"],
    ["/books?id=eq", 400, "PGRST100"],
    ["/books?id=is.five", 400, "PGRST100"],
    ["/books?id=in.1,2", 400, "PGRST100"],
    ["/books?or=(id.eq.1", 400, "PGRST100"],
    ["/books?or=()", 400, "PGRST100"],
    ["/books?order=id.up", 400, "PGRST100"],
    ["/books?order=", 200, undefined],
    ["/books?nope=eq.1", 400, "42703"],
    ["/books?order=nope", 400, "42703"],
    ["/books?id=eq.x", 400, "22P02"],
    ["/books?limit=-1", 416, "PGRST103"],
    ["/books?title=fts(klingon).x", 400, "42704"],
    ["/books?id=like.1", 404, "42883"],
    ["/books?title=eq.%00", 400, "22021"],
    ["/books?select=a%00:id", 400, "22021"],
    ["/books/1", 404, "PGRST125"],
    ["/rpc/add_numbers/1", 404, "PGRST125"],
    ["/%E0%A4%A", 404, "PGRST125"],
    [`/books?select=${"id,".repeat(500)}id`, 400, "PGRST100"],
    [`/books?and=${"(and".repeat(40)}(id.eq.1)${")".repeat(40)}`, 400, "PGRST100"],
    [`/books?${"id=eq.1&".repeat(500)}`, 400, "PGRST100"],
  ])("%s", async (path, status, code) => {
    const response = await rawRequest(path);
    expect(response.status).toBe(status);
    const body: unknown = await response.json();
    if (code !== undefined) expect(body).toMatchObject({ code });
  });

  it("an unknown method", async () => {
    const response = await rawRequest("/books", { method: "PROPFIND" });
    expect(response.status).toBe(405);
    // The HTTP server refuses it before the REST API, with its own code.
    expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
  });

  it("quotes in names stay quotes", async () => {
    const response = await rawRequest(
      `/books?select=${encodeURIComponent('"x\\"; drop table books; --":id')}&id=eq.1`,
    );
    expect(await response.json()).toEqual([{ 'x"; drop table books; --': 1 }]);
  });
});
