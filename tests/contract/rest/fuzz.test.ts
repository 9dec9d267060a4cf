import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type pg from "pg";
import { ownerPool } from "../../support/clients.ts";
import { createUserWithClaims, rawRequest, uniqueName } from "./callers.ts";

let owner: pg.Pool;
beforeAll(() => {
  owner = ownerPool();
});
afterAll(async () => {
  await owner.end();
});

const runCount = 150;

const words =
  "id title * publishers authors details tags lendable shout nope eq in is not and or null cs fts like any select order limit offset count() desc asc nullslast inner 5 -1 text int";
const marks = `. , ( ) () ! : :: -> ->> " \\ { } ' ; -- = & %00 %27 ... /* $1 + %20 %F0%9F%90%9F %ff`;
const word = fc.constantFrom(...words.split(" "));
const mark = fc.constantFrom(...marks.split(" "));
const soup = fc
  .array(fc.oneof({ weight: 3, arbitrary: word }, { weight: 3, arbitrary: mark }, fc.string()), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("select", "order", "or", "and", "limit", "offset") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("id", "title", "details", "publishers.name", "on_conflict"),
  },
  soup,
);
const query = fc
  .array(fc.tuple(key, soup), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"))
  // The client does not send an invalid URL.
  .map((text) => text.replaceAll("#", "%23"));

const target = fc.constantFrom(
  "/books",
  "/publishers",
  "/lost_books",
  "/rpc/find_books",
  "/rpc/tag_names",
  "/vault",
);

describe("random requests", () => {
  it("a random query never fails the server", async () => {
    await fc.assert(
      fc.asyncProperty(
        target,
        query,
        fc.constantFrom("GET", "HEAD"),
        async (path, text, method) => {
          const response = await rawRequest(`${path}?${text}`, { method });
          expect(response.status, `${method} ${path}?${text}`).toBeLessThan(500);
        },
      ),
      { numRuns: runCount * 2 },
    );
  });

  it("random headers never fail the server", async () => {
    const preference = fc
      .array(
        fc.constantFrom(
          "count=exact",
          "count=planned",
          "handling=strict",
          "timezone=UTC",
          "timezone=x'y",
          "max-affected=1",
          "return=representation",
          "resolution=merge-duplicates",
          "a=b",
          ",",
        ),
      )
      .map((parts) => parts.join(", "));
    const accept = fc.constantFrom(
      "*/*",
      "text/csv",
      "application/vnd.pgrst.object+json",
      "a/b;q=x",
      ";;",
      "",
    );
    const range = fc.constantFrom("0-1", "5-", "-5", "9-1", "a-b", "0-99999999999999999999");
    await fc.assert(
      fc.asyncProperty(preference, accept, range, async (prefer, type, span) => {
        const response = await rawRequest("/books?order=id", {
          headers: { prefer, accept: type, range: span },
        });
        expect(response.status, `${prefer} | ${type} | ${span}`).toBeLessThan(500);
      }),
      { numRuns: runCount },
    );
  });
});

describe("random bodies", () => {
  const name = fc.oneof(fc.constantFrom("id", "owner", "entry", "shared"), fc.string());
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("2026-01-01", "{}", "[]", "'; drop table diaries; --", "\\x", "a\u0000b"),
  );
  const row = fc.dictionary(name, value, { maxKeys: 4 });
  const body = fc.oneof(
    { weight: 4, arbitrary: row.map((one) => JSON.stringify(one)) },
    { weight: 2, arbitrary: fc.array(row, { maxLength: 3 }).map((rows) => JSON.stringify(rows)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
  const type = fc.constantFrom(
    "application/json",
    "application/json",
    "text/csv",
    "application/x-www-form-urlencoded",
    "text/plain",
    "nonsense",
  );
  const prefer = fc.constantFrom(
    "return=representation",
    "resolution=merge-duplicates",
    "missing=default,return=representation",
    "resolution=ignore-duplicates",
    "return=headers-only",
    "",
  );
  const filter = fc.oneof(
    fc.constantFrom(
      "entry=neq.x",
      "or=(shared.is.true,shared.is.false)",
      "id=not.is.null",
      "on_conflict=id",
      "columns=entry,owner",
    ),
    query,
  );

  it("a random mutation never fails the server and never changes rows of others", async () => {
    const [victim, attacker] = [await createUserWithClaims(), await createUserWithClaims()];
    const entry = uniqueName("kept");
    await victim.client.from("diaries").insert([
      { entry, shared: false },
      { entry, shared: true },
    ]);
    const snapshot = async () =>
      (await owner.query("select * from diaries where owner = $1 order by id", [victim.id])).rows;
    const before = await snapshot();
    expect(before).toHaveLength(2);
    const method = fc.constantFrom("POST", "PATCH", "PUT", "DELETE");
    await fc.assert(
      fc.asyncProperty(method, filter, body, type, prefer, async (verb, text, sent, kind, wish) => {
        const response = await rawRequest(`/diaries?${text}`, {
          method: verb,
          headers: {
            authorization: `Bearer ${attacker.token}`,
            "content-type": kind,
            prefer: wish,
          },
          ...(verb !== "DELETE" && { body: sent }),
        });
        const request = `${verb} ?${text} ${kind} ${wish} ${sent}`;
        expect(response.status, request).toBeLessThan(500);
      }),
      { numRuns: runCount * 2 },
    );
    expect(await snapshot()).toEqual(before);
  });

  it("a random call never fails the server", async () => {
    const fn = fc.constantFrom(
      "add_numbers",
      "find_books",
      "echo",
      "shape",
      "add_all",
      "describe",
      "nope",
    );
    await fc.assert(
      fc.asyncProperty(fn, body, type, query, async (called, sent, kind, text) => {
        const response = await rawRequest(`/rpc/${called}?${text}`, {
          method: "POST",
          headers: { "content-type": kind },
          body: sent,
        });
        expect(response.status, `${called}?${text} ${kind} ${sent}`).toBeLessThan(500);
      }),
      { numRuns: runCount },
    );
  });
});
