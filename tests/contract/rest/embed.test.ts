import { describe, expect, it } from "vitest";
import { anonymous } from "../../support/clients.ts";
import { rawRequest } from "./callers.ts";

const from = (table: string) => anonymous().from(table);

describe("embeds", () => {
  it("follows a foreign key to one row and back to many", async () => {
    const one = await from("books").select("id, publishers(name)").in("id", [1, 5]).order("id");
    expect(one.data).toEqual([
      { id: 1, publishers: { name: "Harbour Press" } },
      { id: 5, publishers: null },
    ]);
    const many = await from("publishers").select("name, books(id)").order("id");
    expect(many.data).toEqual([
      { name: "Harbour Press", books: [{ id: 1 }, { id: 2 }] },
      { name: "Night Owl", books: [{ id: 3 }, { id: 4 }] },
      { name: "Empty House", books: [] },
    ]);
  });

  it("counts embedded rows, filtered or not, without aggregate functions", async () => {
    const all = await from("publishers").select("name, books(count)").order("id");
    expect(all.data).toEqual([
      { name: "Harbour Press", books: [{ count: 2 }] },
      { name: "Night Owl", books: [{ count: 2 }] },
      { name: "Empty House", books: [{ count: 0 }] },
    ]);
    const some = await from("publishers")
      .select("name, found:books(count)")
      .gt("found.id", 3)
      .order("id");
    expect(some.data).toEqual([
      { name: "Harbour Press", found: [{ count: 0 }] },
      { name: "Night Owl", found: [{ count: 1 }] },
      { name: "Empty House", found: [{ count: 0 }] },
    ]);
  });

  it("does not count together with other columns", async () => {
    const { error, status } = await from("publishers").select("name, books(id, count)");
    expect([status, error?.code]).toEqual([400, "42803"]);
  });

  it("crosses a join table, and embeds the join table itself", async () => {
    const { data } = await from("books")
      .select("id, authors(name), book_authors(place, authors(name))")
      .eq("id", 2)
      .order("name", { referencedTable: "authors" })
      .order("place", { referencedTable: "book_authors" });
    expect(data).toEqual([
      {
        id: 2,
        authors: [{ name: "Ada Marsh" }, { name: "Bo Lind" }],
        book_authors: [
          { place: 1, authors: { name: "Ada Marsh" } },
          { place: 2, authors: { name: "Bo Lind" } },
        ],
      },
    ]);
  });

  it("returns an object for a one-to-one relationship from both sides", async () => {
    const { data } = await from("books").select("id, covers(colour)").in("id", [1, 3]).order("id");
    expect(data).toEqual([
      { id: 1, covers: { colour: "blue" } },
      { id: 3, covers: null },
    ]);
    const back = await from("covers").select("colour, books(title)").eq("book_id", 2);
    expect(back.data).toEqual([{ colour: "grey", books: { title: "The Loud Sea" } }]);
  });

  it("follows a self-reference in both directions", async () => {
    const { data } = await from("books")
      .select("title, sequel_to(title), sequels:books(title)")
      .in("id", [1, 2])
      .order("id");
    expect(data).toEqual([
      { title: "The Quiet Sea", sequel_to: null, sequels: [{ title: "The Loud Sea" }] },
      { title: "The Loud Sea", sequel_to: { title: "The Quiet Sea" }, sequels: [] },
    ]);
  });

  it("follows a key of two columns", async () => {
    const { data } = await from("copies").select("barcode, shelves(label)").order("id");
    expect(data).toEqual([
      { barcode: "a1", shelves: { label: "Sea" } },
      { barcode: "a2", shelves: { label: "Sea" } },
      { barcode: "b1", shelves: { label: null } },
      { barcode: "c1", shelves: null },
    ]);
  });

  it("needs a column or a constraint as a hint when several foreign keys match", async () => {
    const { data } = await from("loans")
      .select("id, reader:people!reader_id(name), clerk:people!loans_clerk_id_fkey(name)")
      .in("id", [1, 2])
      .order("id");
    expect(data).toEqual([
      { id: 1, reader: { name: "Rita" }, clerk: { name: "Carl" } },
      { id: 2, reader: { name: "Rita" }, clerk: null },
    ]);
    const back = await from("people").select("name, lent:loans!clerk_id(id)").order("id").limit(2);
    expect(back.data).toEqual([
      { name: "Rita", lent: [] },
      { name: "Carl", lent: [{ id: 1 }, { id: 3 }] },
    ]);
  });

  it("accepts a column or a constraint as the target", async () => {
    const { data } = await from("books")
      .select("house:publisher_id(name), again:books_publisher_id_fkey(name)")
      .eq("id", 1);
    expect(data).toEqual([{ house: { name: "Harbour Press" }, again: { name: "Harbour Press" } }]);
  });

  it("lists the relationships when several match", async () => {
    const { error, status } = await from("loans").select("people(name)");
    expect(status).toBe(300);
    expect(error).toMatchObject({
      code: "PGRST201",
      details: [
        {
          cardinality: "many-to-one",
          embedding: "loans with people",
          relationship: "loans_clerk_id_fkey using loans(clerk_id) and people(id)",
        },
        {
          cardinality: "many-to-one",
          embedding: "loans with people",
          relationship: "loans_reader_id_fkey using loans(reader_id) and people(id)",
        },
      ],
    });
  });

  it("refuses a table without a relationship", async () => {
    const { error, status } = await from("books").select("people(name)");
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: "PGRST200",
      message: "Could not find a relationship between 'books' and 'people' in the schema cache",
      hint: null,
    });
  });

  it("nests at most five deep", async () => {
    const deep = "copies(books(publishers(books(copies(barcode)))))";
    const { data, error } = await from("shelves").select(deep).eq("label", "Sea");
    expect(error).toBeNull();
    expect(JSON.stringify(data)).toContain('"barcode":"b1"');
    const deeper = await from("loans").select(
      `copies(${deep.replace("copies(", "shelves(copies(")})`,
    );
    expect(deeper.status).toBe(400);
    expect(deeper.error).toMatchObject({ code: "PGRST100" });
  });

  it("works from views and to views", async () => {
    const { data } = await from("lost_books").select("title, publishers(name)").order("book_id");
    expect(data).toEqual([
      { title: "Night Birds", publishers: { name: "Night Owl" } },
      { title: "Orphan", publishers: null },
    ]);
    const back = await from("publishers").select("name, lost_books(title)").eq("id", 2);
    expect(back.data).toEqual([{ name: "Night Owl", lost_books: [{ title: "Night Birds" }] }]);
    const twice = await from("lost_titles").select("title, copies(barcode)").eq("book_id", 3);
    expect(twice.data).toEqual([{ title: "Night Birds", copies: [{ barcode: "c1" }] }]);
  });

  it("follows computed relationships", async () => {
    const { data } = await from("authors").select("name, longest_book(title)").order("id");
    expect(data).toEqual([
      { name: "Ada Marsh", longest_book: { title: "The Loud Sea" } },
      { name: "Bo Lind", longest_book: { title: "The Loud Sea" } },
      { name: "Cleo Roy", longest_book: { title: 'Maps, "Quoted"' } },
    ]);
    const many = await from("publishers").select("thick:thick_books(id)").eq("id", 1);
    expect(many.data).toEqual([{ thick: [{ id: 1 }, { id: 2 }] }]);
  });
});

