import { expect, test } from "vitest";
import { sampleOf, type Mutant } from "./mutants.ts";

const mutants: Mutant[] = Array.from({ length: 100 }, (_, n) => ({
  kind: "grant",
  title: `grant ${n}`,
  sql: `select ${n}`,
  subject: "table",
}));

test("a sample is spread evenly and the same every time", () => {
  const sample = sampleOf(mutants, 10);
  const titles = sample.map((mutant) => mutant.title);
  expect(titles).toEqual([5, 15, 25, 35, 45, 55, 65, 75, 85, 95].map((n) => `grant ${n}`));
  expect(sampleOf(mutants, 10)).toEqual(sample);
});

test("a sample larger than the list is the list", () => {
  expect(sampleOf(mutants, Infinity)).toEqual(mutants);
  expect(sampleOf([], 10)).toEqual([]);
});
