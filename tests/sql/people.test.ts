import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

const profileSql = "select public.member_profile($1) as profile";
const choicesSql = "select public.set_profile_choices($1, $2, $3)";
const blockSql = "select public.block_member($1)";
const unblockSql = "select public.unblock_member($1)";
const suspendSql = "update auth.users set banned_until = now() + interval '1 day' where id = $1";

async function profileOf(world: World, reader: string, member: unknown): Promise<Row | null> {
  return (await world.one(reader, profileSql, [member]))["profile"] as Row | null;
}

interface Filters {
  readonly search?: string;
  readonly level?: number;
  readonly role?: string;
  readonly occupation?: string;
  readonly topic?: string;
  readonly after_id?: string;
  readonly page_size?: number;
}

const names = ["search", "level", "role", "occupation", "topic", "after_id", "page_size"] as const;
const pageSql = `select user_id from public.directory_page(${names.map((name, at) => `${name} => $${at + 1}`).join(", ")})`;

/** The ids of one page of the directory, in its order. */
async function page(world: World, reader: string, filters: Filters): Promise<unknown[]> {
  const values = names.map((name) => filters[name] ?? null);
  return (await world.run(reader, pageSql, values)).map((row) => row["user_id"]);
}

/** A word that no other account has in its name or topics. */
const mark = () => `q${randomUUID().replaceAll(/[^a-z]/g, "")}zx`;

async function named(world: World, first_name: string, last_name: string, occupation: string) {
  const id = await world.member();
  await world.run(
    "owner",
    "update public.profiles set first_name = $2, last_name = $3, occupation = $4 where id = $1",
    [id, first_name, last_name, occupation],
  );
  return id;
}

describe("a profile", () => {
  test("shows a member what another says of themselves, and not more", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member("mentor-access")];
    await world.run(ada, "update public.profiles set bio = 'Builds engines' where id = $1", [ada]);
    await world.run(ada, choicesSql, [["Engines", " engines ", "Number  theory"], true, true]);
    await world.insert(ada, "learning_submissions", {
      user_id: ada,
      submission_type: "success",
      title: "It runs",
      content: "At last.",
    });
    const shown = await profileOf(world, bob, ada);
    expect(Object.keys(shown ?? {}).toSorted()).toEqual([
      "avatar_url",
      "bio",
      "id",
      "is_blocked",
      "joined_on",
      "level",
      "name",
      "occupation",
      "role",
      "submissions",
      "topics",
    ]);
    expect(shown).toMatchObject({
      id: ada,
      name: "Ada Byron",
      role: "student",
      occupation: "Engineer",
      bio: "Builds engines",
      level: 1,
      topics: ["Engines", "Number theory"],
      is_blocked: false,
      submissions: { count: 1, newest: [{ type: "success", title: "It runs" }] },
    });
    await world.run(ada, choicesSql, [[], true, false]);
    expect(await profileOf(world, bob, ada)).toMatchObject({ submissions: null, topics: [] });
  });

  test("is for members only, of members only", async ({ world }) => {
    const [ada, bob, lapsed] = [await world.member(), await world.member(), await world.member()];
    await world.setSubscriptionStatus(lapsed, "canceled");
    const newcomer = await world.newcomer();
    await world.refused("anon", "42501", profileSql, [ada]);
    for (const outsider of [newcomer, lapsed]) {
      await world.refused(outsider, "FF700", profileSql, [ada]);
      await world.refused(outsider, "FF700", "select public.directory_page()");
      await world.refused(outsider, "FF700", choicesSql, [[], true, true]);
      await world.refused(outsider, "FF700", blockSql, [ada]);
      await world.refused(outsider, "FF700", "select public.report_member($1, 'Spam')", [ada]);
    }
    for (const nobody of [newcomer, lapsed, randomUUID(), null]) {
      expect(await profileOf(world, ada, nobody)).toBeNull();
    }
    expect(await profileOf(world, ada, bob)).not.toBeNull();
    await world.run("owner", suspendSql, [bob]);
    expect(await profileOf(world, ada, bob)).toBeNull();
    expect(await profileOf(world, ada, await world.plainAdmin())).toMatchObject({ role: "admin" });
  });

  test("can be read and searched 120 times a minute", async ({ world }) => {
    const ada = await world.member();
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action = 'people'",
    );
    await profileOf(world, ada, ada);
    await page(world, ada, {});
    await world.refused(ada, "FF300", profileSql, [ada]);
    await world.refused(ada, "FF300", "select public.directory_page()");
  });
});

