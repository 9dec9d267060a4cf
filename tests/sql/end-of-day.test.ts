import { expect } from "vitest";
import { test } from "./world.ts";

const endOfDay = "select private.end_of_day($1::timestamptz, $2::integer) as ends_at";

test.for([
  ["in winter", "2026-12-07T14:05:00Z", 0, "2026-12-08T00:00:00Z"],
  ["in summer", "2026-06-07T14:05:00Z", 0, "2026-06-07T23:00:00Z"],
  ["where London has the next day already", "2026-06-07T23:05:00Z", 0, "2026-06-08T23:00:00Z"],
  ["from its first moment", "2026-12-07T00:00:00Z", 0, "2026-12-08T00:00:00Z"],
  ["a week later, when the clocks have changed", "2026-03-25T14:05:00Z", 7, "2026-04-01T23:00:00Z"],
  ["a day before, for the last whole one", "2026-12-07T14:05:00Z", -1, "2026-12-07T00:00:00Z"],
] as const)("a day ends at midnight in London: %s", async ([, moment, days, end], { world }) => {
  // Whatever the time zone of the session.
  await world.run("owner", "set local timezone to 'Pacific/Auckland'");
  const { ends_at: endsAt } = await world.one("owner", endOfDay, [moment, days]);
  expect(endsAt).toEqual(new Date(end));
});
