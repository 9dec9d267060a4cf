import { describe, expect } from "vitest";
import { test } from "./world.ts";

describe("notification choices", () => {
  const upsert = `insert into public.notification_preferences (user_id, kind, email) values ($1, $2, $3)
    on conflict (user_id, kind) do update set user_id = excluded.user_id, kind = excluded.kind, email = excluded.email`;

  test("are written and changed by their member", async ({ world }) => {
    const ada = await world.newcomer();
    await world.run(ada, upsert, [ada, "tips", false]);
    await world.run(ada, upsert, [ada, "tips", true]);
    await world.run(ada, upsert, [ada, "reminders", false]);
    const read = "select kind, email from public.notification_preferences order by kind";
    expect(await world.run(ada, read)).toEqual([
      { kind: "reminders", email: false },
      { kind: "tips", email: true },
    ]);
  });

  test("say when they were changed last", async ({ world }) => {
    const ada = await world.newcomer();
    await world.run(ada, upsert, [ada, "tips", false]);
    await world.run(
      "owner",
      "update public.notification_preferences set updated_at = '2000-01-01'",
    );
    await world.run(ada, upsert, [ada, "tips", true]);
    const stamp = "select updated_at = now() as is_now from public.notification_preferences";
    expect(await world.run(ada, stamp)).toEqual([{ is_now: true }]);
  });

  test("of others can be neither read, written, taken over nor deleted", async ({ world }) => {
    const [ada, mallory] = [await world.newcomer(), await world.member()];
    await world.run(ada, upsert, [ada, "tips", true]);
    for (const actor of [mallory, await world.admin()]) {
      expect(await world.run(actor, "select kind from public.notification_preferences")).toEqual(
        [],
      );
      await world.refused(actor, "42501", upsert, [ada, "tips", false]);
      await world.refused(actor, "42501", upsert, [ada, "reminders", false]);
      const change = "update public.notification_preferences set email = false";
      expect(await world.count(actor, change)).toBe(0);
      expect(await world.count(actor, `${change} where user_id = $1`, [ada])).toBe(0);
      await world.refused(actor, "42501", "delete from public.notification_preferences");
    }
    await world.run(mallory, upsert, [mallory, "tips", false]);
    // Also for an account that has not chosen yet.
    const bob = await world.newcomer();
    const insert =
      "insert into public.notification_preferences (user_id, kind, email) values ($1, 'tips', false)";
    await world.refused(mallory, "42501", insert, [bob]);
    const give = "update public.notification_preferences set user_id = $1";
    await world.refused(mallory, "42501", give, [bob]);
    await world.refused(mallory, "42501", `${give} where user_id = $2`, [bob, mallory]);
    const kept = "select email from public.notification_preferences where user_id = $1";
    expect(await world.run("owner", kept, [ada])).toEqual([{ email: true }]);
  });
});
