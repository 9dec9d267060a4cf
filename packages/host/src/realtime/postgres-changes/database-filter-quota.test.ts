import { expect, test } from "vitest";
import { DatabaseFilterQuota } from "./database-filter-quota.ts";

const limits = { databaseFilters: 3 };
const member = (name: string) => ({ name, isAnon: false, limits });
const stranger = (name: string) => ({ name, isAnon: true, limits });

test("filters are counted once among all and for each caller, and strangers have half of them", () => {
  const filters = new DatabaseFilterQuota(4);
  expect(filters.reserve(stranger("s"), ["a", "b"])).toBe(true);
  expect(filters.reserve(stranger("t"), ["c"])).toBe(false);
  // What is asked already costs nothing more.
  expect(filters.reserve(stranger("t"), ["a"])).toBe(true);
  expect(filters.reserve(member("m"), ["c", "d"])).toBe(true);
  expect(filters.reserve(member("n"), ["e"])).toBe(false);
  expect(filters.reserve(member("m"), ["a", "b"])).toBe(false);
  filters.release(stranger("s"), ["a", "b"]);
  // Another still asks for one of them.
  expect(filters.reserve(member("n"), ["e", "f"])).toBe(false);
  expect(filters.reserve(member("n"), ["e"])).toBe(true);
});
