import { expect, it } from "vitest";
import { describeInBell } from "@/domain/describe-notification.ts";
import { bellItemSchema } from "./model/bell-page.ts";

const item = {
  id: 7,
  kind: "baseline_due",
  created_at: "2026-11-23T09:30:00+00:00",
  unread: true,
  detail: "1",
  actor: null,
  others: 0,
};

it.each([
  [{ deadline: "2026-11-29T09:30:00.123456+00:00" }, "by 29 November 2026"],
  [{}, "in your first week"],
])("asks for the start of the guarantee, by the day it is given: %j", (more, when) => {
  const line = bellItemSchema.parse({ ...item, ...more });
  expect(describeInBell(line).sentence).toBe(
    `Write down what you earn a month ${when}. Without it the guarantee doesn't apply`,
  );
  expect(describeInBell(line).path).toBe("/progress/guarantee");
});

it("leads from a check-in that is due to the record", () => {
  const line = bellItemSchema.parse({ ...item, kind: "check_in_due" });
  expect(describeInBell(line).sentence).toBe("This month's check-in is due. It takes a minute");
  expect(describeInBell(line).path).toBe("/progress/guarantee");
});
