import { describe, expect, it } from "vitest";
import { anonymous } from "../../support/clients.ts";
import { modernClient, rawRequest, uniqueName } from "./callers.ts";

const tools = () => anonymous().from("tools");
const stock = () => anonymous().from("stock");
const json = { "content-type": "application/json" };

describe("insert", () => {
  it("answers 201 without a body, unless rows are requested", async () => {
    const name = uniqueName("saw");
    expect(await tools().insert({ name })).toMatchObject({ status: 201, data: null, error: null });
    const { data } = await tools().select("name, quantity, note, weight").eq("name", name).single();
    expect(data).toEqual({ name, quantity: 1, note: "none", weight: 2 });
  });

  it("returns the new rows with their embeds", async () => {
    const name = uniqueName("axe");
    const { data, status } = await tools()
      .insert({ name, publisher_id: 1 })
      .select("name, publishers(name)")
      .single();
    expect(status).toBe(201);
    expect(data).toEqual({ name, publishers: { name: "Harbour Press" } });
  });

  it("accepts rows with different columns: a missing column is null or its default", async () => {
    const [a, b, c, d] = [uniqueName("a"), uniqueName("b"), uniqueName("c"), uniqueName("d")];
    const nulls = await tools()
      .insert([{ name: a, note: "sharp" }, { name: b }])
      .select("name, note")
      .order("name");
    expect(nulls.data).toEqual([
      { name: a, note: "sharp" },
      { name: b, note: null },
    ]);
    const defaults = await tools()
      .insert(
        [
          { name: c, note: "blunt" },
          { name: d, quantity: 5 },
        ],
        { defaultToNull: false },
      )
      .select("name, note, quantity")
      .order("name");
    expect(defaults.data).toEqual([
      { name: c, note: "blunt", quantity: 1 },
      { name: d, note: "none", quantity: 5 },
    ]);
  });

  it("counts the inserted rows", async () => {
    const rows = [{ name: uniqueName("n") }, { name: uniqueName("n") }];
    expect((await tools().insert(rows, { count: "exact" })).count).toBe(2);
  });

  it("accepts CSV, forms and empty rows", async () => {
    const [a, b, c] = [uniqueName("csv"), uniqueName("csv"), uniqueName("form")];
    const csv = await rawRequest("/tools?select=name,note", {
      method: "POST",
      headers: { "content-type": "text/csv", prefer: "return=representation" },
      body: `name,note\n${a},"one, two"\r\n${b},NULL\n`,
    });
    expect(await csv.json()).toEqual([
      { name: a, note: "one, two" },
      { name: b, note: null },
    ]);
    const form = await rawRequest("/tools?select=name", {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        prefer: "return=representation",
      },
      body: `name=${c}`,
    });
    expect(await form.json()).toEqual([{ name: c }]);
    const none = await tools().insert([]).select();
    expect(none).toMatchObject({ status: 201, data: [] });
    const bare = await anonymous().from("diaries").insert({});
    expect(bare.error?.code).toBe("42501");
  });

  it("sends the row's location with return=headers-only", async () => {
    const response = await rawRequest("/stock", {
      method: "POST",
      headers: { ...json, prefer: "return=headers-only" },
      body: JSON.stringify({ place: uniqueName("shelf"), item: "a b&c" }),
    });
    expect(response.status).toBe(201);
    expect(response.headers.get("location")).toMatch(
      /^\/stock\?place=eq\.shelf-[\w-]+&item=eq\.a\+b%26c$/,
    );
    expect(await response.text()).toBe("");
  });
});

describe("upsert", () => {
  it("merges on the primary key: 201 when new, 200 when merged", async () => {
    const place = uniqueName("hall");
    const first = await stock().upsert({ place, item: "pen", amount: 1 }).select();
    expect(first).toMatchObject({ status: 201, data: [{ place, item: "pen", amount: 1 }] });
    const second = await stock().upsert({ place, item: "pen", amount: 7 }).select();
    expect(second).toMatchObject({ status: 200, data: [{ place, item: "pen", amount: 7 }] });
    const mixed = await stock().upsert([
      { place, item: "pen", amount: 8 },
      { place, item: "ink", amount: 2 },
    ]);
    expect(mixed.status).toBe(201);
  });

  it("ignores duplicates when asked", async () => {
    const place = uniqueName("hall");
    await stock().insert({ place, item: "pen", amount: 1 });
    const { data, status } = await stock()
      .upsert(
        [
          { place, item: "pen", amount: 9 },
          { place, item: "ink", amount: 2 },
        ],
        { ignoreDuplicates: true },
      )
      .select("item, amount");
    expect(status).toBe(201);
    expect(data).toEqual([{ item: "ink", amount: 2 }]);
  });

  it("merges on other unique columns", async () => {
    const name = uniqueName("rope");
    await tools().insert({ name, quantity: 1 });
    const { data } = await tools()
      .upsert({ name, quantity: 4 }, { onConflict: "name" })
      .select("name, quantity, note");
    expect(data).toEqual([{ name, quantity: 4, note: "none" }]);
    const { error } = await tools().upsert({ name }, { onConflict: "note" });
    expect(error?.code).toBe("42P10");
  });

  it("refuses the same row twice in one request", async () => {
    const place = uniqueName("hall");
    const row = { place, item: "pen", amount: 1 };
    const { status, error } = await stock().upsert([row, row]);
    expect(status).toBe(400);
    expect(error?.code).toBe("21000");
  });

  it("puts one row at its URL", async () => {
    const place = uniqueName("attic");
    const put = async (path: string, amount: number) =>
      await rawRequest(path, {
        method: "PUT",
        headers: { ...json, prefer: "return=representation" },
        body: JSON.stringify({ place, item: "box", amount }),
      });
    const address = `/stock?place=eq.${place}&item=eq.box`;
    expect((await put(address, 1)).status).toBe(201);
    const again = await put(address, 2);
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual([{ place, item: "box", amount: 2 }]);
    expect(await (await put(`/stock?place=eq.${place}`, 3)).json()).toMatchObject({
      code: "PGRST105",
    });
    const other = await put(`/stock?place=eq.elsewhere&item=eq.box`, 3);
    expect(await other.json()).toMatchObject({ code: "PGRST115" });
    expect(await (await put(`${address}&limit=1`, 3)).json()).toMatchObject({ code: "PGRST114" });
  });
});