describe("embedded filters, order and limit", () => {
  it("filter the embed, not the parent", async () => {
    const { data } = await from("publishers")
      .select("name, books(id)")
      .eq("books.state", "lost")
      .order("id");
    expect(data).toEqual([
      { name: "Harbour Press", books: [] },
      { name: "Night Owl", books: [{ id: 3 }] },
      { name: "Empty House", books: [] },
    ]);
  });

  it("order and limit the embed", async () => {
    const { data } = await from("publishers")
      .select("last:books(id)")
      .order("id", { referencedTable: "last", ascending: false })
      .limit(1, { referencedTable: "last" })
      .eq("id", 1);
    expect(data).toEqual([{ last: [{ id: 2 }] }]);
  });

  it("combine with or inside an embed", async () => {
    const { data } = await from("publishers")
      .select("books(id)")
      .or("id.eq.1,state.eq.lost", { referencedTable: "books" })
      .in("id", [1, 2])
      .order("id");
    expect(data).toEqual([{ books: [{ id: 1 }] }, { books: [{ id: 3 }] }]);
  });

  it("restrict the parent and its count with !inner", async () => {
    const { data, count } = await from("publishers")
      .select("name, books!inner(id)", { count: "exact" })
      .eq("books.state", "lost");
    expect(data).toEqual([{ name: "Night Owl", books: [{ id: 3 }] }]);
    expect(count).toBe(1);
    const nested = await from("authors")
      .select("name, books!inner(publishers!inner(name))", { count: "exact" })
      .eq("books.publishers.name", "Night Owl")
      .order("id")
      .limit(1);
    expect(nested).toMatchObject({ count: 2, status: 206 });
    expect(nested.data).toEqual([
      { name: "Bo Lind", books: [{ publishers: { name: "Night Owl" } }] },
    ]);
  });

  it("keep or drop parents by whether the embed is empty", async () => {
    const without = await from("publishers")
      .select("name, books()", { count: "exact" })
      .is("books", null);
    expect(without).toMatchObject({ data: [{ name: "Empty House" }], count: 1 });
    const having = await from("publishers")
      .select("id, books()")
      .not("books", "is", null)
      .order("id");
    expect(having.data).toEqual([{ id: 1 }, { id: 2 }]);
    const either = await from("books")
      .select("id, covers(), publishers()")
      .or("covers.not.is.null,publishers.is.null")
      .order("id");
    expect(either.data).toEqual([{ id: 1 }, { id: 2 }, { id: 5 }]);
  });

  it("order the parent by a column of a to-one embed, selected or not", async () => {
    const shown = await from("books")
      .select("id, publishers(name)")
      .order("publishers(name)", { ascending: false, nullsFirst: false })
      .order("id");
    expect(shown.data?.map(({ id }) => id as number)).toEqual([3, 4, 1, 2, 5]);
    const hidden = await from("books")
      .select("id, house:publishers(id)")
      .order("house(name)", { nullsFirst: true })
      .order("id");
    expect(hidden.data?.map(({ id }) => id as number)).toEqual([5, 1, 2, 3, 4]);
    const { error } = await from("publishers").select("books(id)").order("books(id)");
    expect(error).toMatchObject({ code: "PGRST118" });
  });

  it("must name an embed of the request", async () => {
    const { error, status } = await from("books").select("id").eq("publishers.name", "x");
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: "PGRST108" });
    const bad = await from("books").select("id, publishers(name)").eq("publishers", "x");
    expect(bad.error).toMatchObject({ code: "PGRST120" });
  });
});

