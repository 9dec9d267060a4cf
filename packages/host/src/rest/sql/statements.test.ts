import { describe, expect, it } from "vitest";
import { parseQuery } from "../parse/query-string.ts";
import { sourceOf } from "../plan/read-node.ts";
import { buildReadTree } from "../plan/read-tree.ts";
import type { Relation, Relationship, SchemaCache } from "../schema-cache/model.ts";
import { readStatements } from "./statements.ts";

function table(oid: number, name: string, columns: readonly string[]): Relation {
  const type = { type: "text", baseType: "text", default: null };
  return {
    oid,
    schema: "public",
    name,
    isView: false,
    rowSecurity: false,
    columns: new Map(columns.map((column) => [column, { name: column, ...type }])),
    primaryKey: ["id"],
    insertable: true,
    updatable: true,
    deletable: true,
    computed: new Map(),
  };
}

const publishers = table(1, "publishers", ["id", "name"]);
const books = table(2, "books", ["id", "title", "publisher_id"]);
const publishedBooks: Relationship = {
  from: publishers,
  to: books,
  kind: "one-to-many",
  constraint: "books_publisher_id_fkey",
  columns: [["id", "publisher_id"]],
};
const schemaCache: SchemaCache = {
  fingerprint: "",
  relations: new Map(),
  relationships: new Map([[publishers, [publishedBooks]]]),
  routines: new Map(),
  types: new Map(),
  roles: new Map(),
  ignoredSettings: [],
  api: {
    aggregates: false,
    choosesEnd: false,
    rollsBack: false,
    maxRows: undefined,
    preRequest: undefined,
  },
};

/** Freezes an object and everything it holds, so that a write throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

function planOf(select: string) {
  const query = parseQuery(new URLSearchParams({ select }), false);
  const options = { schemaCache, schema: "public", maxRows: 1000, filtersRoot: true };
  return buildReadTree(sourceOf(publishers), query, options);
}

describe("SQL of a read plan", () => {
  it.each([
    "name,...books(*)",
    "name,...books(*,again:title)",
    "*,books(*)",
    "name,...books!inner(*)",
  ])("is written for %s without changing the plan", (select) => {
    const node = deepFreeze(planOf(select));
    const read = {
      node,
      count: "exact" as const,
      maxRows: 1000,
      maxBytes: 1000,
      format: undefined,
    };
    const first = readStatements(schemaCache, read);
    expect(node).toEqual(planOf(select));
    expect(readStatements(schemaCache, read)).toEqual(first);
  });
});
