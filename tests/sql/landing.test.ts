import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

const agree = "insert into public.submission_consents (submission_id, user_id) values ($1, $2)";
const takeBack = "delete from public.submission_consents where submission_id = $1";
const publish = "select public.publish_landing_text($1, $2, $3, $4) as version";
const settings = "select public.landing_settings() as settings";

/** What the landing page shows of the database. */
async function page(world: World): Promise<Record<string, unknown>> {
  const row = await world.one("owner", "select private.landing_page() as page");
  return row["page"] as Record<string, unknown>;
}

/** A member with a name and a featured submission. */
async function featured(world: World, more: Row = {}): Promise<{ author: string; id: unknown }> {
  const author = await world.member();
  await world.run(
    author,
    "update public.profiles set first_name = 'Priya', last_name = 'Raman', occupation = 'Physio' where id = $1",
    [author],
  );
  const { id } = await world.insert(author, "learning_submissions", {
    user_id: author,
    submission_type: "success",
    title: "Four places sold",
    content: "Paid.",
    ...more,
  });
  await world.run(
    "owner",
    "update public.learning_submissions set is_featured = true where id = $1",
    [id],
  );
  return { author, id };
}

describe("a submission on the landing page", () => {
  test("is shown when it is featured and its author agreed, and until the author takes that back", async ({
    world,
  }) => {
    const { author, id } = await featured(world);
    expect((await page(world))["outcomes"]).toEqual([]);
    await world.run(author, agree, [id, author]);
    expect((await page(world))["outcomes"]).toEqual([
      {
        name: "Priya",
        occupation: "Physio",
        picture: null,
        title: "Four places sold",
        text: "Paid.",
        type: "success",
      },
    ]);
    const mine = "select submission_id from public.submission_consents";
    expect(await world.run(author, mine)).toEqual([{ submission_id: id }]);
    expect(await world.count(author, takeBack, [id])).toBe(1);
    expect((await page(world))["outcomes"]).toEqual([]);
  });

  test("is not shown without the mark, nor once its words are others", async ({ world }) => {
    const { author, id } = await featured(world);
    await world.run(author, agree, [id, author]);
    await world.run(author, "select public.edit_submission($1, 'Five places sold', 'Paid.')", [id]);
    expect((await page(world))["outcomes"]).toEqual([]);
  });

  test("is not shown of a suspended author, and goes with the submission", async ({ world }) => {
    const { author, id } = await featured(world);
    await world.run(author, agree, [id, author]);
    const ban = "update auth.users set banned_until = $2 where id = $1";
    await world.run("owner", ban, [author, "2100-01-01"]);
    expect((await page(world))["outcomes"]).toEqual([]);
    await world.run("owner", ban, [author, null]);
    expect((await page(world))["outcomes"]).toHaveLength(1);
    await world.run("owner", "delete from public.learning_submissions where id = $1", [id]);
    const left = "select from public.submission_consents where submission_id = $1";
    expect(await world.run("owner", left, [id])).toEqual([]);
  });

  test("is agreed to by its author alone, who alone sees and ends it", async ({ world }) => {
    const { author, id } = await featured(world);
    const [bob, admin, lapsed] = [
      await world.member(),
      await world.admin(),
      await world.newcomer(),
    ];
    await world.refused(bob, "42501", agree, [id, bob]);
    await world.refused(admin, "42501", agree, [id, admin]);
    await world.refused(lapsed, "42501", agree, [id, lapsed]);
    for (const other of [bob, admin]) await world.refused(other, "42501", agree, [id, author]);
    await world.refused("anon", "42501", agree, [id, author]);
    expect((await page(world))["outcomes"]).toEqual([]);
    await world.run(author, agree, [id, author]);
    for (const other of [bob, admin]) {
      expect(
        await world.run(other, "select submission_id from public.submission_consents"),
      ).toEqual([]);
      expect(await world.count(other, takeBack, [id])).toBe(0);
      // Without a condition nothing is read, and only the rule of deleting holds.
      expect(await world.count(other, "delete from public.submission_consents")).toBe(0);
    }
    await world.refused(author, "42501", "update public.submission_consents set user_id = $1", [
      bob,
    ]);
    expect((await page(world))["outcomes"]).toHaveLength(1);
  });
});

