import { describe, expect } from "vitest";
import { article, atLevel, courseOf, markRead, openArticle, shelf } from "./library-world.ts";
import { userProgressOf } from "./progress-events.ts";
import { test, type Row, type World } from "./world.ts";

const createRoom = "select public.create_room($1, $2, $3)";
const editItem = "select public.edit_content_item($1, $2, is_published => $3, is_featured => $4)";
const nothing = "00000000-0000-4000-8000-000000000000";

async function audited(world: World, admin: string): Promise<Row[]> {
  const sql = "select action, subject, detail from private.audit_log where actor = $1 order by id";
  return await world.run("owner", sql, [admin]);
}

describe("content of the console", () => {
  test("is refused to visitors, students, mentors and the server role", async ({ world }) => {
    const room = "select id from public.chat_rooms limit 1";
    const shelfId = await shelf(world, "general");
    const item = await article(world, shelfId);
    const calls: [string, unknown[]][] = [
      ["select * from public.admin_rooms()", []],
      [createRoom, ["den", "Den", 1]],
      [`select public.edit_room((${room}), is_active => false)`, []],
      ["select * from public.admin_subcategories()", []],
      ["select public.create_subcategory('general', 'den', 'Den')", []],
      ["select public.edit_subcategory($1, is_active => false)", [shelfId]],
      ["select * from public.admin_library_items('articles')", []],
      [editItem, ["articles", item, false, true]],
      ["select * from public.admin_level_supply()", []],
    ];
    for (const [sql, values] of calls) {
      for (const actor of [await world.member(), await world.member("mentor-access")]) {
        await world.refused(actor, "FF002", sql, values);
      }
      await world.refused("anon", "42501", sql, values);
      await world.refused("service_role", "42501", sql, values);
    }
    expect(
      await world.one("owner", "select is_published from public.articles where id = $1", [item]),
    ).toEqual({ is_published: true });
    for (const actor of ["anon", "service_role", await world.admin()]) {
      await world.refused(actor, "42501", "select from private.console_edits");
    }
  });
});

describe("a room", () => {
  test("is created, edited, ordered and closed by an administrator, audited", async ({ world }) => {
    const [admin, member] = [await world.admin(), await world.member()];
    await world.run(admin, createRoom, ["the-den", " The Den ", 1]);
    const listed = async () =>
      (await world.run(member, "select id, name from public.chat_room_overview()")).map(
        (row) => `${String(row["id"])} ${String(row["name"])}`,
      );
    expect((await listed()).at(5)).toBe("the-den The Den");
    await world.run(
      admin,
      "select public.edit_room('the-den', name => 'Lair', description => 'Deep')",
    );
    // Every other room of the level has the place 0.
    await world.run(
      "owner",
      "update public.chat_rooms set display_order = 1 where id <> 'the-den'",
    );
    expect((await listed()).at(0)).toBe("the-den Lair");
    await world.run(member, "select public.increment_participant_count('the-den')");
    const message = { user_id: member, chat_room_id: "the-den", content: "Hello" };
    await world.insert(member, "chat_messages", message);

    await world.run(admin, "select public.edit_room('the-den', is_active => false)");
    expect((await listed()).join()).not.toContain("the-den");
    const see = "select from public.chat_rooms where id = 'the-den'";
    expect(await world.run(member, see)).toEqual([]);
    await world.refused(member, "FF310", "select public.increment_participant_count('the-den')");
    const rooms = await world.run(admin, "select * from public.admin_rooms()");
    expect(rooms.find(({ id }) => id === "the-den")).toMatchObject({
      is_active: false,
      participant_count: 0,
      name: "Lair",
    });
    const kept = "select count(*)::integer as n from public.chat_messages where chat_room_id = $1";
    expect(await world.one("owner", kept, ["the-den"])).toEqual({ n: 1 });
    expect(await userProgressOf(world, member)).toMatchObject({
      chat_rooms_opened: ["the-den"],
      message_engagements: 1,
    });

    await world.run(admin, "select public.edit_room('the-den', is_active => true)");
    await world.run(admin, "select public.edit_room('the-den', is_active => true)");
    const read = "select content from public.chat_messages where chat_room_id = 'the-den'";
    expect(await world.run(member, read)).toEqual([{ content: "Hello" }]);
    expect(await audited(world, admin)).toMatchObject([
      { action: "room.created", detail: { room: "the-den", after: { name: "The Den" } } },
      {
        action: "room.edited",
        detail: {
          room: "the-den",
          before: { name: "The Den", description: "" },
          after: { name: "Lair", description: "Deep" },
        },
      },
      { detail: { before: { is_active: true }, after: { is_active: false } } },
      { detail: { before: { is_active: false }, after: { is_active: true } } },
    ]);
  });

  test("is announced to signed-in accounts when it is made or changes, not when members come and go", async ({
    world,
  }) => {
    const admin = await world.admin();
    const sent =
      "select count(*)::int as n from realtime.messages where topic = 'rooms' and payload ->> 'id' = 'told'";
    const told = async () => (await world.one("owner", sent))["n"];
    await world.run(admin, createRoom, ["told", "Told", 1]);
    expect(await told()).toBe(1);
    await world.run(await world.member(), "select public.increment_participant_count('told')");
    expect(await told()).toBe(1);
    await world.run(admin, "select public.edit_room('told', is_active => false)");
    expect(await told()).toBe(2);
  });

  test("that is raised to a level counts no member below it any more", async ({ world }) => {
    const [admin, low, high] = [await world.admin(), await world.member(), await atLevel(world, 2)];
    await world.run(admin, createRoom, ["raised", "Raised", 1]);
    const join = "select public.increment_participant_count('raised')";
    for (const member of [low, high]) await world.run(member, join);
    await world.run(admin, "select public.edit_room('raised', min_level_required => 2)");
    const count = "select participant_count from public.chat_rooms where id = 'raised'";
    expect(await world.one("owner", count)).toEqual({ participant_count: 1 });
  });

  test("with values out of limits, a taken id or no such id is refused", async ({ world }) => {
    const admin = await world.admin();
    await world.refused(admin, "23505", createRoom, ["general", "Again", 1]);
    for (const [id, name, level] of [
      ["Not a slug", "Den", 1],
      ["den", " ", 1],
      ["den", "Den", 5],
      ["den", "x".repeat(81), 1],
    ]) {
      await world.refused(admin, "23514", createRoom, [id, name, level]);
    }
    await world.refused(admin, "FF430", "select public.edit_room('cellar', is_active => true)");
    await world.refused(admin, "23514", "select public.edit_room('general', name => ' ')");
    expect(await audited(world, admin)).toEqual([]);
  });
});

