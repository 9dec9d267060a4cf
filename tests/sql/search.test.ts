import { describe, expect } from "vitest";
import { article, atLevel, course, courseModule, enrol, shelf } from "./library-world.ts";
import { test, type World } from "./world.ts";

async function find(world: World, who: string, query: string, limit = 20) {
  const rows = await world.run(who, "select * from public.search_library($1, $2)", [query, limit]);
  return rows.map((row) => ({ kind: row["kind"], title: row["title"], path: row["path"] }));
}

const titles = async (world: World, who: string, query: string, limit = 20) =>
  (await find(world, who, query, limit)).map((row) => row.title);

describe("search", () => {
  test("finds articles, courses, rooms and submissions, with their addresses", async ({
    world,
  }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general", { slug: "zygote-shelf", name: "Growth" });
    const text = await article(world, place, { title: "Zygote basics" });
    const lessons = await course(world, place, { title: "A zygote course" });
    await world.run(
      "owner",
      "insert into public.chat_rooms (id, name, min_level_required) values ('zygotes', 'Zygotes', 2)",
    );
    const posted = await world.run(
      member,
      `insert into public.learning_submissions (user_id, submission_type, title, content)
        values ($1, 'success', 'My zygote', 'It grew') returning id`,
      [member],
    );
    const found = await find(world, member, "zygotes");
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        {
          kind: "article",
          title: "Zygote basics",
          path: `/knowledge/foundations/zygote-shelf/${text}`,
        },
        {
          kind: "course",
          title: "A zygote course",
          path: `/knowledge/courses/zygote-shelf/${lessons}`,
        },
        { kind: "room", title: "Zygotes", path: "/chats/zygotes" },
        {
          kind: "submission",
          title: "My zygote",
          path: `/learning/submissions#${String(posted[0]?.["id"])}`,
        },
      ]),
    );
  });

  test("ranks a hit in the title above one in the text, and cuts the excerpt around it", async ({
    world,
  }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    const words = "Plain words stand here and there. ".repeat(40);
    await article(world, place, {
      title: "Of other things",
      content: `## ${words}\n\nThen **quokkas** appear in [a link](https://example.org). ${words}`,
    });
    await article(world, place, { title: "Quokka care", excerpt: "How to keep one." });
    const rows = await world.run(member, "select * from public.search_library('quokka')");
    expect(rows.map((row) => row["title"])).toEqual(["Quokka care", "Of other things"]);
    expect(rows[0]).toMatchObject({ excerpt: "How to keep one.", category: "general" });
    expect(rows[1]?.["excerpt"]).toContain("quokkas appear in a link");
    expect(await titles(world, member, "quokka", 1)).toEqual(["Quokka care"]);
  });

  test("cuts the excerpt of a submission around the word, also when its title has it", async ({
    world,
  }) => {
    const member = await atLevel(world, 1);
    const words = "Plain words stand here and there. ".repeat(3);
    const post = async (title: string, content: string) => {
      await world.run(
        "owner",
        `insert into public.learning_submissions (user_id, submission_type, title, content)
         values ($1, 'success', $2, $3)`,
        [member, title, content],
      );
    };
    await post("Numbats and me", `${words}I counted the numbats twice. ${words}`);
    await post("Numbats alone", words);
    const rows = await world.run(member, "select * from public.search_library('numbat')");
    const excerptOf = (title: string) => rows.find((row) => row["title"] === title)?.["excerpt"];
    expect(excerptOf("Numbats and me")).toMatch(/^and there\. I counted the numbats twice\./);
    expect(excerptOf("Numbats alone")).toMatch(/^Plain words stand here/);
  });

  test("lists rooms, articles and courses with the word in their title before what says it more often, submissions last", async ({
    world,
  }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    const padding = "Plain words stand here and there. ".repeat(40);
    for (const title of ["Wombat, wombat", "Wombats of mine"]) {
      await world.run(
        member,
        `insert into public.learning_submissions (user_id, submission_type, title, content)
          values ($1, 'success', $2, 'wombat wombat wombat')`,
        [member, title],
      );
    }
    await article(world, place, { title: "About burrows", content: `${padding} A wombat digs.` });
    await article(world, place, {
      title: "What one may learn about a wombat in an hour or two",
      content: padding,
    });
    await course(world, place, { title: "Living with a wombat and with neighbours" });
    const kinds = async (limit?: number) =>
      (await find(world, member, "wombat", limit)).map((row) => row.kind);
    const all = await kinds();
    expect(new Set(all.slice(0, 2))).toEqual(new Set(["article", "course"]));
    expect(all.slice(2)).toEqual(["article", "submission", "submission"]);
    // Also when there is room for a few only.
    expect(new Set(await kinds(2))).toEqual(new Set(["article", "course"]));
    expect((await find(world, member, "wombat"))[2]?.title).toBe("About burrows");
  });

  test("lists the title that is being typed first, by its stop words and their order, finished or not", async ({
    world,
  }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    await course(world, place, { title: "Numbat, numbat, and the numbat" });
    await article(world, place, {
      title: "On the Numbat That Didn't Sleep Yet, Seen by Day",
      content: "One animal.",
    });
    const [first] = await titles(world, member, "the numbat that didn't sl");
    expect(first).toBe("On the Numbat That Didn't Sleep Yet, Seen by Day");
    for (const query of ["the numbat that", "THE NUMBAT THAT DID", "numbat, that"]) {
      expect((await titles(world, member, query, 1))[0], query).toBe(first);
    }
    // A title with all words in another order is only one of those with the words.
    expect((await titles(world, member, "numbat the", 1))[0]).toBe(
      "Numbat, numbat, and the numbat",
    );
  });

  test("tolerates typing errors and unfinished words, in titles and in texts", async ({
    world,
  }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    await article(world, place, { title: "Xylophone lessons", content: "About glockenspiels." });
    for (const query of [
      "xylofone",
      "xylohpone",
      "xyloph",
      "glockenspeils",
      "the xilophone lesons",
    ]) {
      expect(await titles(world, member, query), query).toContain("Xylophone lessons");
    }
    expect(await titles(world, member, "xylophagous beetles")).not.toContain("Xylophone lessons");
  });

  test("requires every word, and falls back to any word when there is no result", async ({
    world,
  }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    await article(world, place, { title: "Wombat burrows" });
    await article(world, place, { title: "Wombat meadows" });
    expect(await titles(world, member, "wombat burrows")).toEqual(["Wombat burrows"]);
    expect(await titles(world, member, "wombat quasars")).toHaveLength(2);
  });

  test("returns nothing for an empty query, and accepts any input", async ({ world }) => {
    const member = await atLevel(world, 4);
    for (const query of ["", " ", "the", "&|!():*'\"\\", "a".repeat(5000), "' or 1=1 --", "%_"]) {
      expect(Array.isArray(await find(world, member, query)), query).toBe(true);
    }
    expect(await find(world, member, "")).toEqual([]);
    const most = await world.run(member, "select * from public.search_library('a', 100000)");
    expect(most.length).toBeLessThanOrEqual(50);
  });
});

