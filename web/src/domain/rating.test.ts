import { expect, it } from "vitest";
import { averageRating, isFairRating } from "./rating.ts";

it("shows an average from three ratings on", () => {
  expect([0, 1, 2, 3, 40].map((count) => isFairRating(averageRating(count, count * 4)))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});
