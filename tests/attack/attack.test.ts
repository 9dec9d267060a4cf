import { afterAll, beforeAll, expect, test } from "vitest";
import { assertPrepared } from "../support/spawn-product.ts";
import { violationsOf } from "./assess-attack.ts";
import { attackKinds } from "./kinds/all.ts";
import { reportOf } from "./report.ts";
import { startTestbed, type AttackTestbed } from "./run-attack.ts";

/** The short form of `npm run attack`, which takes half a minute for each kind and has some that only it has. */
const seconds = 3;

let range: AttackTestbed | undefined;

beforeAll(async () => {
  assertPrepared();
  range = await startTestbed();
});

afterAll(async () => await range?.close());

test.each(
  attackKinds.filter(({ isLong }) => isLong !== true).map((kind) => [kind.name, kind] as const),
)("members are served while ten hostile clients try: %s", async (_name, kind) => {
  const result = await range?.attack(kind, seconds);
  if (result === undefined) throw new Error("the product did not start");
  expect(violationsOf(result), reportOf(result)).toEqual([]);
});
