import { describe, expect } from "vitest";
import { insertMessage } from "./chat-world.ts";
import { test, type World } from "./world.ts";

/** Ids of the members one page shows, in order. */
async function found(world: World, admin: string, filters: Record<string, unknown>) {
  const names = Object.keys(filters);
  const rows = await world.run(
    admin,
    `select user_id from public.member_page(${names.map((name, i) => `${name} => $${i + 1}`).join(", ")})`,
    Object.values(filters),
  );
  return rows.map((row) => row["user_id"]);
}

async function named(world: World, first: string, last: string, email: string): Promise<string> {
  const id = await world.newcomer();
  const names = { first_name: first, last_name: last };
  await world.upsert(id, "profiles", { id, ...names }, "id");
  await world.run("owner", "update auth.users set email = $2 where id = $1", [id, email]);
  return id;
}

describe("the list of members", () => {
  test("is refused to visitors, members, mentors and administrators without a second factor", async ({
    world,
  }) => {
    const [ada, mentor] = [await world.member(), await world.member("mentor-access")];
    for (const call of [
      "select * from public.member_page()",
      "select private.member_page(null, null, null, null, null, null, 'newest', null, 50)",
      `select public.member_detail('${ada}')`,
      `select private.member_detail('${ada}')`,
      `select public.add_member_note('${ada}', 'Kind')`,
      `select private.add_member_note('${ada}', 'Kind')`,
    ]) {
      await world.refused("anon", "42501", call);
      for (const actor of [ada, mentor]) await world.refused(actor, "FF002", call);
      await world.refused(await world.plainAdmin(), "FF005", call);
    }
    for (const table of ["member_search_index", "member_notes", "membership_statuses"]) {
      await world.refused(ada, "42501", `select * from private.${table}`);
      await world.refused(await world.admin(), "42501", `select * from private.${table}`);
    }
    await world.refused(ada, "42501", "select private.account_label($1)", [ada]);
  });

  test("finds a member by part of the name or address, without case and accents, as it is now", async ({
    world,
  }) => {
    const admin = await world.admin();
    const jose = await named(world, "José", "Quoxfeather", "first@quorn.test");
    const other = await named(world, "Jo", "Featherly", "100%_sure@quorn.test");
    const search = async (text: string) =>
      await found(world, admin, { search: text, sort: "name" });
    expect(await search("jose quox")).toEqual([jose]);
    expect(await search("  QUOXF  ")).toEqual([jose]);
    expect(await search("feather @quorn")).toEqual([other, jose]);
    expect(await search("100%_s")).toEqual([other]);
    expect(await search("100__s")).toEqual([]);
    expect(await search("quox%feather")).toEqual([]);
    expect(await search("'; select 1; --")).toEqual([]);
    await world.run("owner", "update auth.users set email = 'moved@elsewhere.test' where id = $1", [
      jose,
    ]);
    expect(await search("first@quorn")).toEqual([]);
    expect(await search("moved@else")).toEqual([jose]);
    await world.run("owner", "delete from auth.users where id = $1", [jose]);
    expect(await search("moved@else")).toEqual([]);
  });

  test("filters by membership, suspension, level, role and day of joining", async ({ world }) => {
    const admin = await world.admin();
    const [paying, late, lapsed, begun, never, mentor] = [
      await world.member(),
      await world.member(),
      await world.member(),
      await world.newcomer(),
      await world.newcomer(),
      await world.member("mentor-access"),
    ];
    await world.setSubscriptionStatus(late, "past_due");
    await world.setSubscriptionStatus(lapsed, "canceled");
    await world.subscribe(begun, "student-access", "incomplete");
    await world.run("owner", "update public.user_levels set current_level = 3 where user_id = $1", [
      paying,
    ]);
    await world.run(
      "owner",
      "update auth.users set created_at = '2020-02-29T23:59:59.999999Z' where id = $1",
      [late],
    );
    await world.run(
      "owner",
      "update auth.users set banned_until = now() + interval '1 day' where id = $1",
      [paying],
    );
    // Other tests add accounts to the same database meanwhile.
    await world.run(
      "owner",
      "update auth.users set email = 'filtered-' || email where id = any ($1)",
      [[paying, late, lapsed, begun, never, mentor]],
    );
    const shown = async (filters: Record<string, unknown>) =>
      new Set(await found(world, admin, { search: "filtered-", ...filters }));
    expect(await shown({ membership: "paying" })).toEqual(new Set([paying, mentor]));
    expect(await shown({ membership: "past_due" })).toEqual(new Set([late]));
    expect(await shown({ membership: "lapsed" })).toEqual(new Set([lapsed]));
    expect(await shown({ membership: "never_paid" })).toEqual(new Set([begun, never]));
    expect(await shown({ membership: "suspended" })).toEqual(new Set([paying]));
    expect(await shown({ level: 3 })).toEqual(new Set([paying]));
    expect(await shown({ level: 0 })).toEqual(new Set([begun, never]));
    expect(await shown({ role: "mentor" })).toEqual(new Set([mentor]));
    expect(await shown({ joined_from: "2020-02-29", joined_to: "2020-02-29" })).toEqual(
      new Set([late]),
    );
    expect(await shown({ joined_to: "2020-02-28" })).toEqual(new Set());
    expect(await shown({ joined_from: "2020-03-01", membership: "past_due" })).toEqual(new Set());
    for (const wrong of [
      { membership: "rich" },
      { role: "owner" },
      { level: 5 },
      { sort: "shoe size" },
    ]) {
      const [name, value] = Object.entries(wrong)[0] ?? ["", ""];
      const sql = `select * from public.member_page(${name} => $1)`;
      await world.refused(admin, "FF519", sql, [value]);
    }
    // A pasted paragraph is nobody's name or address.
    expect(await found(world, admin, { search: "filtered- ".repeat(21) })).toEqual([]);
  });

  test("shows every member once over its pages, in each order", async ({ world }) => {
    const admin = await world.admin();
    // Two of them have joined at the same moment and have no name.
    const all = [await world.account(), await world.account(), await world.member()];
    await world.run(
      "owner",
      "update auth.users set email = 'paged-' || email, created_at = '2021-01-01' where id = any ($1)",
      [all],
    );
    for (const sort of ["newest", "oldest", "name", "name_desc"]) {
      const whole = await found(world, admin, { search: "paged-", sort });
      expect(new Set(whole)).toEqual(new Set(all));
      const pages: unknown[] = [];
      for (;;) {
        const after_id = pages.at(-1) ?? null;
        const page = await found(world, admin, { search: "paged-", sort, page_size: 1, after_id });
        if (page.length === 0) break;
        pages.push(...page);
      }
      expect(pages, sort).toEqual(whole);
    }
  });
});

