import { expect, it } from "vitest";
import { bellItemPath } from "./model/bell-item-path.ts";
import { bellItemSchema } from "./model/bell-page.ts";
import { formatBellItem } from "./strings.ts";

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
  expect(formatBellItem(line)).toBe(
    `Write down what you earn a month ${when}. Without it the guarantee doesn't apply`,
  );
  expect(bellItemPath(line)).toBe("/progress#guarantee");
});
