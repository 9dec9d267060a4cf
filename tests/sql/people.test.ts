import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  directoryArguments,
  directoryPage,
  directorySql,
  namedMember,
  newMark,
  profileOf,
  type PageFilters,
} from "./people-world.ts";
import { test } from "./world.ts";

const profileSql = "select public.member_profile($1) as profile";
const choicesSql = "select public.set_profile_choices($1, $2, $3)";
const blockSql = "select public.block_member($1)";
const suspendSql = "update auth.users set banned_until = now() + interval '1 day' where id = $1";

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
      "achievements",
      "avatar_url",
      "bio",
      "id",
      "is_blocked",
      "joined_on",
      "kept_pacts",
      "level",
      "name",
      "occupation",
      "role",
      "submissions",
      "texts",
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
      await world.refused(outsider, "FF700", "select public.people_page()");
      await world.refused(outsider, "FF700", choicesSql, [[], true, true]);
      await world.refused(outsider, "FF700", blockSql, [ada]);
      await world.refused(outsider, "FF700", "select public.report('profile', $1, 'Spam')", [ada]);
    }
    for (const nobody of [newcomer, lapsed, randomUUID(), null]) {
      expect(await profileOf(world, ada, nobody)).toBeNull();
    }
    expect(await profileOf(world, ada, bob)).not.toBeNull();
    await world.run("owner", suspendSql, [bob]);
    expect(await profileOf(world, ada, bob)).toBeNull();
    expect(await profileOf(world, ada, await world.admin())).toMatchObject({ role: "admin" });
  });

  test("can be read and searched 120 times a minute", async ({ world }) => {
    const ada = await world.member();
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action = 'people'",
    );
    await profileOf(world, ada, ada);
    await directoryPage(world, ada, {});
    await world.refused(ada, "FF300", profileSql, [ada]);
    await world.refused(ada, "FF300", "select public.people_page()");
  });
});