describe("a subcategory", () => {
  test("is created, edited and closed; its members' reads stay", async ({ world }) => {
    const [admin, reader] = [await world.admin(), await atLevel(world, 2)];
    const created = await world.one(
      admin,
      "select public.create_subcategory('general', 'focus', ' Focus ') as id",
    );
    const id = String(created["id"]);
    const item = await article(world, id);
    await openArticle(world, reader, item);
    await markRead(world, reader, item);
    await world.run(
      admin,
      "select public.edit_subcategory($1, color => '#aa0000', is_active => false)",
      [id],
    );
    const seen = "select from public.articles where id = $1";
    expect(await world.run(reader, seen, [item])).toEqual([]);
    expect(await userProgressOf(world, reader)).toMatchObject({
      articles_read_by_category: { general: [item] },
    });
    const rows = await world.run(admin, "select * from public.admin_subcategories()");
    expect(rows.find((row) => row["id"] === id)).toMatchObject({
      name: "Focus",
      article_count: 1,
      is_active: false,
    });
    expect(await audited(world, admin)).toMatchObject([
      { action: "subcategory.created", detail: { subcategory: id } },
      {
        action: "subcategory.edited",
        detail: {
          before: { color: "#64748b", is_active: true },
          after: { color: "#aa0000", is_active: false },
        },
      },
    ]);
    await world.run(admin, "select public.edit_subcategory($1, is_active => true)", [id]);
    expect(await world.run(reader, seen, [item])).toHaveLength(1);
  });

  test("with values out of limits, a taken slug or no such id is refused", async ({ world }) => {
    const admin = await world.admin();
    const create = "select public.create_subcategory($1, $2, $3)";
    await world.run(admin, create, ["general", "focus", "Focus"]);
    await world.refused(admin, "23505", create, ["general", "focus", "Focus"]);
    await world.refused(admin, "23514", create, ["music", "focus", "Focus"]);
    await world.refused(admin, "23514", create, ["general", "../focus", "Focus"]);
    const edit = "select public.edit_subcategory($1, color => $2)";
    await world.refused(admin, "FF430", edit, [nothing, "#ffffff"]);
    const focus = await world.one(
      "owner",
      "select id from public.subcategories where slug = 'focus'",
    );
    await world.refused(admin, "23514", edit, [focus["id"], "red; background: url(x)"]);
  });
});

