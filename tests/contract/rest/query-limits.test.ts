import { beforeAll, describe, expect, it } from "vitest";
import { createUserWithClaims, rawRequest, type SignedInUser } from "./callers.ts";

let reader: SignedInUser;
beforeAll(async () => {
  reader = await createUserWithClaims();
});

async function ask(path: string, who?: SignedInUser, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  if (who !== undefined) headers.set("authorization", `Bearer ${who.token}`);
  const response = await rawRequest(path, { ...init, headers });
  const body = (await response.json()) as { code?: string; details?: string; message?: string };
  return { status: response.status, headers: response.headers, body };
}

const times = (count: number, make: (at: number) => string, separator = ",") =>
  Array.from({ length: count }, (_, at) => make(at)).join(separator);
const nested = (depth: number): string =>
  depth === 0 ? "id" : `id,books(publishers(${nested(depth - 1)}))`;

/** Requests with exactly the allowed number, and with one more. */
const limits: [string, (count: number) => string, number][] = [
  ["the same column", (n) => `/books?select=${times(n, (at) => `a${at}:title`)}`, 5],
  ["all columns", (n) => `/books?select=${times(n, () => "*")}`, 5],
  [
    "the same JSON value",
    (n) => `/books?select=${times(n, (at) => `a${at}:details->format->size`)}`,
    5,
  ],
  ["JSON values of a column", (n) => `/books?select=${times(n, (at) => `details->a${at}`)}`, 50],
  ["steps of a JSON path", (n) => `/books?select=details${times(n, (at) => `->a${at}`, "")}`, 30],
  ["embeds", (n) => `/books?select=${times(n, (at) => `a${at}:publishers(id)`)}`, 20],
  ["filters", (n) => `/books?or=(${times(n, (at) => `id.eq.${at}`)})`, 500],
  ["values of a list", (n) => `/books?id=in.(${times(n, () => "1")})`, 2000],
  ["order terms", (n) => `/books?order=${times(n, () => "id")}`, 32],
  ["parameters", (n) => `/books?${times(n, () => "id=gt.0", "&")}`, 400],
  ["names of columns", (n) => `/books?columns=${times(n, () => "id")}`, 400],
];

describe("a query", () => {
  it.each(limits)("may have at most the allowed number of %s", async (_name, path, most) => {
    expect((await ask(path(most))).status).toBe(200);
    const { status, body } = await ask(path(most + 1));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "PGRST100", message: "The request is too complex" });
    expect(body.details).toContain(`${most} `);
  });

  it("may nest embeds 5 deep", async () => {
    const depth = (levels: number) => `/publishers?select=${nested(levels)}`;
    expect((await ask(depth(2))).status).toBe(200);
    expect((await ask(depth(3))).body.code).toBe("PGRST100");
  });

  it("accepts numbers that no column can hold", async () => {
    const huge = "9".repeat(15);
    expect((await ask(`/books?select=id&limit=${huge}&order=id`)).body).toHaveLength(5);
    expect((await ask(`/books?select=id&offset=${huge}`)).body).toEqual([]);
    expect((await ask(`/books?select=id&limit=${"9".repeat(40)}`)).body).toHaveLength(5);
    const range = { headers: { range: `0-${huge}` } };
    expect((await ask("/books?select=id", undefined, range)).body).toHaveLength(5);
  });

  it("may carry 50 preferences", async () => {
    const prefer = (count: number) => ({ headers: { prefer: times(count, (at) => `a=${at}`) } });
    expect((await ask("/books?select=id", undefined, prefer(50))).status).toBe(200);
    const { status, body } = await ask("/books?select=id", undefined, prefer(51));
    expect([status, body.code]).toEqual([400, "PGRST122"]);
  });
});

