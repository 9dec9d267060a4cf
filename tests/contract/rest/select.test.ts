import { beforeAll, describe, expect, it } from "vitest";
import { anonymous } from "../../support/clients.ts";
import { createUserWithClaims, rawRequest, uniqueName, type SignedInUser } from "./callers.ts";

const books = () => anonymous().from("books");

describe("columns", () => {
  it("returns rows exactly as Postgres writes them to JSON", async () => {
    const { data, error } = await books().select().eq("id", 1).single();
    expect(error).toBeNull();
    expect(data).toEqual({
      id: 1,
      title: "The Quiet Sea",
      publisher_id: 1,
      sequel_to: null,
      published: "1999-01-01",
      price: 12.5,
      pages: 320,
      tags: ["sea", "calm"],
      details: { format: { size: "A5", weight: 300 }, awards: ["gold", "silver"] },
      lendable: "[1,10)",
      state: "new",
      added_at: "2026-01-02T03:04:05.678+00:00",
      title_search: "'quiet':2 'sea':3",
    });
  });

  it("keeps the digits of a number", async () => {
    const response = await rawRequest("/books?select=price&id=eq.1");
    expect(await response.text()).toBe('[{"price":12.50}]');
  });

  it("renames, casts and reads JSON paths", async () => {
    const { data } = await books()
      .select(
        "name:title, price::text, details->format->>size, first:details->awards->0, details->awards->>-1, weight:details->format->weight::int",
      )
      .eq("id", 1);
    expect(data).toEqual([
      {
        name: "The Quiet Sea",
        price: "12.50",
        size: "A5",
        first: "gold",
        awards: "silver",
        weight: 300,
      },
    ]);
  });

  it("selects computed columns", async () => {
    const { data } = await books().select("id, shout").eq("shout", "ORPHAN");
    expect(data).toEqual([{ id: 5, shout: "ORPHAN" }]);
  });

  it("strips nulls on request", async () => {
    const { data } = await books().select("id, publisher_id, price").eq("id", 5).stripNulls();
    expect(data).toEqual([{ id: 5, price: 0 }]);
  });

  it("writes CSV", async () => {
    const { data } = await books().select("id, title, price").order("id").csv();
    expect(data?.split("\n")).toEqual([
      "id,title,price",
      '1,"The Quiet Sea",12.50',
      '2,"The Loud Sea",14.00',
      '3,"Night Birds",9.99',
      '4,"Maps, ""Quoted""",',
      "5,Orphan,0.00",
    ]);
  });
});

