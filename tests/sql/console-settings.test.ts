import { describe, expect } from "vitest";
import { emailTemplates } from "../../supabase/functions/_shared/emails/email-templates.ts";
import { claim, enqueue, recipient } from "./email-world.ts";
import { expectLevel, recordProgressEvent, recordProgressEvents } from "./progress-events.ts";
import { test, type Row, type World } from "./world.ts";

const setRequirement = "select public.set_level_requirement($1, $2, $3)";
const preview = "select * from public.preview_level_requirement($1, $2, $3)";
const setText = "select public.set_email_text($1, $2, $3)";

async function audited(world: World, admin: string): Promise<Row[]> {
  const sql = "select action, detail from private.audit_log where actor = $1 order by id";
  return await world.run("owner", sql, [admin]);
}

test("the settings are refused to visitors, students, mentors, the server role, and administrators without a second factor", async ({
  world,
}) => {
  const calls: [string, unknown[]][] = [
    [setRequirement, [1, "rooms", 4]],
    [preview, [1, "rooms", 4]],
    [setText, ["welcome", "subject", "Hello"]],
    ["select * from public.email_text_overview()", []],
  ];
  for (const [sql, values] of calls) {
    for (const actor of [await world.member(), await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", sql, values);
    }
    await world.refused(await world.plainAdmin(), "FF005", sql, values);
    for (const actor of ["anon", "service_role"]) await world.refused(actor, "42501", sql, values);
  }
  const plans = "select * from public.plan_overview()";
  await world.refused(await world.member("mentor-access"), "FF002", plans);
  await world.refused("anon", "42501", plans);
  const changed = "select from private.email_texts where text is not null";
  expect(await world.run("owner", changed)).toEqual([]);
  for (const actor of ["anon", "service_role", await world.admin()]) {
    await world.refused(actor, "42501", "update private.email_texts set text = 'x'");
  }
});

describe("a level's requirement", () => {
  test("is previewed and changed, applies from the next event, and lowers no level", async ({
    world,
  }) => {
    const admin = await world.admin();
    const [near, far] = [await world.member(), await world.member()];
    for (const [member, engagements] of [
      [near, 40],
      [far, 10],
    ] as const) {
      await recordProgressEvents(world, member, "room_opened", 5);
      await recordProgressEvents(world, member, "submission", 3);
      await recordProgressEvents(world, member, "message", engagements);
    }
    const before = await world.one(admin, preview, [1, "engagements", 50]);
    const row = await world.one(admin, preview, [1, "engagements", 30]);
    expect(row).toMatchObject({ current_needed: 50, available: null });
    expect(Number(row["ready_after"]) - Number(before["ready_after"])).toBe(1);
    expect(row["ready_before"]).toBe(before["ready_after"]);
    expect(Number(row["members"])).toBeGreaterThanOrEqual(2);

    await world.run(admin, setRequirement, [1, "engagements", 30]);
    await expectLevel(world, near, 1);
    for (const member of [near, far]) await recordProgressEvent(world, member, "message", "next");
    await expectLevel(world, near, 2);
    await expectLevel(world, far, 1);
    await world.run(admin, setRequirement, [1, "engagements", 60]);
    await recordProgressEvent(world, near, "message", "another");
    await expectLevel(world, near, 2);
    const entry = (was: number, becomes: number) => ({
      action: "level_requirement.edited",
      detail: {
        level: 1,
        kind: "engagements",
        before: { needed: was },
        after: { needed: becomes },
      },
    });
    expect(await audited(world, admin)).toEqual([entry(50, 30), entry(30, 60)]);
  });

  test("above the rooms, articles or courses there are is refused, and nothing changes", async ({
    world,
  }) => {
    const admin = await world.admin();
    const supply = await world.run(admin, "select * from public.admin_level_supply()");
    const kinds = supply.filter(({ available }) => available !== null);
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(
      new Set(["rooms", "articles", "courses"]),
    );
    for (const { level, kind, available } of kinds) {
      const above = Number(available) + 1;
      await world.refused(admin, "FF445", setRequirement, [level, kind, above]);
      // The preview says what there is instead.
      expect(await world.one(admin, preview, [level, kind, above])).toMatchObject({ available });
    }
    expect(await audited(world, admin)).toEqual([]);
    const room = `insert into public.chat_rooms (id, name, min_level_required) values ($1, 'Extra', $2)`;
    await world.run("owner", room, ["above-level-one", 2]);
    await world.refused(admin, "FF445", setRequirement, [1, "rooms", 6]);
    await world.run("owner", room, ["extra", 1]);
    await world.run(admin, setRequirement, [1, "rooms", 6]);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'extra'");
    await world.refused(admin, "FF445", setRequirement, [1, "rooms", 6]);
    // A smaller figure brings the level back within reach.
    await world.run(admin, setRequirement, [1, "rooms", 5]);
  });

  test("for more rooms than are counted today is previewed from all rooms a member opened", async ({
    world,
  }) => {
    const [admin, eager] = [await world.admin(), await world.member()];
    await recordProgressEvents(world, eager, "room_opened", 7);
    await recordProgressEvents(world, eager, "submission", 3);
    await recordProgressEvents(world, eager, "message", 40);
    // Their next event completes the level now.
    await world.run(admin, setRequirement, [1, "engagements", 40]);
    const ready = async (needed: number) =>
      Number((await world.one(admin, preview, [1, "rooms", needed]))["ready_after"]);
    expect((await ready(7)) - (await ready(8))).toBe(1);
  });

  test("counts no administrator in its preview", async ({ world }) => {
    const admin = await world.admin();
    const before = await world.one(admin, preview, [1, "rooms", 1]);
    const other = await world.member();
    await world.run("owner", "select private.make_admin($1)", [other]);
    await recordProgressEvent(world, other, "room_opened", "general");
    expect(await world.one(admin, preview, [1, "rooms", 1])).toEqual(before);
  });

  test("out of range, or one the level does not have, is refused", async ({ world }) => {
    const admin = await world.admin();
    for (const figure of [0, -1, 10_001, null]) {
      await world.refused(admin, "FF441", setRequirement, [1, "rooms", figure]);
      await world.refused(admin, "FF441", preview, [1, "rooms", figure]);
    }
    await world.refused(admin, "FF440", setRequirement, [1, "articles", 5]);
    await world.refused(admin, "FF440", setRequirement, [5, "rooms", 5]);
    expect(await audited(world, admin)).toEqual([]);
  });
});

test("the plans are shown with their members and the last word of the provider", async ({
  world,
}) => {
  const admin = await world.admin();
  const overview = async () =>
    await world.one(admin, "select * from public.plan_overview() where id = 'mentor-access'");
  const before = await overview();
  await world.member("mentor-access");
  await world.run("owner", "select private.billing_note_event('evt_settings', 'invoice.paid')");
  const after = await overview();
  expect(after).toMatchObject({ amount_pence: 10_000, currency: "GBP", is_active: true });
  expect(Number(after["members"]) - Number(before["members"])).toBe(1);
  expect(after["last_event_at"]).toBeInstanceOf(Date);
});

describe("a text of an e-mail", () => {
  test("is changed and brought back, audited, and given to the sender", async ({ world }) => {
    const [admin, member] = [await world.admin(), await recipient(world)];
    const hostile = "<script>alert(1)</script> {plan}";
    await world.run(admin, setText, ["welcome", "subject", ` ${hostile} `]);
    await enqueue(world, member, "welcome");
    expect((await claim(world, member))?.["texts"]).toEqual({ subject: hostile });
    await world.run(admin, setText, ["welcome", "subject", null]);
    const rows = await world.run(admin, "select * from public.email_text_overview()");
    expect(rows.find((row) => row["template"] === "welcome" && row["key"] === "subject")).toEqual({
      template: "welcome",
      key: "subject",
      placeholders: ["plan"],
      text: null,
    });
    const entry = (was: string | null, becomes: string | null) => ({
      action: "email_text.edited",
      detail: {
        template: "welcome",
        key: "subject",
        before: { text: was },
        after: { text: becomes },
      },
    });
    expect(await audited(world, admin)).toEqual([entry(null, hostile), entry(hostile, null)]);
  });

  test("that is empty, too long, of several lines or names an unknown value is refused", async ({
    world,
  }) => {
    const admin = await world.admin();
    for (const text of ["", "  ", "x".repeat(79), "Hello\nBcc: all@example.test", "a\u2028b"]) {
      await world.refused(admin, "FF443", setText, ["welcome", "subject", text]);
    }
    for (const text of ["{card}", "{plan", "plan}", "{{plan}}", "{ plan }", "{}"]) {
      await world.refused(admin, "FF444", setText, ["welcome", "subject", text]);
    }
    await world.refused(admin, "FF442", setText, ["welcome", "footer", "Hello"]);
    await world.refused(admin, "FF442", setText, ["no_such", "subject", "Hello"]);
    expect(await audited(world, admin)).toEqual([]);
  });

  test("can be changed for each text the templates have, with the values they fill in", async ({
    world,
  }) => {
    const rows = await world.run(
      await world.admin(),
      'select template, array_agg(key order by key collate "C") as keys, min(placeholders) as placeholders from public.email_text_overview() group by template',
    );
    const stored = Object.fromEntries(rows.map((row) => [row["template"], row["keys"]]));
    const written = Object.entries(emailTemplates).map(([name, { texts }]) => [
      name,
      Object.keys(texts).toSorted(),
    ]);
    expect(stored).toEqual(Object.fromEntries(written));
    for (const row of rows) {
      const { texts } = emailTemplates[row["template"] as keyof typeof emailTemplates];
      const named =
        Object.values(texts)
          .join(" ")
          .match(/(?<=\{)\w+(?=\})/g) ?? [];
      expect(row["placeholders"]).toEqual(expect.arrayContaining([...named]));
    }
  });
});
