import { expect } from "vitest";
import { notificationKinds } from "../../supabase/functions/_shared/product/notification-kinds.ts";
import { test } from "./world.ts";

test("every kind of notification has its text and its path", async ({ world }) => {
  const rows = await world.run("owner", "select kind from private.notification_kinds");
  const kinds = rows.map(({ kind }) => String(kind));
  expect(Object.keys(notificationKinds).toSorted()).toEqual(kinds.toSorted());
});