describe("filters", () => {
  let reader: SignedInUser;
  beforeAll(async () => {
    reader = await createUserWithClaims();
  });
  const ids = () => reader.client.from("books").select("id").order("id");
  type Ids = ReturnType<typeof ids>;
  const cases: [string, (query: Ids) => Ids, number[]][] = [
    ["eq", (q) => q.eq("id", 2), [2]],
    ["neq", (q) => q.neq("id", 2), [1, 3, 4, 5]],
    ["gt and lte", (q) => q.gt("id", 1).lte("id", 3), [2, 3]],
    ["gte and lt", (q) => q.gte("id", 1).lt("id", 3), [1, 2]],
    ["like", (q) => q.like("title", "%Sea"), [1, 2]],
    ["ilike", (q) => q.ilike("title", "the%"), [1, 2]],
    ["likeAllOf", (q) => q.likeAllOf("title", ["The%", "%Sea"]), [1, 2]],
    ["likeAnyOf", (q) => q.likeAnyOf("title", ["Night%", "Orp%"]), [3, 5]],
    ["ilikeAnyOf", (q) => q.ilikeAnyOf("title", ["night%", "orp%"]), [3, 5]],
    ["match", (q) => q.filter("title", "match", "^The"), [1, 2]],
    ["imatch", (q) => q.filter("title", "imatch", "^the"), [1, 2]],
    ["eq any", (q) => q.filter("id", "eq(any)", "{1,4}"), [1, 4]],
    ["gt all", (q) => q.filter("id", "gt(all)", "{2,3}"), [4, 5]],
    ["is null", (q) => q.is("publisher_id", null), [5]],
    ["is not null", (q) => q.not("publisher_id", "is", null), [1, 2, 3, 4]],
    ["is distinct", (q) => q.filter("publisher_id", "isdistinct", "1"), [3, 4, 5]],
    ["in", (q) => q.in("id", [1, 3, 99]), [1, 3]],
    [
      "in with commas and quotes",
      (q) => q.filter("title", "in", '("Maps, \\"Quoted\\"",Orphan)'),
      [4, 5],
    ],
    ["in nothing", (q) => q.in("id", []), []],
    ["not in", (q) => q.not("id", "in", "(1,2,3)"), [4, 5]],
    ["contains an array", (q) => q.contains("tags", ["sea", "calm"]), [1]],
    ["contains JSON", (q) => q.contains("details", { format: { size: "A4" } }), [2]],
    ["contained by", (q) => q.containedBy("tags", ["calm", "birds", "night"]), [3, 4, 5]],
    ["overlaps", (q) => q.overlaps("tags", ["birds", "calm"]), [1, 3, 5]],
    ["range contains", (q) => q.contains("lendable", "[16,18)"), [2, 4]],
    ["range left of", (q) => q.rangeLt("lendable", "[12,30)"), [1]],
    ["range right of", (q) => q.rangeGt("lendable", "[1,12)"), [4]],
    ["range not left", (q) => q.rangeGte("lendable", "[5,6)"), [2, 4]],
    ["range not right", (q) => q.rangeLte("lendable", "[1,20)"), [1, 2]],
    ["range adjacent", (q) => q.rangeAdjacent("lendable", "[20,25)"), [2]],
    ["full text on text", (q) => q.textSearch("title", "sea & quiet"), [1]],
    ["full text on tsvector", (q) => q.textSearch("title_search", "birds | orphan"), [3, 5]],
    [
      "plain",
      (q) => q.textSearch("title", "the sea", { type: "plain", config: "english" }),
      [1, 2],
    ],
    ["phrase", (q) => q.textSearch("title", "loud sea", { type: "phrase" }), [2]],
    ["websearch", (q) => q.textSearch("title", "sea -loud", { type: "websearch" }), [1]],
    ["or", (q) => q.or("id.eq.1,title.eq.Orphan"), [1, 5]],
    [
      "nested and, not",
      (q) => q.or("id.eq.5,and(pages.gt.300,id.not.eq.2),not.or(id.neq.5,id.eq.5)"),
      [1, 5],
    ],
    ["or with quotes", (q) => q.or('title.eq."Maps, \\"Quoted\\"",id.in.(1,2)'), [1, 2, 4]],
    ["or with an array", (q) => q.or("tags.cs.{birds},tags.eq.{}"), [3, 4]],
    ["enum", (q) => q.eq("state", "lost"), [3, 5]],
    ["json text", (q) => q.eq("details->format->>size", "A5"), [1]],
    ["json number", (q) => q.gt("details->format->weight", 200), [1]],
    ["match object", (q) => q.match({ state: "lost", pages: 100 }), [5]],
    ["date", (q) => q.gte("published", "2010-01-01"), [3, 5]],
  ];

  it.each(cases)("%s", async (_name, ask, expected) => {
    const { data, error } = await ask(ids());
    expect(error).toBeNull();
    expect(data?.map(({ id }) => id as number)).toEqual(expected);
  });

  it("find any letters, in whatever case", async () => {
    const tools = anonymous().from("tools");
    const mark = uniqueName("letters");
    const made = await tools.insert([
      { name: `${mark}-1`, note: "Ünïcode" },
      { name: `${mark}-2`, note: "ÉCOLE" },
    ]);
    expect(made.error).toBeNull();
    const found = () => tools.select("note").like("name", `${mark}-%`);
    expect((await found().ilike("note", "ünïcode%")).data).toEqual([{ note: "Ünïcode" }]);
    expect((await found().textSearch("note", "école", { config: "simple" })).data).toEqual([
      { note: "ÉCOLE" },
    ]);
    expect((await found().ilike("note", "unicode%")).data).toEqual([]);
  });

  it("negates a whole logic group", async () => {
    const response = await rawRequest("/books?select=id&order=id&not.or=(id.lt.3,id.eq.5)");
    expect(await response.json()).toEqual([{ id: 3 }, { id: 4 }]);
  });
});