describe("what a profile shows", () => {
  test("is chosen by its owner, within limits", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    for (const topics of [["x".repeat(41)], ["a\u0007"], ["\u200b"], Array.from("abcdefghi")]) {
      await world.refused(ada, "FF701", choicesSql, [topics, true, true]);
    }
    await world.run(ada, choicesSql, [[...Array.from("abcdefgh"), "A", " "], false, false]);
    const own = "select user_id, topics, is_listed, shows_submissions from public.profile_choices";
    expect(await world.one(ada, own)).toEqual({
      user_id: ada,
      topics: Array.from("abcdefgh"),
      is_listed: false,
      shows_submissions: false,
    });
    expect(await world.run(bob, own)).toEqual([]);
    const values: unknown[] = [bob, ["Mine"]];
    const insert = "insert into public.profile_choices (user_id, topics) values ($1, $2)";
    await world.refused(bob, "42501", insert, values);
    await world.refused(ada, "42501", "update public.profile_choices set is_listed = true");
    await world.refused(ada, "42501", "delete from public.profile_choices");
    const nine = "update public.profile_choices set topics = $2 where user_id = $1";
    await world.refused("owner", "23514", nine, [ada, Array.from("abcdefghi")]);
    await world.refused("owner", "23505", insert, values.with(0, ada));
    await world.refused("owner", "23503", insert, values.with(0, randomUUID()));
    for (const actor of [ada, "service_role"]) {
      await world.refused(actor, "42501", "select * from private.directory_entries");
    }
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'profile_choices'",
    );
    await world.refused(ada, "FF300", choicesSql, [[], true, true]);
  });
});

