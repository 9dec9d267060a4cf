import { expect, it } from "vitest";
import { notificationKinds } from "../../supabase/functions/_shared/product/notification-kinds.ts";
import { sourceFiles } from "./source-files.ts";

const inserted = sourceFiles([".sql"])
  .filter(({ path }) => path.startsWith("supabase/migrations/"))
  .flatMap(({ text }) => [...text.matchAll(/insert into private\.notification_kinds\b[^;]*;/g)])
  .flatMap(([statement]) => [...statement.matchAll(/\(\s*'(\w+)'\s*,\s*'\w+'/g)])
  .map(([, kind = ""]) => kind);

it("every kind of notification that a migration adds has its text and its path", () => {
  expect(inserted.length).toBeGreaterThan(30);
  expect(inserted.filter((kind) => !Object.hasOwn(notificationKinds, kind))).toEqual([]);
});