describe("search shows", () => {
  test("nothing above the level, without membership, or to visitors", async ({ world }) => {
    const place = await shelf(world, "wealth");
    const member = await atLevel(world, 3);
    const before = await titles(world, member, "numbat", 50);
    await article(world, place, { title: "Numbat fortunes" });
    await course(world, place, { title: "Numbat estates" });
    expect(await titles(world, member, "numbat", 50)).toEqual(before);
    await world.run("owner", "update public.user_levels set current_level = 4 where user_id = $1", [
      member,
    ]);
    expect(await titles(world, member, "numbat")).toHaveLength(2);
    await world.setSubscriptionStatus(member, "past_due");
    expect(await titles(world, member, "numbat")).toEqual([]);
    expect(await titles(world, await world.newcomer(), "numbat")).toEqual([]);
    expect(await titles(world, await world.admin(), "numbat")).toHaveLength(2);
    await world.refused("anon", "42501", "select * from public.search_library('numbat')");
  });

  test("no locked room", async ({ world }) => {
    expect(await titles(world, await atLevel(world, 1), "legacy")).not.toContain("Legacy");
    expect(await titles(world, await atLevel(world, 4), "legacy")).toContain("Legacy");
  });

  test("no draft except to its author, and nothing unpublished", async ({ world }) => {
    const [mentor, member] = [await atLevel(world, 1), await atLevel(world, 4)];
    const place = await shelf(world, "business");
    const before = await titles(world, member, "bilby");
    const draft = await article(world, place, {
      title: "Bilby drafts",
      author_id: mentor,
      is_published: false,
    });
    expect(await titles(world, mentor, "bilby")).toEqual(["Bilby drafts"]);
    expect(await titles(world, member, "bilby")).toEqual(before);
    await world.run("owner", "update public.articles set is_published = true where id = $1", [
      draft,
    ]);
    expect(await titles(world, member, "bilby")).toEqual(["Bilby drafts"]);
    await world.run("owner", "update public.subcategories set is_active = false where id = $1", [
      place,
    ]);
    expect(await titles(world, member, "bilby")).toEqual(before);
    await world.run("owner", "delete from public.articles where id = $1", [draft]);
    expect(await titles(world, mentor, "bilby")).not.toContain("Bilby drafts");
  });

  test("by the correction of typing errors no word of a text above the level", async ({
    world,
  }) => {
    const member = await atLevel(world, 3);
    await article(world, await shelf(world, "general"), { title: "Xylophone lessons" });
    // The words are one letter apart: who may not read the second text is still helped to the first.
    await article(world, await shelf(world, "wealth"), { title: "Xylophane takeover" });
    expect(await titles(world, member, "xylophane")).toEqual(["Xylophone lessons"]);
    expect(await titles(world, member, "xylophaneb")).toEqual(["Xylophone lessons"]);
    expect(await titles(world, await atLevel(world, 4), "xylophane")).toEqual([
      "Xylophane takeover",
    ]);
  });

  test("nothing of modules, enrolled or not", async ({ world }) => {
    const member = await atLevel(world, 2);
    const lessons = await course(world, await shelf(world, "general"), { title: "Kowari" });
    await courseModule(world, lessons, 1, { title: "Dunnart", content: "Planigale" });
    await enrol(world, member, lessons);
    expect(await titles(world, member, "dunnart")).toEqual([]);
    expect(await titles(world, member, "planigale")).toEqual([]);
  });

  test("current content: changed texts are found by their new words only", async ({ world }) => {
    const member = await atLevel(world, 2);
    const id = await article(world, await shelf(world, "general"), { title: "Potoroo" });
    await world.run("owner", "update public.articles set title = 'Bettong' where id = $1", [id]);
    expect(await titles(world, member, "potoroo")).toEqual([]);
    expect(await titles(world, member, "bettong")).toEqual(["Bettong"]);
  });

  test("no word of a text that is gone, unless another text has it", async ({ world }) => {
    const place = await shelf(world, "general");
    const id = await article(world, place, { title: "Numbat and quokka" });
    await article(world, place, { title: "Quokka" });
    const known = "select word from private.search_words where word = any ($1) order by word";
    const words = async () => await world.run("owner", known, [["numbat", "quokka"]]);
    expect(await words()).toEqual([{ word: "numbat" }, { word: "quokka" }]);
    await world.run("owner", "delete from public.articles where id = $1", [id]);
    expect(await words()).toEqual([{ word: "quokka" }]);
  });

  test("current content: every kind of document is updated and deleted", async ({ world }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    const lessons = await course(world, place, { title: "Cassowary course" });
    await world.run(
      "owner",
      "insert into public.chat_rooms (id, name, min_level_required) values ('x-room', 'Cassowary room', 1)",
    );
    await world.run(
      "owner",
      `insert into public.learning_submissions (user_id, submission_type, title, content)
        values ($1, 'success', 'Cassowary post', 'x')`,
      [member],
    );
    expect(await titles(world, member, "cassowary")).toHaveLength(3);
    const rename = async (table: string, column: string) =>
      await world.run(
        "owner",
        `update public.${table} set ${column} = replace(${column}, 'Cassowary', 'Emu') where ${column} like 'Cassowary%'`,
      );
    await rename("courses", "title");
    await rename("chat_rooms", "name");
    await rename("learning_submissions", "title");
    expect(await titles(world, member, "cassowary")).toEqual([]);
    expect(await titles(world, member, "emu")).toHaveLength(3);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'x-room'");
    expect(await titles(world, member, "emu")).toEqual(expect.not.arrayContaining(["Emu room"]));
    await world.run("owner", "delete from public.courses where id = $1", [lessons]);
    await world.run("owner", "delete from public.chat_rooms where id = 'x-room'");
    await world.run("owner", "delete from public.learning_submissions where title = 'Emu post'");
    expect(await titles(world, member, "emu")).toEqual([]);
    const left =
      "select count(*)::integer as n from private.search_documents where title like 'Emu%'";
    expect(await world.one("owner", left)).toEqual({ n: 0 });
  });

  test("names what a higher level opens by its title, and tells nothing of what is in it", async ({
    world,
  }) => {
    const place = await shelf(world, "business");
    await article(world, place, { title: "Wombat pricing", content: "A bandicoot is inside." });
    await article(world, place, { title: "Wombat draft", is_published: false });
    await course(world, place, { title: "Wombats for sale" });
    const locked = async (who: string, query: string) =>
      await world.run(who, "select * from public.search_locked($1)", [query]);
    const low = await atLevel(world, 1);
    expect(await locked(low, "wombat")).toEqual([
      { kind: "article", title: "Wombat pricing", category: "business", min_level: 3 },
      { kind: "course", title: "Wombats for sale", category: "business", min_level: 3 },
    ]);
    for (const hidden of ["bandicoot", "wombat bandicoot", "wombet", "", "the"]) {
      expect(await locked(low, hidden)).toEqual([]);
    }
    expect(await locked(await atLevel(world, 3), "wombat")).toEqual([]);
    await world.setSubscriptionStatus(low, "canceled");
    expect(await locked(low, "wombat")).toEqual([]);
    await world.refused("anon", "42501", "select * from public.search_locked('wombat')");
  });
});