describe("the directory", () => {
  test("finds members by name, occupation and topic, also misspelt", async ({ world }) => {
    const reader = await world.member();
    const last = mark();
    const tom = await named(world, "Tom", last, "Bookkeeper in Leeds");
    const ines = await named(world, "Inés", last, "Plumber");
    await world.run(ines, choicesSql, [["VAT returns"], true, true]);
    expect(await page(world, reader, { search: last })).toEqual([ines, tom]);
    expect(await page(world, reader, { search: `ines ${last}` })).toEqual([ines]);
    expect(await page(world, reader, { search: `bookeeper ${last}` })).toEqual([tom]);
    expect(await page(world, reader, { search: `vat ${last}` })).toEqual([ines]);
    const swapped = `${last.slice(0, 4)}${last.charAt(5)}${last.charAt(4)}${last.slice(6)}`;
    expect(await page(world, reader, { search: swapped })).toEqual([ines, tom]);
    expect(await page(world, reader, { search: `%_ ${last}` })).toEqual([]);
    expect(await page(world, reader, { search: last, occupation: "PLUMB" })).toEqual([ines]);
    expect(await page(world, reader, { search: last, topic: "vat RETURNS" })).toEqual([ines]);
    expect(await page(world, reader, { search: last, topic: "vat" })).toEqual([]);
    expect(await page(world, reader, { topic: "VAT returns" })).toContain(ines);
  });

  test("filters by level and role, and refuses filters that do not exist", async ({ world }) => {
    const reader = await world.member();
    const last = mark();
    const low = await named(world, "Al", last, "Baker");
    const high = await named(world, "Bo", last, "Baker");
    await world.run("owner", "update public.user_levels set current_level = 3 where user_id = $1", [
      high,
    ]);
    await world.run("owner", "update public.profiles set role = 'mentor' where id = $1", [high]);
    expect(await page(world, reader, { search: last, level: 1 })).toEqual([low]);
    expect(await page(world, reader, { search: last, level: 3 })).toEqual([high]);
    expect(await page(world, reader, { search: last, role: "student" })).toEqual([low]);
    expect(await page(world, reader, { search: last, role: "mentor" })).toEqual([high]);
    const values = (filters: Filters) => names.map((name) => filters[name] ?? null);
    for (const filters of [
      { role: "admin" },
      { level: 0 },
      { level: 5 },
      { search: "x".repeat(201) },
      { occupation: "x".repeat(151) },
      { topic: "x".repeat(41) },
    ]) {
      await world.refused(reader, "FF705", pageSql, values(filters));
    }
  });

  test("comes page by page, best matches first, then by name", async ({ world }) => {
    const reader = await world.member();
    const last = mark();
    const near = await named(world, "Aaa", `${last}x`, "Baker");
    const others = [];
    for (const first of ["Bea", "Cal", "Dot"]) {
      others.push(await named(world, first, `${last}y`, "Baker"));
    }
    const search = `${last}y`;
    const seen: unknown[] = [];
    for (;;) {
      const after = seen.at(-1) as string | undefined;
      const next = await page(world, reader, {
        search,
        page_size: 2,
        ...(after === undefined ? {} : { after_id: after }),
      });
      if (next.length === 0) break;
      seen.push(...next);
    }
    expect(seen).toEqual([...others, near]);
    const all = await world.run(reader, "select from public.directory_page(page_size => 500)");
    expect(all.length).toBeLessThanOrEqual(50);
    const [first, second] = await page(world, reader, { page_size: 2 });
    expect(await page(world, reader, { page_size: 1, after_id: String(first) })).toEqual([second]);
  });

  test("leaves out who is not listed, not a member now, suspended, or an administrator", async ({
    world,
  }) => {
    const reader = await world.member();
    const last = mark();
    const search = { search: last };
    const ids = [];
    for (const first of ["Ann", "Ben", "Cat", "Dan", "Eve"]) {
      ids.push(await named(world, first, last, "Baker"));
    }
    const [hidden, lapsed, suspended, admin, shown] = ids as [
      string,
      string,
      string,
      string,
      string,
    ];
    expect(await page(world, reader, search)).toEqual(ids);
    await world.run(hidden, choicesSql, [[], false, true]);
    await world.setSubscriptionStatus(lapsed, "canceled");
    await world.run("owner", suspendSql, [suspended]);
    await world.run("owner", "select private.make_admin($1)", [admin]);
    expect(await page(world, reader, search)).toEqual([shown]);
    // Who is not listed still has a profile for those who meet them in a room.
    expect(await profileOf(world, reader, hidden)).not.toBeNull();
    await world.run(hidden, choicesSql, [[], true, true]);
    expect(await page(world, reader, search)).toEqual([hidden, shown]);
    await world.run("owner", "delete from auth.users where id = $1", [shown]);
    expect(await page(world, reader, search)).toEqual([hidden]);
  });
});