describe("spread embeds", () => {
  it("add the columns of a to-one embed to the parent", async () => {
    const { data } = await from("books")
      .select("id, ...publishers(house:name, ...books(titles:title))")
      .eq("id", 1);
    expect(data).toEqual([
      { id: 1, house: "Harbour Press", titles: ["The Quiet Sea", "The Loud Sea"] },
    ]);
    const all = await from("covers").select("...books(*)").eq("book_id", 1).single();
    expect(all.data).toMatchObject({ id: 1, title: "The Quiet Sea" });
  });

  it("collect the columns of a to-many embed into lists", async () => {
    const { data } = await from("publishers")
      .select("name, ...books(id, titles:title)")
      .order("title", { referencedTable: "books", ascending: false })
      .in("id", [1, 3])
      .order("id");
    expect(data).toEqual([
      { name: "Harbour Press", id: [1, 2], titles: ["The Quiet Sea", "The Loud Sea"] },
      { name: "Empty House", id: [], titles: [] },
    ]);
    const inner = await from("publishers").select("name, ...books!inner(id)").order("id");
    expect(inner.data).toHaveLength(2);
    const all = await from("publishers").select("...books(*)").eq("id", 1).single();
    expect(all.data).toMatchObject({ id: [1, 2], title: ["The Quiet Sea", "The Loud Sea"] });
    expect(all.data).not.toHaveProperty("__rows");
  });
});

describe("aggregates", () => {
  it("are off", async () => {
    const response = await rawRequest("/books?select=pages.sum()");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "PGRST123" });
  });
});
