import { afterAll, beforeAll, expect, test } from "vitest";
import { assertPrepared } from "../support/spawn-product.ts";
import { faultsOf } from "./judge.ts";
import { KINDS } from "./kinds/all.ts";
import { reportOf } from "./report.ts";
import { openRange, type AttackRange } from "./run-attack.ts";

/** The short form of `npm run attack`, which takes half a minute for each kind. */
const seconds = 3;

let range: AttackRange | undefined;

beforeAll(async () => {
  assertPrepared();
  range = await openRange();
});

afterAll(async () => await range?.close());

test.each(KINDS.map((kind) => [kind.name, kind] as const))(
  "honest members go on while ten hostile clients try: %s",
  async (_name, kind) => {
    const result = await range?.attack(kind, seconds);
    if (result === undefined) throw new Error("the product did not start");
    expect(faultsOf(result), reportOf(result)).toEqual([]);
  },
);
