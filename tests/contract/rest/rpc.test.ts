import { describe, expect, it } from "vitest";
import { anonymous } from "../../support/clients.ts";
import { modernClient, rawRequest, uniqueName } from "./callers.ts";

const call = (...args: Parameters<ReturnType<typeof anonymous>["rpc"]>) => anonymous().rpc(...args);

const json = { "content-type": "application/json" };

describe("results of functions", () => {
  it.each([
    ["a scalar", "add_numbers", { a: 1, b: 2 }, 3],
    ["a scalar with a default", "add_numbers", { a: 1 }, 11],
    ["a set of scalars", "tag_names", {}, ["birds", "calm", "night", "sea"]],
    ["out parameters", "divide", { dividend: 7, divisor: 2 }, { quotient: 3, remainder: 1 }],
    [
      "arrays and JSON in, JSON out",
      "shape",
      { values_of: [1, 2], about: { a: [true] } },
      { sum: 3, about: { a: [true] } },
    ],
    ["a variadic", "add_all", { numbers: [1, 2, 3] }, 6],
  ] as const)("%s", async (_name, fn, args, expected) => {
    const { data, error, status } = await call(fn, args);
    expect(error).toBeNull();
    expect(status).toBe(200);
    expect(data).toEqual(expected);
  });

  it("can be one row of a table", async () => {
    const { data } = await call("first_book").select("id, title, publishers(name)");
    expect(data).toEqual({ id: 1, title: "The Quiet Sea", publishers: { name: "Harbour Press" } });
  });

  it("can be void", async () => {
    expect(await call("forget")).toMatchObject({ status: 204, data: null, error: null });
  });

  it("can be rows that are filtered, ordered, paged, counted and embedded like a table's", async () => {
    const { data, count } = await anonymous()
      .rpc("find_books", { term: "e" }, { count: "exact" })
      .select("id, shout, publishers!inner(name), authors(name)")
      .gt("pages", 100)
      .order("id", { ascending: false })
      .limit(1);
    expect(count).toBe(2);
    expect(data).toEqual([
      {
        id: 2,
        shout: "THE LOUD SEA",
        publishers: { name: "Harbour Press" },
        authors: [{ name: "Ada Marsh" }, { name: "Bo Lind" }],
      },
    ]);
    const table = await call("page_counts").select("pages").gte("pages", 320).order("pages");
    expect(table.data).toEqual([{ pages: 320 }, { pages: 410 }]);
  });
});

describe("calls of functions", () => {
  it("use GET with arguments and filters", async () => {
    const { data } = await anonymous()
      .rpc("find_books", { term: "sea" }, { get: true })
      .select("id")
      .eq("id", 2);
    expect(data).toEqual([{ id: 2 }]);
    const array = await anonymous().rpc("add_all", { numbers: [4, 5] }, { get: true });
    expect(array.data).toBe(9);
    const repeated = await rawRequest("/rpc/add_all?numbers=1&numbers=2");
    expect(await repeated.json()).toBe(3);
  });

  it("use HEAD for the count", async () => {
    const { data, count, status } = await anonymous().rpc(
      "find_books",
      { term: "sea" },
      { head: true, count: "exact" },
    );
    expect({ data, count, status }).toEqual({ data: null, count: 2, status: 200 });
  });

  it("pass the whole body as a single unnamed argument", async () => {
    for (const body of ['{"a":1,"b":[2]}', "[1,2]", '"text"', "3"]) {
      const response = await rawRequest("/rpc/echo", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      expect(await response.json()).toEqual(JSON.parse(body));
    }
  });

  it("pass arguments as a form", async () => {
    const response = await rawRequest("/rpc/add_numbers", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "a=4&b=5",
    });
    expect(await response.json()).toBe(9);
  });

  it("choose an overload by the argument names", async () => {
    expect((await call("describe", { name: "cup" })).data).toBe("one cup");
    expect((await call("describe", { name: "cup", loud: true })).data).toBe("CUP");
    const { error, status } = await call("pick", { value: 1 });
    expect(status).toBe(300);
    expect(error).toMatchObject({
      code: "PGRST203",
      message:
        "Could not choose the best candidate function between: public.pick(value => integer), public.pick(value => text)",
    });
  });

  it("need an existing name, and POST or GET", async () => {
    const missing = await call("add_numbers", { a: 1, c: 2 });
    expect(missing.status).toBe(404);
    expect(missing.error).toEqual({
      code: "PGRST202",
      message: "Could not find the function public.add_numbers(a, c) in the schema cache",
      details:
        "Searched for the function public.add_numbers with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.",
      hint: null,
    });
    const put = await rawRequest("/rpc/forget", { method: "PUT", body: "{}" });
    expect(put.status).toBe(405);
    expect(await put.json()).toMatchObject({ code: "PGRST101" });
  });
});

describe("rights of functions", () => {
  it("allow writes when called by POST", async () => {
    const [a, b] = [uniqueName("rpc"), uniqueName("rpc")];
    const { data } = await call("store_tools", { names: [a, b] })
      .select("name")
      .order("name");
    expect(data).toEqual([{ name: a }, { name: b }].sort((x, y) => (x.name < y.name ? -1 : 1)));
    const { count } = await anonymous()
      .from("tools")
      .select("*", { count: "exact", head: true })
      .in("name", [a, b]);
    expect(count).toBe(2);
  });

  it("refuse writes when called by GET", async () => {
    const { error, status } = await anonymous().rpc(
      "store_tool",
      { tool_name: "x" },
      { get: true },
    );
    expect(status).toBe(405);
    expect(error?.code).toBe("25006");
  });

  it("end a call that affects more rows than max-affected", async () => {
    const names = [uniqueName("cap"), uniqueName("cap")];
    const { error } = await modernClient().rpc("store_tools", { names }).maxAffected(1);
    expect(error?.code).toBe("PGRST124");
    const { data } = await anonymous().from("tools").select("name").in("name", names);
    expect(data).toEqual([]);
    const single = await modernClient().rpc("store_tool", { tool_name: "x" }).maxAffected(1);
    expect(single.error?.code).toBe("PGRST128");
  });

  it("allow setting status and headers of the response", async () => {
    const response = await rawRequest("/rpc/teapot", { method: "POST", headers: json, body: "{}" });
    expect(response.status).toBe(418);
    expect(response.headers.get("x-tea")).toBe("green");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toBe("short and stout");
  });

  it("allow raising custom errors", async () => {
    expect(await call("fail_with", { kind: "plain" })).toMatchObject({
      status: 400,
      error: { code: "P0001", message: "It went wrong", details: "why", hint: "try" },
    });
    expect(await call("fail_with", { kind: "status" })).toMatchObject({
      status: 402,
      error: { code: "PT402", message: "Payment Required", details: "quota", hint: "pay" },
    });
    const full = await rawRequest("/rpc/fail_with", {
      method: "POST",
      headers: json,
      body: '{"kind":"full"}',
    });
    expect(full.status).toBe(419);
    expect(full.headers.get("x-own")).toBe("yes");
    expect(await full.json()).toEqual({
      code: "123",
      message: "Own words",
      details: "more",
      hint: "less",
    });
    const broken = await call("fail_with", { kind: "broken" });
    expect(broken).toMatchObject({ status: 500, error: { code: "PGRST121" } });
  });

  it("end a call after the timeout of the role or the function", async () => {
    const own = await call("hurry", { seconds: 2 });
    expect(own).toMatchObject({ status: 500, error: { code: "57014" } });
  });
});
