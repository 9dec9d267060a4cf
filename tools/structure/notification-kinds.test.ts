import { expect, it } from "vitest";
import { notificationKinds } from "../../supabase/functions/_shared/product/notification-kinds.ts";
import { sourceFiles } from "./source-files.ts";

const sql = sourceFiles([".sql"]);
const inserted = sql
  .filter(({ path }) => path.startsWith("supabase/migrations/"))
  .flatMap(({ text }) => [...text.matchAll(/insert into private\.notification_kinds\b[^;]*;/g)])
  .flatMap(([statement]) => [...statement.matchAll(/\(\s*'(\w+)'\s*,\s*'\w+'/g)])
  .map(([, kind = ""]) => kind);

it("every kind of notification has its row from a migration, its text and its path", () => {
  expect(inserted.length).toBeGreaterThan(30);
  expect(inserted.toSorted()).toEqual(Object.keys(notificationKinds).toSorted());
});

it("every kind stands in a part of the bell, without which nobody is told", () => {
  const shown = sql
    .filter(({ path }) => path.startsWith("supabase/schemas/"))
    .flatMap(({ text }) => [...text.matchAll(/newest_notifications\(member, array\[([^\]]*)\]/g)])
    .flatMap(([, kinds = ""]) => [...kinds.matchAll(/'(\w+)'/g)])
    .map(([, kind = ""]) => kind);
  expect(Object.keys(notificationKinds).filter((kind) => !shown.includes(kind))).toEqual([]);
});
