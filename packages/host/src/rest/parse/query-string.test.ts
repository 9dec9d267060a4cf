import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RestError } from "../errors.ts";
import { parseOperation } from "./filters.ts";
import { parseOrder } from "./order.ts";
import { parseQuery } from "./query-string.ts";
import { parseSelect } from "./select.ts";

const query = (text: string, takesArgs = false) => parseQuery(new URLSearchParams(text), takesArgs);
const column = (name: string) => ({ kind: "field", field: { name, path: [] } });

describe("select", () => {
  it("reads columns, aliases, casts and paths", () => {
    expect(parseSelect(' id , n:name::text,data->a->>0, "odd, name",*')).toEqual([
      column("id"),
      { ...column("name"), alias: "n", cast: "text" },
      {
        kind: "field",
        field: {
          name: "data",
          path: [
            { key: "a", asText: false },
            { key: 0, asText: true },
          ],
        },
      },
      column("odd, name"),
      column("*"),
    ]);
  });

  it("reads names with dashes, spaces and letters of any script", () => {
    expect(parseSelect("first-name,last name,straße,data->a-b")).toMatchObject([
      { field: { name: "first-name" } },
      { field: { name: "last name" } },
      { field: { name: "straße" } },
      { field: { name: "data", path: [{ key: "a-b" }] } },
    ]);
  });

  it("reads embeds with alias, hint, join and spread", () => {
    expect(parseSelect("a:people!reader_id!inner(id,...shelf(*)),x!left!fk()")).toEqual([
      {
        kind: "embed",
        alias: "a",
        target: "people",
        hint: "reader_id",
        join: "inner",
        spread: false,
        items: [
          column("id"),
          { kind: "embed", target: "shelf", join: "left", spread: true, items: [column("*")] },
        ],
      },
      { kind: "embed", target: "x", hint: "fk", join: "left", spread: false, items: [] },
    ]);
  });

  it("reads aggregates", () => {
    expect(parseSelect("count(),total:price::int.sum()::text")).toEqual([
      { ...column("*"), aggregate: "count" },
      { ...column("price"), alias: "total", cast: "int", aggregate: "sum", aggregateCast: "text" },
    ]);
  });

  it.each(["a b)", "a,,b", "a->", "a:", "x(", "...x", "a::", "*x", '"open'])(
    "refuses %s",
    (text) => {
      expect(() => parseSelect(text)).toThrow(RestError);
    },
  );
});

describe("operations", () => {
  it.each([
    ["eq.a.b", { kind: "compare", operator: "=", value: "a.b", pattern: false }],
    [
      "like(any).{a*,b}",
      { kind: "compare", operator: "like", value: "{a*,b}", quantifier: "any", pattern: true },
    ],
    ['in.(1,"a,b","c\\"d")', { kind: "in", values: ["1", "a,b", 'c"d'] }],
    ["in.()", { kind: "in", values: [""] }],
    ["is.NULL", { kind: "is", what: "null" }],
    ["is.not_null", { kind: "is", what: "not null" }],
    [
      "wfts(english).a b",
      { kind: "search", operator: "websearch_to_tsquery", language: "english", value: "a b" },
    ],
    ["isdistinct.5", { kind: "distinct", value: "5" }],
    ["adj.[1,2)", { kind: "compare", operator: "-|-", value: "[1,2)", pattern: false }],
    ["eq.", { kind: "compare", operator: "=", value: "", pattern: false }],
    ["eq.line\nbreak", { kind: "compare", operator: "=", value: "line\nbreak", pattern: false }],
  ])("%s", (text, operation) => {
    expect(parseOperation(text)).toEqual({ negated: false, operation });
    expect(parseOperation(`not.${text}`)).toEqual({ negated: true, operation });
  });

  it.each([
    "",
    "eq",
    "5",
    "eqq.5",
    "not.not.eq.5",
    "in.1",
    "is.maybe",
    "constructor.x",
    "cs(any).x",
  ])("refuses %s", (text) => {
    expect(() => parseOperation(text)).toThrow(RestError);
  });
});

describe("orders", () => {
  it("reads direction, nulls, paths and embeds", () => {
    expect(parseOrder("a.desc.nullslast, b->>c.asc,d.nullsfirst,rel(e).desc")).toEqual([
      { field: { name: "a", path: [] }, direction: "desc", nulls: "last" },
      { field: { name: "b", path: [{ key: "c", asText: true }] }, direction: "asc" },
      { field: { name: "d", path: [] }, nulls: "first" },
      { embed: "rel", field: { name: "e", path: [] }, direction: "desc" },
    ]);
  });

  it.each(["a.up", "a.asc.desc", "a.nullslast.asc", "rel(a,b)", ""])("refuses %s", (text) => {
    expect(() => parseOrder(text)).toThrow(RestError);
  });
});

describe("query strings", () => {
  it("groups parameters by the embed they belong to", () => {
    const parsed = query(
      "a.b.x=eq.1&a.order=y&limit=3&a.offset=2&not.and=(p.eq.1,or(q.is.null,r.not.in.(1)))",
    );
    expect(parsed.conditions).toMatchObject([
      { path: ["a", "b"], condition: { field: { name: "x" } } },
      {
        path: [],
        condition: {
          negated: true,
          joint: "and",
          parts: [{ kind: "filter" }, { joint: "or", parts: [{}, { negated: true }] }],
        },
      },
    ]);
    expect(parsed.orders).toMatchObject([{ path: ["a"] }]);
    expect(parsed.ranges).toEqual([
      { path: [], range: { offset: 0, limit: 3 } },
      { path: ["a"], range: { offset: 2 } },
    ]);
  });

  it("reads parameters that are not filters as arguments, only for function calls", () => {
    expect(query("a=1&b=eq.2&c=odd.x", true)).toMatchObject({
      args: [
        ["a", "1"],
        ["c", "odd.x"],
      ],
      conditions: [{ condition: { field: { name: "b" } } }],
    });
    expect(() => query("a=1")).toThrow(RestError);
  });

  // Any characters, including control characters and other scripts.
  const text = fc
    .array(fc.nat({ max: 0x2fff }))
    .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(""));

  it("parses or refuses any text", () => {
    fc.assert(
      fc.property(text, text, (name, value) => {
        try {
          parseQuery(
            new URLSearchParams([
              [name, value],
              ["select", value],
            ]),
            false,
          );
        } catch (error) {
          if (!(error instanceof RestError)) throw error;
        }
      }),
    );
  });
});