describe("a block", () => {
  test("hides the two from each other, and the blocked member cannot tell", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const last = mark();
    for (const id of [ada, bob]) {
      await world.run("owner", "update public.profiles set last_name = $2 where id = $1", [
        id,
        last,
      ]);
    }
    await world.run(ada, blockSql, [bob]);
    await world.run(ada, blockSql, [bob]);
    expect(await page(world, ada, { search: last })).toEqual([ada]);
    expect(await page(world, bob, { search: last })).toEqual([bob]);
    expect(await page(world, cleo, { search: last })).toHaveLength(2);
    expect(await profileOf(world, bob, ada)).toBeNull();
    expect(await profileOf(world, ada, bob)).toEqual({
      id: bob,
      name: `Ada ${last}`,
      role: "student",
      is_blocked: true,
    });
    const rows = "select user_id, blocked_id from private.member_blocks where user_id = $1";
    const mine = "select member_id, name from public.my_blocks()";
    for (const other of [bob, cleo]) {
      expect(await world.run(other, mine)).toEqual([]);
      // Unblocking takes back one's own block only.
      await world.run(other, unblockSql, [bob]);
      await world.run(other, unblockSql, [ada]);
    }
    expect(await world.run("owner", rows, [ada])).toEqual([{ user_id: ada, blocked_id: bob }]);
    expect(await world.run(ada, mine)).toEqual([{ member_id: bob, name: `Ada ${last}` }]);
    await world.run(ada, unblockSql, [bob]);
    expect(await profileOf(world, bob, ada)).not.toBeNull();
  });

  test("is refused for oneself, administrators and strangers, forged rows, and beyond its limit", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.refused(ada, "FF703", blockSql, [ada]);
    await world.refused(ada, "FF704", blockSql, [await world.plainAdmin()]);
    for (const nobody of [randomUUID(), null, await world.newcomer()]) {
      await world.refused(ada, "FF702", blockSql, [nobody]);
    }
    const insert = "insert into private.member_blocks (user_id, blocked_id) values ($1, $2)";
    for (const actor of [ada, "service_role"]) {
      await world.refused(actor, "42501", insert, [bob, ada]);
      await world.refused(actor, "42501", "select from private.member_blocks");
      await world.refused(actor, "42501", "delete from private.member_blocks");
    }
    await world.refused("owner", "23514", insert, [ada, ada]);
    await world.refused("anon", "42501", blockSql, [ada]);
    await world.refused("anon", "42501", unblockSql, [ada]);
    await world.run("owner", "update private.rate_limits set max_count = 1 where action = 'block'");
    await world.run(ada, blockSql, [bob]);
    await world.refused(ada, "FF300", blockSql, [await world.member()]);
    await world.refused("owner", "23505", insert, [ada, bob]);
    await world.refused("owner", "23503", insert, [randomUUID(), bob]);
    await world.refused("owner", "23503", insert, [ada, randomUUID()]);
    const left = "select from private.member_blocks where user_id = $1";
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect(await world.run("owner", left, [ada])).toEqual([]);
    const cleo = await world.member();
    await world.run("owner", insert, [cleo, ada]);
    await world.run("owner", "delete from auth.users where id = $1", [cleo]);
    expect(await world.run("owner", left, [cleo])).toEqual([]);
  });

  test("ends notifications between the two, those made before as well", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const submission = {
      submission_type: "success",
      title: "It runs",
      content: "At last.",
    };
    const { id } = await world.insert(ada, "learning_submissions", { user_id: ada, ...submission });
    const comment = async (user_id: string) =>
      await world.insert(user_id, "learning_submission_comments", {
        user_id,
        submission_id: id,
        content: "Well done",
      });
    const actors = async () =>
      (
        await world.run("owner", "select actor_id from public.notifications where user_id = $1", [
          ada,
        ])
      ).map((row) => row["actor_id"]);
    await comment(bob);
    expect(await actors()).toEqual([bob]);
    await world.run(ada, blockSql, [bob]);
    expect(await actors()).toEqual([]);
    await comment(bob);
    await comment(cleo);
    expect(await actors()).toEqual([cleo]);
    // The other way round as well: the one who blocked is not announced to the blocked member.
    const own = await world.insert(bob, "learning_submissions", { user_id: bob, ...submission });
    await world.insert(ada, "learning_submission_likes", {
      user_id: ada,
      submission_id: own["id"],
    });
    expect(
      await world.run("owner", "select from public.notifications where user_id = $1", [bob]),
    ).toEqual([]);
  });
});