describe("an article or a course", () => {
  test("is withdrawn, published and featured; no read or completion is taken away", async ({
    world,
  }) => {
    const [admin, reader] = [await world.admin(), await atLevel(world, 2)];
    const id = await shelf(world, "general");
    const item = await article(world, id);
    const course = await courseOf(world, id, 1);
    await openArticle(world, reader, item);
    await markRead(world, reader, item);
    const enrol = "insert into public.course_enrollments (user_id, course_id) values ($1, $2)";
    await world.run(reader, enrol, [reader, course.id]);
    const finish = "insert into public.module_completions (user_id, module_id) values ($1, $2)";
    await world.run(reader, finish, [reader, course.modules[0]]);
    const progress = await userProgressOf(world, reader);

    await world.run(admin, editItem, ["articles", item, false, null]);
    await world.run(admin, editItem, ["courses", course.id, false, true]);
    expect(await world.run(reader, "select from public.articles where id = $1", [item])).toEqual(
      [],
    );
    expect(
      await world.run(reader, "select from public.courses where id = $1", [course.id]),
    ).toEqual([]);
    expect(await userProgressOf(world, reader)).toEqual(progress);
    const enrolment =
      "select progress_percentage, completed_at is not null as done from public.course_enrollments where user_id = $1";
    expect(await world.one("owner", enrolment, [reader])).toEqual({
      progress_percentage: 100,
      done: true,
    });

    const listed = async (shelfName: string, status: string) =>
      await world.run(
        admin,
        "select id, readers from public.admin_library_items($1, subcategory => $2, status => $3)",
        [shelfName, id, status],
      );
    expect(await listed("articles", "withdrawn")).toEqual([{ id: item, readers: 1 }]);
    expect(await listed("courses", "featured")).toEqual([{ id: course.id, readers: 1 }]);
    expect(await listed("courses", "published")).toEqual([]);
    await world.run(admin, editItem, ["articles", item, true, true]);
    expect(await listed("articles", "published")).toHaveLength(1);
    expect(await audited(world, admin)).toMatchObject([
      {
        action: "article.edited",
        detail: { article: item, before: { is_published: true }, after: { is_published: false } },
      },
      {
        action: "course.edited",
        detail: {
          before: { is_published: true, is_featured: false },
          after: { is_published: false, is_featured: true },
        },
      },
      { action: "article.edited", detail: { after: { is_published: true, is_featured: true } } },
    ]);
    await world.refused(admin, "FF430", editItem, ["articles", course.id, true, null]);
    await world.refused(admin, "FF407", editItem, ["modules", item, true, null]);
  });

  test("is found by a part of its title, whatever the case, and nothing is a pattern", async ({
    world,
  }) => {
    const admin = await world.admin();
    const id = await shelf(world, "business");
    const item = await article(world, id, { title: "100% Honest_Pricing" });
    const found = async (search: string) =>
      (
        await world.run(
          admin,
          "select id from public.admin_library_items('articles', search => $1, category => 'business', subcategory => $2)",
          [search, id],
        )
      ).map((row) => row["id"]);
    for (const part of [" honest_p", "100%", ""]) expect(await found(part)).toEqual([item]);
    for (const part of ["100__honest", "honest-pricing", "' or true --"])
      expect(await found(part)).toEqual([]);
  });

  test("that is withdrawn lowers what there is for its level", async ({ world }) => {
    const admin = await world.admin();
    const supply = async (kind: string) =>
      (
        await world.one(
          admin,
          "select available from public.admin_level_supply() where level = 3 and kind = $1",
          [kind],
        )
      )["available"];
    const id = await shelf(world, "business");
    const before = [Number(await supply("articles")), Number(await supply("courses"))];
    const item = await article(world, id);
    await courseOf(world, id, 1);
    await courseOf(world, id, 0);
    const [articles = 0, courses = 0] = before;
    expect([await supply("articles"), await supply("courses")]).toEqual([
      articles + 1,
      courses + 1,
    ]);
    await world.run(admin, editItem, ["articles", item, false, null]);
    expect(await supply("articles")).toBe(articles);
    await world.run(admin, "select public.edit_subcategory($1, is_active => false)", [id]);
    expect(await supply("courses")).toBe(courses);
    expect(await supply("engagements")).toBeNull();
  });
});
