import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

type Filters = Record<string, unknown>;

function call(name: string, filters: Filters): string {
  const list = Object.keys(filters).map((key, i) => `${key} => $${i + 1}`);
  return `select * from public.${name}(${list.join(", ")})`;
}

async function ids(world: World, admin: string, filters: Filters): Promise<number[]> {
  const rows = await world.run(admin, call("audit_page", filters), Object.values(filters));
  return rows.map((row) => Number(row["id"]));
}

/** Adds an entry as the product's functions do. @returns its id. */
async function audit(
  world: World,
  actor: string | null,
  action: string,
  subject: string | null,
  at = "2020-05-05",
) {
  const row = await world.one(
    "owner",
    `insert into private.audit_log (happened_at, actor, action, subject, detail)
       values ($4, $1, $2, $3, '{"before": {"n": 1}, "after": {"n": 2}}') returning id`,
    [actor, action, subject, at],
  );
  return Number(row["id"]);
}

describe("the audit log", () => {
  test("is read by administrators with a second factor only, and changed by nobody", async ({
    world,
  }) => {
    const [ada, mentor] = [await world.member(), await world.member("mentor-access")];
    await audit(world, null, "test.made", ada);
    for (const sql of [
      "select * from public.audit_page()",
      "select private.audit_page(null, false, null, null, null, null, null, 50)",
      "select public.audit_choices()",
      "select private.audit_choices()",
      "select public.export_audit_log()",
      "select private.export_audit_log(null, false, null, null, null, null)",
    ]) {
      await world.refused("anon", "42501", sql);
      for (const actor of [ada, mentor]) await world.refused(actor, "FF002", sql);
      await world.refused(await world.plainAdmin(), "FF005", sql);
    }
    const admin = await world.admin();
    const rows = "private.audit_rows(null, false, null, null, null, null, null, 50)";
    for (const actor of [ada, admin]) {
      await world.refused(actor, "42501", `select ${rows}`);
      await world.refused(actor, "42501", "select * from private.audit_log");
      await world.refused(
        actor,
        "42501",
        "insert into private.audit_log (action) values ('forged')",
      );
      await world.refused(actor, "42501", "select private.audit(null, 'forged', null)");
    }
    await world.refused("owner", "P0001", "update private.audit_log set action = 'x'");
    await world.refused("owner", "P0001", "delete from private.audit_log");
  });

  test("is filtered by actor, system, action, person and day, newest first", async ({ world }) => {
    const [admin, other, ada] = [await world.admin(), await world.admin(), await world.member()];
    const quill = `quill-${ada.slice(0, 8)}@example.test`;
    await world.run("owner", "update auth.users set email = $2 where id = $1", [ada, quill]);
    const first = await audit(world, admin, "test.opened", ada, "2020-05-05T00:00:00Z");
    const second = await audit(world, other, "test.closed", ada, "2020-05-05T23:59:59.999Z");
    const third = await audit(world, null, "test.opened", other, "2020-05-06T00:00:00Z");
    const span = { since: "2020-05-05", until: "2020-05-06" };
    expect(await ids(world, admin, span)).toEqual([third, second, first]);
    expect(await ids(world, admin, { since: "2020-05-05", until: "2020-05-05" })).toEqual([
      second,
      first,
    ]);
    expect(await ids(world, admin, { ...span, actor: other })).toEqual([second]);
    expect(await ids(world, admin, { ...span, by_system: true })).toEqual([third]);
    expect(await ids(world, admin, { ...span, action: "test.opened" })).toEqual([third, first]);
    expect(await ids(world, admin, { ...span, about: ada })).toEqual([second, first]);
    expect(await ids(world, admin, { ...span, about: quill.slice(0, 14).toUpperCase() })).toEqual([
      second,
      first,
    ]);
    expect(await ids(world, admin, { ...span, about: "quill-%@" })).toEqual([]);
    const rows = await world.run(admin, call("audit_page", { about: ada, page_size: 1 }), [ada, 1]);
    expect(rows).toMatchObject([
      {
        actor: other,
        action: "test.closed",
        subject: ada,
        subject_name: "Ada Byron",
        detail: { after: { n: 2 } },
      },
    ]);
  });

  test("takes any date there is, the ends of the calendar as well", async ({ world }) => {
    const admin = await world.admin();
    await world.run(admin, "select public.export_audit_log()");
    for (const [since, until] of [
      ["-infinity", "infinity"],
      ["4713-01-01 BC", "5874897-12-31"],
    ]) {
      const days = [since, until];
      const own = "select action from public.audit_page(actor => $1, since => $2, until => $3)";
      expect(await world.run(admin, own, [admin, ...days])).toContainEqual({
        action: "audit.exported",
      });
      await world.run(admin, "select public.export_audit_log(since => $1, until => $2)", days);
      const members = "select user_id from public.member_page(joined_from => $1, joined_to => $2)";
      expect(await world.run(admin, members, days)).not.toEqual([]);
      for (const [from, to] of [
        [until, null],
        [null, since],
      ]) {
        expect(await world.run(admin, own, [admin, from, to])).toEqual([]);
      }
    }
  });

  test("comes page by page, each entry once, also those of the same moment", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const all = [];
    for (let n = 0; n < 4; n += 1) all.push(await audit(world, admin, "test.paged", ada));
    const pages: number[] = [];
    for (;;) {
      const after_id = pages.at(-1) ?? null;
      const page = await ids(world, admin, { action: "test.paged", page_size: 2, after_id });
      if (page.length === 0) break;
      pages.push(...page);
    }
    expect(pages).toEqual(all.toReversed());
  });

  test("offers the actions and actors that occur, and reads a page from an index", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    await audit(world, admin, "test.chosen", ada);
    const row = await world.one(admin, "select public.audit_choices() as c");
    const { actions, actors } = row["c"] as {
      actions: string[];
      actors: { id: string; name: string }[];
    };
    expect(actions).toContain("test.chosen");
    expect(actions).toEqual([...new Set(actions)].toSorted());
    expect(actors).toContainEqual({ id: admin, name: `${admin}@example.test` });
    for (const node of ["seqscan", "bitmapscan", "sort"]) {
      await world.run("owner", `set local enable_${node} = off`);
    }
    // Entries of their own, so that a plan does not depend on what other tests have left.
    await world.run(
      "owner",
      `insert into private.audit_log (happened_at, actor, action, subject)
         select now() - n * interval '1 minute', gen_random_uuid(), 'test.' || n, gen_random_uuid()
         from generate_series(1, 1000) n`,
    );
    await world.run("owner", "analyze private.audit_log");
    for (const [column, index] of [
      ["actor", "audit_log_actor_idx"],
      ["subject", "audit_log_subject_idx"],
      ["action", "audit_log_action_idx"],
      ["id", "audit_log_happened_at_idx"],
    ] as const) {
      const rule = column === "id" ? "a.happened_at < $1" : `a.${column} = $1`;
      const plan = await world.run(
        "owner",
        `explain (generic_plan) select * from private.audit_log a where ${rule} order by a.happened_at desc, a.id desc limit 50`,
      );
      expect(plan.map((line) => line["QUERY PLAN"]).join("\n"), column).toContain(index);
    }
  });

  test("is exported as CSV with the same filters, and the export is an entry", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    await world.upsert(
      ada,
      "profiles",
      { id: ada, first_name: '=HYPERLINK("x")', last_name: "B" },
      "id",
    );
    const id = await audit(world, admin, "test.exported", ada, "2020-05-05T01:02:03Z");
    const answer = await world.one(
      admin,
      "select public.export_audit_log(action => 'test.exported', about => 'hyperlink') as a",
    );
    const { csv, rows, is_complete } = answer["a"] as {
      csv: string;
      rows: number;
      is_complete: boolean;
    };
    expect([rows, is_complete]).toEqual([1, true]);
    expect(csv.split("\r\n")).toEqual([
      "id,happened_at,actor,actor_name,action,subject,subject_name,detail",
      `${id},"2020-05-05T01:02:03.000000Z","${admin}","${admin}@example.test","test.exported","${ada}","'=HYPERLINK(""x"") B","{""after"": {""n"": 2}, ""before"": {""n"": 1}}"`,
      "",
    ]);
    const entry =
      "select detail from private.audit_log where actor = $1 and action = 'audit.exported'";
    expect(await world.one("owner", entry, [admin])).toEqual({
      detail: { rows: 1, action: "test.exported", about: "a name" },
    });
    const none = await world.one(
      admin,
      "select public.export_audit_log(action => 'test.never') as a",
    );
    expect(none["a"]).toMatchObject({ rows: 0, is_complete: true });
  });
});
