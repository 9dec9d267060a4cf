import { expect, test } from "vitest";
import { DatabaseFilterQuota } from "./database-filter-quota.ts";

const limits = { databaseFilters: 3 };
const account = (name: string) => ({ name, isAnon: false, limits });
const anon = (name: string) => ({ name, isAnon: true, limits });

test("equal filters count once in total and each time for their caller, and anonymous clients have half of the limit", () => {
  const filters = new DatabaseFilterQuota(4);
  expect(filters.reserve(anon("s"), ["a", "b"])).toBe(true);
  expect(filters.reserve(anon("t"), ["c"])).toBe(false);
  // An equal filter costs nothing more.
  expect(filters.reserve(anon("t"), ["a"])).toBe(true);
  expect(filters.reserve(account("m"), ["c", "d"])).toBe(true);
  expect(filters.reserve(account("n"), ["e"])).toBe(false);
  expect(filters.reserve(account("m"), ["a", "b"])).toBe(false);
  filters.release(anon("s"), ["a", "b"]);
  // One of them is still in use.
  expect(filters.reserve(account("n"), ["e", "f"])).toBe(false);
  expect(filters.reserve(account("n"), ["e"])).toBe(true);
});