describe("patterns", () => {
  const regexes = ["match", "imatch"].flatMap((operator) => [
    `/books?title=${operator}.sea`,
    `/books?title=not.${operator}.sea`,
    `/books?title=${operator}(any).{sea,bird}`,
    `/books?or=(id.eq.1,and(id.eq.2,title.${operator}.sea))`,
    `/publishers?select=id,books(id)&books.title=${operator}.sea`,
    `/rpc/find_books?term=a&title=${operator}.sea`,
  ]);

  it.each(regexes)("%s needs a signed-in user", async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, body.code]).toEqual([401, "HR002"]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect((await ask(path, reader)).status).toBe(200);
  });

  it.each(["like.", "ilike.", "like(any).", "fts.", "plfts(english)."])(
    "of %s are shorter for anonymous callers than for signed-in users",
    async (operator) => {
      const path = (length: number) => `/books?select=id&title=${operator}${"a".repeat(length)}`;
      const status = async (length: number, who?: SignedInUser) =>
        (await ask(path(length), who)).status;
      const expected = operator.includes("(any)") ? 400 : 200;
      expect(await status(100)).toBe(expected);
      expect((await ask(path(101))).body.code).toBe("HR002");
      expect(await status(500, reader)).toBe(expected);
      expect((await ask(path(501), reader)).body.code).toBe("PGRST100");
    },
  );

  it.each([
    ["a".repeat(200), "a".repeat(201)],
    ["(a{1,10}){1,100}", "(a{1,10}){1,101}"],
    ["a{1000}", "a{1001}"],
  ])("%s is within the limit of regular expressions", async (allowed, refused) => {
    const path = (pattern: string) => `/books?select=id&title=match.${encodeURIComponent(pattern)}`;
    const most = await ask(path(allowed), reader);
    // Postgres itself allows 255 repetitions.
    if (most.status !== 200) expect(most.body.code).toBe("2201B");
    const { status, body } = await ask(path(refused), reader);
    expect([status, body.code]).toEqual([400, "PGRST100"]);
  });

  it("that Postgres cannot parse are client errors", async () => {
    const { status, body } = await ask("/books?title=match.(", reader);
    expect([status, body.code]).toEqual([400, "2201B"]);
  });
});

describe("a body", () => {
  const post = async (path: string, body: string, type = "application/json") =>
    await ask(path, reader, { method: "POST", body, headers: { "content-type": type } });
  const deep = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;

  it("may nest 100 deep", async () => {
    expect((await post("/rpc/echo", deep(100))).status).toBe(200);
    const { status, body } = await post("/rpc/echo", deep(101));
    expect([status, body.code]).toEqual([400, "PGRST102"]);
    expect((await post("/rpc/echo", deep(400_000))).body.code).toBe("PGRST102");
    expect((await post("/rpc/echo", `["${"[".repeat(200)}\\"["]`)).status).toBe(200);
  });

  it("may not have a number that Postgres would write out in thousands of digits", async () => {
    for (const number of ["1e309", "1E+131071", "1.5e-400", '{"a":[-2e99999]}']) {
      const { status, body } = await post("/rpc/echo", number);
      expect([status, body.code]).toEqual([400, "PGRST102"]);
    }
    for (const fine of ["1e308", "1e-300", '"1e9999"', '{"1e9999":true}']) {
      expect((await post("/rpc/echo", fine)).status).toBe(200);
    }
  });

  it.each([
    ["application/json", (rows: number) => `[${times(rows, () => '{"nope":1}')}]`],
    ["text/csv", (rows: number) => `nope\n${times(rows, () => "1", "\n")}`],
  ] as const)("of %s may hold 10,000 rows", async (type, make) => {
    expect((await post("/diaries", make(10_000), type)).body.code).toBe("PGRST204");
    const { body } = await post("/diaries", make(10_001), type);
    expect(body).toMatchObject({
      code: "PGRST102",
      message: "The body holds more than 10000 rows",
    });
  });

  it("of a form may hold 2,000 fields", async () => {
    const form = "application/x-www-form-urlencoded";
    const fields = (count: number) => times(count, () => "numbers=1", "&");
    expect((await post("/rpc/add_all", fields(2000), form)).body).toBe(2000);
    expect((await post("/rpc/add_all", fields(2001), form)).body.code).toBe("PGRST102");
  });
});