describe("what a profile shows", () => {
  test("is chosen by its owner, within limits", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    for (const topics of [["x".repeat(41)], ["a\u0007"], ["\u200b"], Array.from("abcdefghi")]) {
      await world.refused(ada, "FF701", choicesSql, [topics, true, true]);
    }
    await world.run(ada, choicesSql, [[...Array.from("abcdefgh"), "A", " "], false, false]);
    const own =
      "select user_id, topics, is_listed, shows_submissions, shows_achievements from public.profile_choices";
    expect(await world.one(ada, own)).toEqual({
      user_id: ada,
      topics: Array.from("abcdefgh"),
      is_listed: false,
      shows_submissions: false,
      shows_achievements: true,
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
    const last = newMark();
    const tom = await namedMember(world, "Tom", last, "Bookkeeper in Leeds");
    const ines = await namedMember(world, "Inés", last, "Plumber");
    await world.run(ines, choicesSql, [["VAT returns"], true, true]);
    expect(await directoryPage(world, reader, { search: last })).toEqual([ines, tom]);
    expect(await directoryPage(world, reader, { search: `ines ${last}` })).toEqual([ines]);
    expect(await directoryPage(world, reader, { search: `bookeeper ${last}` })).toEqual([tom]);
    expect(await directoryPage(world, reader, { search: `vat ${last}` })).toEqual([ines]);
    const swapped = `${last.slice(0, 4)}${last.charAt(5)}${last.charAt(4)}${last.slice(6)}`;
    expect(await directoryPage(world, reader, { search: swapped })).toEqual([ines, tom]);
    expect(await directoryPage(world, reader, { search: `%_ ${last}` })).toEqual([]);
    expect(await directoryPage(world, reader, { search: last, occupation: "PLUMB" })).toEqual([
      ines,
    ]);
    expect(await directoryPage(world, reader, { search: last, topic: "vat RETURNS" })).toEqual([
      ines,
    ]);
    expect(await directoryPage(world, reader, { search: last, topic: "vat" })).toEqual([]);
    expect(await directoryPage(world, reader, { topic: "VAT returns" })).toContain(ines);
  });

  test("filters by level and role, and refuses filters that do not exist", async ({ world }) => {
    const reader = await world.member();
    const last = newMark();
    const low = await namedMember(world, "Al", last, "Baker");
    const high = await namedMember(world, "Bo", last, "Baker");
    await world.run("owner", "update public.user_levels set current_level = 3 where user_id = $1", [
      high,
    ]);
    await world.run("owner", "update public.profiles set role = 'mentor' where id = $1", [high]);
    expect(await directoryPage(world, reader, { search: last, level: 1 })).toEqual([low]);
    expect(await directoryPage(world, reader, { search: last, level: 3 })).toEqual([high]);
    expect(await directoryPage(world, reader, { search: last, role: "student" })).toEqual([low]);
    expect(await directoryPage(world, reader, { search: last, role: "mentor" })).toEqual([high]);
    const values = (filters: PageFilters) =>
      directoryArguments.map((name) => filters[name] ?? null);
    for (const filters of [{ role: "admin" }, { level: 0 }, { level: 5 }]) {
      await world.refused(reader, "FF705", directorySql, values(filters));
    }
    // A pasted paragraph is nobody's name.
    for (const filters of [
      { search: `${last} `.repeat(20) },
      { occupation: "Baker ".repeat(30) },
      { topic: "x".repeat(41) },
    ]) {
      expect(await directoryPage(world, reader, filters)).toEqual([]);
    }
  });

  test("comes page by page, best matches first, then by name", async ({ world }) => {
    const reader = await world.member();
    const last = newMark();
    const near = await namedMember(world, "Aaa", `${last}x`, "Baker");
    const others = [];
    for (const first of ["Bea", "Cal", "Dot"]) {
      others.push(await namedMember(world, first, `${last}y`, "Baker"));
    }
    const search = `${last}y`;
    const seen: unknown[] = [];
    for (;;) {
      const after = seen.at(-1) as string | undefined;
      const next = await directoryPage(world, reader, {
        search,
        page_size: 2,
        ...(after === undefined ? {} : { after_id: after }),
      });
      if (next.length === 0) break;
      seen.push(...next);
    }
    expect(seen).toEqual([...others, near]);
    const all = await world.run(reader, "select from public.people_page(page_size => 500)");
    expect(all.length).toBeLessThanOrEqual(50);
    const [first, second] = await directoryPage(world, reader, { page_size: 2 });
    expect(await directoryPage(world, reader, { page_size: 1, after_id: String(first) })).toEqual([
      second,
    ]);
  });

  test("has mentors first, with the beginning of what each says of themselves", async ({
    world,
  }) => {
    const reader = await world.member();
    const last = newMark();
    const ann = await namedMember(world, "Ann", last, "Baker");
    const ben = await namedMember(world, "Ben", last, "Baker");
    const zoe = await namedMember(world, "Zoe", last, "Baker");
    await world.run("owner", "update public.profiles set role = 'mentor' where id = $1", [zoe]);
    await world.run("owner", "update public.profiles set bio = repeat('b', 400) where id = $1", [
      zoe,
    ]);
    const search = { search: last };
    expect(await directoryPage(world, reader, search)).toEqual([zoe, ann, ben]);
    const after = { ...search, page_size: 1 };
    expect(await directoryPage(world, reader, { ...after, after_id: zoe })).toEqual([ann]);
    expect(await directoryPage(world, reader, { ...after, after_id: ann })).toEqual([ben]);
    const rows = await world.run(
      reader,
      "select user_id, bio from public.people_page(search => $1)",
      [last],
    );
    expect(rows.map(({ bio }) => bio)).toEqual(["b".repeat(300), null, null]);
    await world.run("owner", "update public.profiles set role = 'student' where id = $1", [zoe]);
    expect(await directoryPage(world, reader, search)).toEqual([ann, ben, zoe]);
  });

  test("leaves out who is not listed, not a member now, suspended, or an administrator", async ({
    world,
  }) => {
    const reader = await world.member();
    const last = newMark();
    const search = { search: last };
    const ids = [];
    for (const first of ["Ann", "Ben", "Cat", "Dan", "Eve"]) {
      ids.push(await namedMember(world, first, last, "Baker"));
    }
    const [hidden, lapsed, suspended, admin, shown] = ids as [
      string,
      string,
      string,
      string,
      string,
    ];
    expect(await directoryPage(world, reader, search)).toEqual(ids);
    await world.run(hidden, choicesSql, [[], false, true]);
    await world.setSubscriptionStatus(lapsed, "canceled");
    await world.run("owner", suspendSql, [suspended]);
    await world.run("owner", "select private.make_admin($1)", [admin]);
    expect(await directoryPage(world, reader, search)).toEqual([shown]);
    // Who is not listed still has a profile for those who meet them in a room.
    expect(await profileOf(world, reader, hidden)).not.toBeNull();
    await world.run(hidden, choicesSql, [[], true, true]);
    expect(await directoryPage(world, reader, search)).toEqual([hidden, shown]);
    await world.run("owner", "delete from auth.users where id = $1", [shown]);
    expect(await directoryPage(world, reader, search)).toEqual([hidden]);
  });

  test("does not go on after a member whom the reader may not find", async ({ world }) => {
    const reader = await world.member();
    const last = newMark();
    const ids: string[] = [];
    for (const first of ["Ann", "Ben", "Cat", "Dan", "Eve", "Zoe"]) {
      ids.push(await namedMember(world, first, last, "Baker"));
    }
    const [hidden = "", lapsed = "", suspended = "", blocking = "", blocked = "", shown = ""] = ids;
    const after = async (id: string) => {
      // With misspelt words the page is written in another way.
      const [exact, misspelt] = [last, `${last.slice(0, 3)}q${last.slice(4)}`];
      const found = [];
      for (const search of [exact, misspelt]) {
        found.push(await directoryPage(world, reader, { search, after_id: id }));
      }
      return found;
    };
    for (const id of ids.slice(0, 5)) {
      for (const page of await after(id)) expect(page).toContain(shown);
    }
    await world.run(hidden, choicesSql, [[], false, true]);
    await world.setSubscriptionStatus(lapsed, "canceled");
    await world.run("owner", suspendSql, [suspended]);
    await world.run(blocking, blockSql, [reader]);
    await world.run(reader, blockSql, [blocked]);
    for (const id of ids.slice(0, 5)) expect(await after(id)).toEqual([[], []]);
  });
});
