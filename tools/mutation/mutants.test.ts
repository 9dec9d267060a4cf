import { expect, test } from "vitest";
import { sampleMutants, type Mutant } from "./mutants.ts";

const mutants: Mutant[] = Array.from({ length: 100 }, (_, n) => ({
  kind: "grant",
  title: `grant ${n}`,
  sql: `select ${n}`,
  subject: "table",
}));

test("spreads a sample evenly and takes the same one every time", () => {
  const sample = sampleMutants(mutants, 10);
  const titles = sample.map((mutant) => mutant.title);
  expect(titles).toEqual([5, 15, 25, 35, 45, 55, 65, 75, 85, 95].map((n) => `grant ${n}`));
  expect(sampleMutants(mutants, 10)).toEqual(sample);
});

test("returns the whole list for a sample that is larger", () => {
  expect(sampleMutants(mutants, Infinity)).toEqual(mutants);
  expect(sampleMutants([], 10)).toEqual([]);
});