describe("update and delete", () => {
  it("update the rows that match the filter and return them", async () => {
    const [a, b] = [uniqueName("nail"), uniqueName("nail")];
    await tools().insert([{ name: a }, { name: b }]);
    expect(await tools().update({ quantity: 3 }).eq("name", a)).toMatchObject({
      status: 204,
      data: null,
    });
    const { data, count, status } = await tools()
      .update({ quantity: 5 }, { count: "exact" })
      .in("name", [a, b])
      .gt("quantity", 2)
      .select("name, quantity, weight");
    expect({ data, count, status }).toEqual({
      data: [{ name: a, quantity: 5, weight: 10 }],
      count: 1,
      status: 200,
    });
    expect((await tools().update({}).eq("name", a).select()).data).toEqual([]);
  });

  it("delete the rows that match the filter and return them", async () => {
    const [a, b] = [uniqueName("pin"), uniqueName("pin")];
    await tools().insert([
      { name: a, publisher_id: 2 },
      { name: b, publisher_id: null },
    ]);
    const { data } = await tools().delete().eq("name", a).select("name, ...publishers(house:name)");
    expect(data).toEqual([{ name: a, house: "Night Owl" }]);
    const rest = await tools().delete({ count: "exact" }).in("name", [a, b]);
    expect(rest).toMatchObject({ status: 204, count: 1, data: null });
  });

  it("are refused without a filter", async () => {
    const update = await tools().update({ note: "all" });
    expect(update).toMatchObject({ status: 400, error: { code: "21000" } });
    const remove = await tools().delete();
    expect(remove.error?.message).toBe("DELETE requires a WHERE clause");
  });

  it("are rolled back when one row is expected and several match", async () => {
    const note = uniqueName("pair");
    await tools().insert([
      { name: uniqueName("p"), note },
      { name: uniqueName("p"), note },
    ]);
    const { error } = await tools().update({ quantity: 0 }).eq("note", note).select().single();
    expect(error?.code).toBe("PGRST116");
    const { data } = await tools().select("quantity").eq("note", note);
    expect(data).toEqual([{ quantity: 1 }, { quantity: 1 }]);
  });

  it("are rolled back when more rows match than max-affected allows", async () => {
    const note = uniqueName("many");
    await tools().insert([
      { name: uniqueName("m"), note },
      { name: uniqueName("m"), note },
    ]);
    const refused = await modernClient().from("tools").delete().eq("note", note).maxAffected(1);
    expect(refused).toMatchObject({
      status: 400,
      error: { code: "PGRST124", details: "The query affects 2 rows" },
    });
    const allowed = modernClient().from("tools").delete({ count: "exact" }).eq("note", note);
    expect((await allowed.maxAffected(2)).count).toBe(2);
  });

  it("filter by JSON paths and logic groups like reads", async () => {
    const name = uniqueName("tree");
    await tools().insert({ name });
    const { count } = await tools()
      .update({ note: "done" }, { count: "exact" })
      .or(`name.eq.${name},name.eq.none`);
    expect(count).toBe(1);
  });
});

describe("errors in a body", () => {
  const post = async (body: string, path = "/tools", type = "application/json") =>
    await rawRequest(path, { method: "POST", headers: { "content-type": type }, body });

  it.each([
    ["not JSON", "{", 400, "PGRST102"],
    ["nothing", "", 400, "PGRST102"],
    ["rows that differ", '[{"name":"a"},{"note":"b"}]', 400, "PGRST102"],
    ["an unknown column", '{"nope":1}', 400, "PGRST204"],
    ["a value of the wrong type", '{"name":"x","quantity":"many"}', 400, "22P02"],
    ["a missing value", '{"name":null}', 400, "23502"],
    ["a check that fails", '{"name":"x","quantity":-1}', 400, "23514"],
    ["a generated column", '{"name":"x","weight":1}', 400, "428C9"],
    ["a partner that is not there", '{"name":"unheard","publisher_id":99}', 409, "23503"],
    ["a zero character", '{"name":"a\\u0000b"}', 400, "22P05"],
  ])("%s", async (_name, body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it("a row that exists already", async () => {
    const name = uniqueName("once");
    await tools().insert({ name });
    const { status, error } = await tools().insert({ name });
    expect(status).toBe(409);
    expect(error).toMatchObject({ code: "23505", details: `Key (name)=(${name}) already exists.` });
  });

  it("an unknown content type, and a body that is too large", async () => {
    expect(await (await post("x", "/tools", "text/plain")).json()).toMatchObject({
      code: "PGRST102",
    });
    const large = await post(JSON.stringify({ name: "x".repeat(1_100_000) }));
    expect(large.status).toBe(413);
    const streamed = await rawRequest("/tools", {
      method: "POST",
      headers: json,
      body: new Blob(["x".repeat(1_100_000)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(streamed.status).toBe(413);
  });
});
