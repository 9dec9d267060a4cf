import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  reportQueueSql,
  reportSql,
  resolveReportSql as resolveSql,
  waitingReport as waiting,
} from "./report-world.ts";
import { test, type World } from "./world.ts";

const kind = "profile";

/** A member with a bio and a topic. */
async function talkative(world: World): Promise<string> {
  const id = await world.member();
  await world.run(id, "update public.profiles set bio = 'Buy now' where id = $1", [id]);
  await world.run(id, "select public.set_profile_choices(array['Coins'], true, true)");
  return id;
}

describe("a report of a member", () => {
  test("appears in the queue with the profile as it was", async ({ world }) => {
    const [eve, bob, cleo] = [await talkative(world), await world.member(), await world.member()];
    const admin = await world.admin();
    await world.run(bob, reportSql, [kind, eve, "  Sells coins \u3000"]);
    await world.run(bob, reportSql, [kind, eve, "Again"]);
    expect(await waiting(world, admin, eve)).toMatchObject({ reports: 1, is_changed: false });
    await world.run(eve, "update public.profiles set bio = 'Harmless' where id = $1", [eve]);
    await world.run(cleo, reportSql, [kind, eve, "Spam"]);
    expect(await waiting(world, admin, eve)).toMatchObject({
      kind,
      author: { id: eve, role: "student" },
      snapshot: { name: "Ada Byron", occupation: "Engineer", bio: "Buy now", topics: ["Coins"] },
      is_changed: true,
      reports: 2,
      reasons: ["Sells coins\n\nAgain", "Spam"],
    });
  });

  test("holds every text that members write on a profile, and a decision clears what is more than a name", async ({
    world,
  }) => {
    const rows = await world.run(
      "owner",
      `select c.column_name as name from information_schema.columns c
       where c.table_schema = 'public' and c.table_name = 'profiles' and c.data_type = 'text' and c.column_name <> 'role'
         and has_column_privilege('authenticated', 'public.profiles', c.column_name, 'update')`,
    );
    const written = rows.map(({ name }) => String(name)).toSorted();
    expect(written).toEqual(
      expect.arrayContaining(["bio", "first_name", "last_name", "occupation"]),
    );
    const [eve, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const texts = written.map((column, index) => [column, `Text ${"abcdefghijkl".charAt(index)}`]);
    for (const [column, text] of texts) {
      await world.run(eve, `update public.profiles set ${column} = $2 where id = $1`, [eve, text]);
    }
    await world.run(bob, reportSql, [kind, eve, "Spam"]);
    const report = await waiting(world, admin, eve);
    for (const [column, text] of texts) {
      expect(JSON.stringify(report?.["snapshot"]), column).toContain(text);
    }
    await world.run(admin, resolveSql, [report?.["report_id"], "clear"]);
    const [left] = await world.run("owner", "select * from public.profiles where id = $1", [eve]);
    for (const column of written) {
      if (["first_name", "last_name", "occupation"].includes(column)) continue;
      expect(left?.[column], column).toBeNull();
    }
  });

  test("needs a reason and another member, and is limited", async ({ world }) => {
    const [eve, bob] = [await world.member(), await world.member()];
    for (const reason of [null, "", " \u200b", "x".repeat(501)]) {
      await world.refused(bob, "FF317", reportSql, [kind, eve, reason]);
    }
    await world.refused(bob, "FF703", reportSql, [kind, bob, "Me"]);
    for (const nobody of [randomUUID(), null, await world.newcomer()]) {
      await world.refused(bob, "FF702", reportSql, [kind, nobody, "Gone"]);
    }
    await world.refused("anon", "42501", reportSql, [kind, eve, "Anonymous"]);
    for (const actor of [bob, eve, "service_role"]) {
      await world.refused(actor, "42501", "select * from private.reports");
    }
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'report'",
    );
    await world.run(bob, reportSql, [kind, eve, "x".repeat(500)]);
    await world.refused(bob, "FF300", reportSql, [kind, await world.member(), "Another"]);
  });

  test("is kept in one shape, once while open, and goes with either account", async ({ world }) => {
    const [eve, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const insert = `insert into private.reports (kind, subject_id, profile_id, author_id, user_id, reason, snapshot, resolved_at, decision)
      values ('profile', $1, $1, $1, $2, $3, '{}', $4, $5)`;
    const open = [null, null];
    await world.run("owner", insert, [eve, bob, "Spam", ...open]);
    for (const [code, values] of [
      ["23505", [eve, bob, "Again", ...open]],
      ["23503", [randomUUID(), bob, "Gone", ...open]],
      ["23503", [eve, randomUUID(), "Gone", ...open]],
      ["23514", [eve, cleo, "", ...open]],
      ["23514", [eve, cleo, "x".repeat(2001), ...open]],
      ["23514", [eve, cleo, "Burnt", new Date(), "burn"]],
      ["23514", [eve, cleo, "Half", new Date(), null]],
      ["23514", [eve, cleo, "Half", null, "keep"]],
    ] as const) {
      await world.refused("owner", code, insert, values);
    }
    await world.run("owner", insert, [eve, bob, "Closed", new Date(), "keep"]);
    await world.run("owner", insert, [bob, cleo, "Spam", ...open]);
    const left = "select reason from private.reports where $1 in (profile_id, user_id)";
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect(await world.run("owner", left, [eve])).toEqual([]);
    expect(await world.run("owner", left, [cleo])).toEqual([]);
  });
});

describe("a decision about a reported member", () => {
  test("keeps or clears the profile, closes every report and is recorded", async ({ world }) => {
    const [eve, bob, cleo] = [await talkative(world), await world.member(), await world.member()];
    const admin = await world.admin();
    const logged = async () =>
      await world.run(
        "owner",
        "select actor, action, detail from private.audit_log where subject = $1 and action like 'profile.%' order by id",
        [eve],
      );
    const shown = async () =>
      await world.one(
        "owner",
        "select p.bio, p.occupation, c.topics from public.profiles p join public.profile_choices c on c.user_id = p.id where p.id = $1",
        [eve],
      );
    await world.run(bob, reportSql, [kind, eve, "Spam"]);
    await world.run(cleo, reportSql, [kind, eve, "Spam"]);
    const { report_id: first } = (await waiting(world, admin, eve)) ?? {};
    await world.run(admin, resolveSql, [first, "keep"]);
    expect(await waiting(world, admin, eve)).toBeUndefined();
    expect(await shown()).toEqual({ bio: "Buy now", occupation: "Engineer", topics: ["Coins"] });
    await world.refused(admin, "FF320", resolveSql, [first, "keep"]);
    // A decision does not silence a later report.
    await world.run(bob, reportSql, [kind, eve, "Again"]);
    const { report_id: second } = (await waiting(world, admin, eve)) ?? {};
    await world.run(admin, resolveSql, [second, "clear"]);
    expect(await shown()).toEqual({ bio: null, occupation: "Engineer", topics: [] });
    expect(await logged()).toEqual([
      {
        actor: admin,
        action: "profile.kept",
        detail: { report_id: Number(first), before: "reported", after: "keep" },
      },
      {
        actor: admin,
        action: "profile.cleared",
        detail: { report_id: Number(second), before: "reported", after: "clear" },
      },
    ]);
  });

  test("is for administrators with a second factor, about others", async ({ world }) => {
    const [eve, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    await world.run(bob, reportSql, [kind, eve, "Spam"]);
    const { report_id: report } = (await waiting(world, admin, eve)) ?? {};
    for (const outsider of [eve, bob]) {
      await world.refused(outsider, "FF002", resolveSql, [report, "keep"]);
      await world.refused(outsider, "FF002", reportQueueSql, [null]);
    }
    const plain = await world.plainAdmin();
    await world.refused(plain, "FF005", resolveSql, [report, "keep"]);
    await world.refused(plain, "FF005", reportQueueSql, [null]);
    await world.refused(admin, "FF319", resolveSql, [report, "burn"]);
    await world.refused(admin, "FF319", resolveSql, [report, "remove"]);
    await world.refused(admin, "FF319", resolveSql, [report, null]);
    await world.refused(admin, "FF320", resolveSql, [-1, "keep"]);
    await world.run(bob, reportSql, [kind, admin, "Unfair"]);
    const { report_id: own } = (await waiting(world, admin, admin)) ?? {};
    await world.refused(admin, "FF513", resolveSql, [own, "keep"]);
    await world.run(await world.admin(), resolveSql, [own, "keep"]);
  });
});
