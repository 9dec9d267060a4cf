import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RestError } from "../errors.ts";
import { parsePayload } from "./body.ts";
import { csvToRows } from "./csv.ts";
import { negotiateFormat } from "./response-format.ts";
import { parsePreferences } from "./prefer.ts";
import { readTarget } from "./read-request.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("CSV", () => {
  it("reads quotes, both kinds of line ends and NULL", () => {
    expect(csvToRows('a,b\r\n"x, ""y""\nz",NULL\n,2')).toEqual([
      { a: 'x, "y"\nz', b: null },
      { a: "", b: "2" },
    ]);
  });

  it("reads back what was written", () => {
    const cell = fc.string().filter((text) => text !== "NULL");
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = ["a,b", ...rows.map((row) => row.map(quote).join(","))].join("\n");
        expect(csvToRows(text)).toEqual(rows.map(([a, b]) => ({ a, b })));
      }),
    );
  });

  it.each([
    ["", "Empty CSV body"],
    ['a\n"x', "A quoted CSV field does not end"],
    ['a\n"x"y', "A quoted CSV field is followed by text"],
    ['a\n5" pipe', "A CSV field with a quote in it must be quoted"],
    ["a,b\n1", "All lines must have same number of fields"],
    ["a\n1\n\n2,3", "All lines must have same number of fields"],
    ["\n".repeat(1024 ** 2), "The body holds more than 10000 rows"],
    [",".repeat(1024 ** 2), "The body holds more than 2000 fields"],
    [`a\n"${'""'.repeat(500_000)}`, "A quoted CSV field does not end"],
  ])("refuses a body (%#)", (text, message) => {
    expect(() => csvToRows(text)).toThrow(new RestError(400, "PGRST102", message));
  });

  it("takes the names of object properties for columns", () => {
    const [row] = csvToRows("__proto__,constructor\r1,2");
    expect(Object.entries(row ?? {})).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]);
  });
});

describe("bodies", () => {
  it("are read as one row or many, with their columns", () => {
    expect(parsePayload(bytes('{"a":1}'), null, undefined, false)).toMatchObject({
      keys: ["a"],
      single: true,
    });
    expect(parsePayload(bytes('[{"a":1},{"a":2}]'), null, undefined, false)).toMatchObject({
      keys: ["a"],
      single: false,
    });
    expect(parsePayload(bytes('[{"a":1},{"b":2}]'), null, ["a", "b"], false)).toMatchObject({
      keys: ["a", "b"],
    });
  });

  it("pass bytes to a function unchanged", () => {
    const payload = parsePayload(
      new Uint8Array([0, 255]),
      "application/octet-stream",
      undefined,
      true,
    );
    expect(payload).toEqual({ kind: "raw", type: "bytea", value: "\\x00ff" });
  });

  it.each([
    ['[{"a":1},{"b":2}]', "application/json"],
    ["[1]", "application/json"],
    ["x", "text/plain"],
  ])("%s as %s is refused for a table", (text, type) => {
    expect(() => parsePayload(bytes(text), type, undefined, false)).toThrow(RestError);
  });

  it("must be UTF-8", () => {
    expect(() => parsePayload(new Uint8Array([0xff]), null, undefined, false)).toThrow(RestError);
  });
});

describe("headers", () => {
  it("the first of two equal preferences counts, unknown ones are listed separately", () => {
    expect(
      parsePreferences("count=exact, count=planned,return=minimal , foo, max-affected=3"),
    ).toEqual({
      count: "exact",
      return: "minimal",
      maxAffected: 3,
      unknown: ["foo"],
    });
  });

  it("the media type with the highest quality wins, then the first", () => {
    expect(negotiateFormat("text/html;q=0.9, text/csv;q=0.5, application/json;q=0.4").shape).toBe(
      "csv",
    );
    expect(negotiateFormat("application/json, text/csv").shape).toBe("array");
    expect(negotiateFormat(null).shape).toBe("array");
    expect(() => negotiateFormat("text/csv;q=0")).toThrow(RestError);
    // A comma or semicolon in a quoted parameter does not begin another type or parameter.
    expect(negotiateFormat('image/png;note="a, text/csv;q=1", application/json').shape).toBe(
      "array",
    );
    expect(negotiateFormat("Application/vnd.PGRST.object+json; Nulls=stripped").shape).toBe(
      "object",
    );
  });

  it.each([",;,", ";q=1", 'a/b;x="', "a/b,".repeat(4000), `a/b${';x="\\"'.repeat(2000)}`])(
    "a malformed Accept header is refused in a moment",
    (accept) => {
      expect(() => negotiateFormat(accept)).toThrow(RestError);
    },
  );

  it("a parameter leaves nulls in unless it says otherwise", () => {
    const object = "application/vnd.pgrst.object+json";
    expect(negotiateFormat(`${object}; nulls=stripped`).stripNulls).toBe(true);
    expect(negotiateFormat(`${object}; charset=utf-8`).stripNulls).toBe(false);
  });
});

describe("paths", () => {
  it.each([
    ["/books", "GET", { kind: "table", name: "books", action: "read" }],
    ["/a%20b%2Fc", "PATCH", { kind: "table", name: "a b/c", action: "update" }],
    ["/rpc/run", "POST", { kind: "function", name: "run", action: "post" }],
    ["/rpc/run", "HEAD", { kind: "function", name: "run", action: "get" }],
  ])("%s %s", (path, method, target) => {
    expect(readTarget(path, method)).toEqual(target);
  });

  it.each([
    ["/", "GET", 404],
    ["/a/b", "GET", 404],
    ["/rpc/a/b", "GET", 404],
    ["/rpc/a", "DELETE", 405],
    ["/a", "TRACE", 405],
  ])("%s %s is refused with %i", (path, method, status) => {
    expect(() => readTarget(path, method)).toThrow(expect.objectContaining({ status }));
  });
});