describe("order and range", () => {
  const ids = (data: { id: number }[] | null) => data?.map(({ id }) => id);

  it("orders by several columns, with nulls first or last", async () => {
    const { data } = await books()
      .select("id")
      .order("publisher_id", { ascending: false, nullsFirst: false })
      .order("id", { ascending: false });
    expect(ids(data)).toEqual([4, 3, 2, 1, 5]);
    const first = await books().select("id").order("price", { nullsFirst: true }).limit(2);
    expect(ids(first.data)).toEqual([4, 5]);
  });

  it("orders by JSON", async () => {
    const { data } = await books()
      .select("id")
      .order("details->format->>size", { nullsFirst: false })
      .limit(2);
    expect(ids(data)).toEqual([2, 1]);
  });

  it("limits and pages", async () => {
    expect(ids((await books().select("id").order("id").limit(2)).data)).toEqual([1, 2]);
    expect(ids((await books().select("id").order("id").range(3, 9)).data)).toEqual([4, 5]);
    expect(ids((await books().select("id").limit(0)).data)).toEqual([]);
  });

  it("reads the Range header", async () => {
    const response = await rawRequest("/books?select=id&order=id", {
      headers: { range: "1-2", "range-unit": "items" },
    });
    expect(await response.json()).toEqual([{ id: 2 }, { id: 3 }]);
    expect(response.headers.get("content-range")).toBe("1-2/*");
    const backwards = await rawRequest("/books", { headers: { range: "5-1" } });
    expect(backwards.status).toBe(416);
    expect(await backwards.json()).toMatchObject({ code: "PGRST103" });
  });

  it.each([
    ["exact", 5],
    ["estimated", 5],
  ] as const)("counts %s", async (count, expected) => {
    const all = await books().select("id", { count });
    expect(all).toMatchObject({ count: expected, status: 200 });
    const page = await books().select("id", { count }).order("id").range(1, 2);
    expect(page).toMatchObject({ count: expected, status: 206 });
    const head = await books().select("*", { count, head: true }).eq("state", "lost");
    expect(head).toMatchObject({ count: 2, data: null, status: 200 });
  });

  it("takes a planned count from the planner", async () => {
    const { count, error } = await books().select("id", { count: "planned" });
    expect(error).toBeNull();
    expect(count).toBeGreaterThan(0);
  });

  it("refuses a page beyond a known end", async () => {
    const beyond = await books().select("id", { count: "exact" }).range(50, 60);
    expect(beyond.status).toBe(416);
    expect(beyond.error).toMatchObject({
      code: "PGRST103",
      details: "An offset of 50 was requested, but there are only 5 rows.",
    });
    const unknown = await books().select("id").range(50, 60);
    expect(unknown).toMatchObject({ status: 200, data: [] });
  });
});

describe("one row", () => {
  it("is returned as an object", async () => {
    const { data } = await books().select("id").eq("id", 3).single();
    expect(data).toEqual({ id: 3 });
  });

  it.each([
    ["no", 99, 0],
    ["several", 0, 5],
  ])("refuses %s rows", async (_name, id, rows) => {
    const query = books().select("id");
    const { error, status } = await (id === 0 ? query : query.eq("id", id)).single();
    expect(status).toBe(406);
    expect(error).toMatchObject({
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: `The result contains ${rows} rows`,
    });
  });

  it("may be missing with maybeSingle", async () => {
    expect((await books().select("id").eq("id", 99).maybeSingle()).data).toBeNull();
    expect((await books().select("id").eq("id", 1).maybeSingle()).data).toEqual({ id: 1 });
  });
});

describe("views", () => {
  it("are read like tables", async () => {
    const { data } = await anonymous().from("lost_titles").select().order("book_id");
    expect(data).toEqual([
      { book_id: 3, title: "Night Birds" },
      { book_id: 5, title: "Orphan" },
    ]);
  });
});
