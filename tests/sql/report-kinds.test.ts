import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { notificationKinds } from "../../supabase/functions/_shared/product/notification-kinds.ts";
import { exportedReports, reportQueue, reportQueueSql, reportSql } from "./report-world.ts";
import { test } from "./world.ts";

describe("a kind of report", () => {
  test("has its column, its functions and its texts, and nothing has them without being a kind", async ({
    world,
  }) => {
    const names = async (sql: string) =>
      (await world.run("owner", sql)).map(({ name }) => String(name)).toSorted();
    const kinds = await names("select kind as name from private.report_kinds()");
    expect(kinds.length).toBeGreaterThan(5);
    // Each column that refers to what is reported, with its rows deleted along with it.
    expect(
      await names(
        `select left(a.attname, -3) as name from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
         where c.conrelid = 'private.reports'::regclass and c.contype = 'f' and c.confdeltype = 'c'
           and a.attname not in ('author_id', 'user_id')`,
      ),
    ).toEqual(kinds);
    for (const step of ["reportable", "reported", "lock_reported", "remove_reported"]) {
      expect(
        await names(
          `select replace(p.proname, '${step}_', '') as name from pg_proc p
           where p.pronamespace = 'private'::regnamespace and p.proname like '${step.replaceAll("_", "\\_")}\\_%'`,
        ),
        step,
      ).toEqual(kinds);
    }
    const { report_decided: decided, moderated } = notificationKinds;
    const said = (what: string) => [
      decided.text({ what, is_kept: true } as never),
      moderated.text({ what } as never),
    ];
    const unknown = said("unheard-of");
    for (const kind of kinds) {
      for (const [index, text] of said(kind).entries()) expect(text, kind).not.toBe(unknown[index]);
    }
  });

  test("is refused when there is none of that name, whoever asks", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    for (const kind of ["", "unheard-of", "MESSAGE", "message'", "kinds", null]) {
      await world.refused(bob, "FF343", reportSql, [kind, ada, "Spam"]);
    }
    const admin = await world.admin();
    expect(await reportQueue(world, admin, "unheard-of")).toEqual([]);
    await world.refused(bob, "FF002", reportQueueSql, ["unheard-of"]);
    await world.refused("anon", "42501", reportSql, ["profile", ada, "Spam"]);
    for (const actor of [bob, "anon", "service_role"]) {
      await world.refused(actor, "42501", "select private.reported('profile', $1)", [ada]);
      await world.refused(actor, "42501", "select private.remove_reported_profile($1)", [ada]);
    }
    for (const each of ["message", "direct_message"]) {
      await world.refused(bob, "FF316", reportSql, [each, randomUUID(), "Spam"]);
      await world.refused(bob, "FF316", reportSql, [each, null, "Spam"]);
    }
  });

  test("is what the queue is asked for, or all of them", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const said = { user_id: ada, chat_room_id: "general", content: "Hello" };
    const { id: message } = await world.insert(ada, "chat_messages", said);
    await world.run(bob, reportSql, ["message", message, "Rude"]);
    await world.run(bob, reportSql, ["profile", ada, "Rude"]);
    const about = async (kind: string | null) =>
      (await reportQueue(world, admin, kind))
        .filter(({ subject_id }) => subject_id === message || subject_id === ada)
        .map(({ kind: found }) => found);
    expect(await about("message")).toEqual(["message"]);
    expect(await about("profile")).toEqual(["profile"]);
    expect(await about(null)).toEqual(["message", "profile"]);
  });

  test("is in the export of both sides, without the other", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.run(bob, reportSql, ["profile", ada, "Sells coins"]);
    const made = await exportedReports(world, bob);
    expect(made).toMatchObject([{ kind: "profile", reason: "Sells coins", decision: null }]);
    expect(JSON.stringify(made)).not.toContain(ada);
    const about = await exportedReports(world, ada);
    expect(about).toMatchObject([{ kind: "profile", snapshot: { occupation: "Engineer" } }]);
    expect(JSON.stringify(about)).not.toMatch(new RegExp(`${bob}|Sells coins`));
  });
});
