import { describe, expect } from "vitest";
import { test } from "./world.ts";

/** Every function of the console that clients may call, by what its body asks of the caller. */
const consoleSql = `
  with body as (
    -- A publication is audited where it happens, which is also where scheduled ones do.
    select p.oid, p.prosrc || case when p.prosrc ~ 'private\\.release_draft\\(' then (
      select q.prosrc from pg_proc q where q.oid = 'private.publish_draft_version'::regproc
    ) else '' end as source
    from pg_proc p where p.pronamespace = 'private'::regnamespace
  )
  select p.proname as name, p.pronargs as arguments, p.provolatile = 'v' as acts,
    p.prosrc ~ 'private\\.require_admin\\(' as needs_role_only,
    b.source ~ 'private\\.audit(_change)?\\(' as is_audited,
    b.source ~ '''before''' and b.source ~ '''after''' or b.source ~ 'private\\.audit_change\\(' as has_before_and_after
  from pg_proc p join body b on b.oid = p.oid
  where p.pronamespace = 'private'::regnamespace
    and p.prosrc ~ 'private\\.require_(verified_admin|admin|fresh_second_factor)\\('
    and exists (
      select from pg_proc w where w.pronamespace = 'public'::regnamespace and w.proname = p.proname
        and has_function_privilege('authenticated', w.oid, 'execute')
    )
  order by p.proname`;

/** Recorded without before and after, because nothing is changed: something is added, sent, asked of the card provider, read or exported. */
const changesNothing = [
  "add_member_note",
  "admin_begin_payment_retry",
  "admin_export_payments",
  "admin_money_by_month",
  "admin_send_payment_link",
  "export_audit_log",
  "open_guarantee_document",
  "open_verification_document",
];

/** Open to the role alone: what the community reads can be put right from any session. docs/subsystems/console.md. */
const roleAlone = [
  "admin_level_supply",
  "admin_library_items",
  "admin_overview",
  "admin_rooms",
  "admin_subcategories",
  "content_sale",
  "create_room",
  "create_subcategory",
  "edit_room",
  "edit_subcategory",
  "feature_submission",
  "plan_overview",
];

describe("every function of the console", () => {
  test("is refused to visitors, newcomers, students, mentors, lapsed members and, but for content, without a second factor", async ({
    world,
  }) => {
    const lapsed = await world.member();
    await world.setSubscriptionStatus(lapsed, "canceled");
    const outsiders = [
      await world.newcomer(),
      await world.member(),
      await world.member("mentor-access"),
      lapsed,
    ];
    const plain = await world.plainAdmin();
    const functions = await world.run("owner", consoleSql);
    expect(functions.length).toBeGreaterThan(45);
    const open: unknown[] = [];
    for (const { name, arguments: count, needs_role_only: isOpen } of functions) {
      const nothing = Array.from({ length: Number(count) }, () => "null").join(", ");
      const call = `select public.${String(name)}(${nothing})`;
      await world.refused("anon", "42501", call);
      for (const outsider of outsiders) await world.refused(outsider, "FF002", call);
      if (isOpen) open.push(name);
      else await world.refused(plain, "FF005", call);
    }
    expect(open).toEqual(roleAlone);
  });

  test("that changes anything stands in the audit log, with before and after", async ({
    world,
  }) => {
    const acts = (await world.run("owner", consoleSql)).filter(({ acts: isAct }) => isAct);
    expect(acts.length).toBeGreaterThan(25);
    const namesOf = (rows: typeof acts) => rows.map(({ name }) => name);
    // A preview only reads.
    expect(namesOf(acts.filter((act) => !act["is_audited"]))).toEqual([
      "preview_level_requirement",
    ]);
    expect(
      namesOf(acts.filter((act) => act["is_audited"] && !act["has_before_and_after"])),
    ).toEqual(changesNothing);
  });
});