describe("the detail of a member", () => {
  test("holds account, payments, progress, reports, documents, notes and audit entries", async ({
    world,
  }) => {
    const [admin, ada, bob] = [await world.admin(), await world.member(), await world.member()];
    const message = await insertMessage(world, ada, "Buy my course");
    await world.run(bob, "select public.report('message', $1, 'Advertising')", [message["id"]]);
    await world.run(
      "owner",
      `insert into private.payment_records (kind, provider_id, status, charge_id, customer_id, amount, currency, happened_at)
       values ('payment', 'ch_' || $1, 'succeeded', 'ch_' || $1, 'cus_' || $1, 5000, 'gbp', now()),
         ('refund', 're_' || $1, 'pending', 'ch_' || $1, 'cus_' || $1, 1000, 'gbp', now()),
         ('refund', 're_' || $1, 'succeeded', 'ch_' || $1, 'cus_' || $1, 1000, 'gbp', now())`,
      [ada],
    );
    await world.run(admin, "select public.add_member_note($1, '  Spoke on the phone.  ')", [ada]);
    const row = await world.one(admin, "select public.member_detail($1) as detail", [ada]);
    expect(row["detail"]).toMatchObject({
      account: {
        id: ada,
        name: "Ada Byron",
        role: "student",
        level: 1,
        sessions: 1,
        suspension: null,
      },
      billing: {
        membership: "paying",
        subscription: { plan: "Student Access", status: "active" },
        paid_pence: 5000,
        refunded_pence: 1000,
      },
      conduct: {
        submission_count: 0,
        reports_made: 0,
        reports_received: 1,
        reports: [
          {
            kind: "message",
            is_about_member: true,
            reason: "Advertising",
            content: "Buy my course",
            room: "General",
            other_id: bob,
          },
        ],
      },
      identity: {
        is_flagged: false,
        documents: [{ status: "pending", document_type: "passport" }],
      },
      notes: [{ note: "Spoke on the phone." }],
      audit: [{ action: "account.note_added", actor: admin }],
    });
    const { progress } = row["detail"] as {
      progress: { requirements: unknown[]; evidence: unknown[] };
    };
    expect(progress.requirements).toHaveLength(12);
    expect(progress.requirements).toContainEqual({
      level: 1,
      kind: "engagements",
      category: null,
      needed: 50,
      count: 1,
    });
    expect(progress.evidence).toMatchObject([
      { kind: "engagements", label: "Buy my course", path: "/chats/general" },
    ]);
    await world.refused(admin, "FF510", "select public.member_detail($1)", [
      "00000000-0000-4000-8000-000000000000",
    ]);
  });

  test("takes notes that nobody changes, that the member's export holds without their author", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const add = "select public.add_member_note($1, $2)";
    for (const text of ["", " \u200b ", "x".repeat(2001)])
      await world.refused(admin, "FF518", add, [ada, text]);
    await world.refused(admin, "FF510", add, ["00000000-0000-4000-8000-000000000000", "Who?"]);
    const past = "insert into private.member_notes (user_id, author, note) values ($1, $1, $2)";
    for (const text of ["", "x".repeat(2001)])
      await world.refused("owner", "23514", past, [ada, text]);
    await world.run(admin, add, [ada, "Asked for a refund."]);
    await world.refused("owner", "P0001", "update private.member_notes set note = 'x'");
    await world.refused("owner", "P0001", "delete from private.member_notes");
    const entry =
      "select detail from private.audit_log where subject = $1 and action = 'account.note_added'";
    expect(JSON.stringify(await world.one("owner", entry, [ada]))).not.toContain("refund");
    const exported = await world.one(ada, "select public.export_my_data() as data");
    const { notes } = exported["data"] as { notes: Record<string, unknown>[] };
    expect(notes).toMatchObject([{ note: "Asked for a refund." }]);
    expect(notes[0]).not.toHaveProperty("author");
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    expect(
      await world.run("owner", "select from private.member_notes where user_id = $1", [ada]),
    ).toEqual([]);
  });
});
