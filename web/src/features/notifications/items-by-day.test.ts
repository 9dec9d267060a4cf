import { expect, it } from "vitest";
import type { BellItem } from "./model/bell-page.ts";
import { itemsByDay } from "./model/items-by-day.ts";

const at = (id: number, day: number, hour: number) =>
  ({ id, created_at: new Date(2026, 10, day, hour).toISOString() }) as BellItem;

it("puts the lines of a day together, by the reader's midnight, in the order they came", () => {
  const items = [at(5, 29, 9), at(4, 29, 0), at(3, 28, 23), at(2, 28, 1), at(1, 20, 12)];
  expect(itemsByDay(items).map(({ start, of }) => [start, of.map(({ id }) => id)])).toEqual([
    [new Date(2026, 10, 29).getTime(), [5, 4]],
    [new Date(2026, 10, 28).getTime(), [3, 2]],
    [new Date(2026, 10, 20).getTime(), [1]],
  ]);
});