describe("the words of the landing page", () => {
  test("are an administrator's, each version kept and audited; an empty one is ours again", async ({
    world,
  }) => {
    const admin = await world.admin();
    await world.run("owner", "update public.profiles set first_name = 'Marcus' where id = $1", [
      admin,
    ]);
    expect(await page(world)).toMatchObject({ headline: null, lead: null, host: null });
    const given = [" Earn more ", "A lead", admin, "I read every\n\nintroduction."];
    expect((await world.one(admin, publish, given))["version"]).toBe(1);
    expect(await page(world)).toMatchObject({
      headline: "Earn more",
      lead: "A lead",
      host: { name: "Marcus", picture: null, about: "I read every\n\nintroduction." },
    });
    expect((await world.one(admin, publish, ["\u200b", " ", null, ""]))["version"]).toBe(2);
    expect(await page(world)).toMatchObject({ headline: null, lead: null, host: null });
    const kept = "select headline from private.landing_texts order by version";
    expect(await world.run("owner", kept)).toEqual([{ headline: "Earn more" }, { headline: null }]);
    const log =
      "select actor, detail -> 'after' ->> 'headline' as headline from private.audit_log where action = 'landing_text.published' order by id";
    expect(await world.run("owner", log)).toEqual([
      { actor: admin, headline: "Earn more" },
      { actor: admin, headline: null },
    ]);
  });

  test("introduce nobody who is no administrator, now or any more", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member("mentor-access")];
    await world.refused(admin, "FF281", publish, ["", "", ada, ""]);
    await world.run("owner", "update public.profiles set first_name = 'Marcus' where id = $1", [
      admin,
    ]);
    await world.run(admin, publish, ["", "", admin, "Me"]);
    expect((await page(world))["host"]).not.toBeNull();
    await world.run("owner", "update public.profiles set role = 'student' where id = $1", [admin]);
    expect((await page(world))["host"]).toBeNull();
  });

  test("are refused when they are too long, and to everybody else", async ({ world }) => {
    const admin = await world.admin();
    for (const given of [
      ["x".repeat(121), "", null, ""],
      ["", "x".repeat(501), null, ""],
      ["", "", null, "x".repeat(1501)],
    ]) {
      await world.refused(admin, "FF280", publish, given);
    }
    const given = ["Free for all", "", null, ""];
    for (const [other, code] of [
      [await world.member("mentor-access"), "FF002"],
      [await world.plainAdmin(), "FF005"],
      ["anon", "42501"],
    ] as const) {
      await world.refused(other, code, publish, given);
      await world.refused(other, code, settings);
      await world.refused(other, "42501", "select private.landing_page()");
    }
    expect(await page(world)).toMatchObject({ headline: null });
  });

  test("are read by administrators with who can be the host, and what waits for an author", async ({
    world,
  }) => {
    const admin = await world.admin();
    await world.run("owner", "update public.profiles set first_name = 'Marcus' where id = $1", [
      admin,
    ]);
    const read = async () =>
      (await world.one(admin, settings))["settings"] as { readonly unanswered: number };
    // Other tests feature submissions of their own.
    const { unanswered } = await read();
    const { author, id } = await featured(world);
    expect(await read()).toMatchObject({
      version: 0,
      headline: null,
      outcomes: [],
      unanswered: unanswered + 1,
      hosts: expect.arrayContaining([{ id: admin, name: "Marcus", picture: null }]),
    });
    await world.run(author, agree, [id, author]);
    await world.run(admin, publish, ["Earn more", "", admin, ""]);
    expect(await read()).toMatchObject({
      version: 1,
      headline: "Earn more",
      lead: null,
      host_id: admin,
      outcomes: [{ name: "Priya" }],
      unanswered,
    });
  });
});

describe("what the landing page counts", () => {
  test("is what members find, and marks the demo's install alone", async ({ world }) => {
    const before = await page(world);
    const rooms = "select count(*) as n from public.chat_rooms where is_active";
    expect(before["rooms"]).toBe(Number((await world.one("owner", rooms))["n"]));
    expect(before).toMatchObject({ is_trial: false, claims: null });
    await world.member("mentor-access");
    await world.run(
      "owner",
      "update public.chat_rooms set is_active = false where name = 'General'",
    );
    await world.run("owner", "insert into private.install_marks (mark) values ('demo_accounts')");
    expect(await page(world)).toMatchObject({
      rooms: Number(before["rooms"]) - 1,
      mentors: Number(before["mentors"]) + 1,
      is_trial: true,
    });
  });
});

test("the plans on the page are those on sale, with a year only where it is sold", async ({
  world,
}) => {
  // Other tests of the same database may sell a year by now.
  await world.run(
    "owner",
    "update public.plans set is_active = true, yearly_price_id = null, yearly_amount_pence = null",
  );
  const plan = { currency: "GBP", yearly_pence: null };
  const student = { ...plan, role: "student", name: "Student Access", monthly_pence: 5000 };
  const mentor = { ...plan, role: "mentor", name: "Mentor Access", monthly_pence: 10_000 };
  expect((await page(world))["plans"]).toEqual([student, mentor]);
  await world.run(
    "owner",
    "update public.plans set yearly_price_id = 'price_year', yearly_amount_pence = 50000 where role = 'student'",
  );
  await world.run("owner", "update public.plans set is_active = false where role = 'mentor'");
  expect((await page(world))["plans"]).toEqual([{ ...student, yearly_pence: 50_000 }]);
});
