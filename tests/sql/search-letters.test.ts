import { describe, expect } from "vitest";
import { foldCases } from "../../web/src/lib/testing/fold-cases.ts";
import { insertMessage, openRoom, withoutHurry } from "./chat-world.ts";
import { article, atLevel, shelf } from "./library-world.ts";
import { directoryPage, namedMember, newMark } from "./people-world.ts";
import { test, type Row, type World } from "./world.ts";

const excerpts = async (world: World, who: string, query: string, room: string) =>
  (await world.run(who, "select excerpt from public.search_messages($1, $2)", [query, room])).map(
    (row) => String(row["excerpt"]).replaceAll("\u0002", "[").replaceAll("\u0003", "]"),
  );

const titles = async (world: World, who: string, query: string) =>
  (await world.run(who, "select title from public.search_library($1)", [query])).map(
    (row) => row["title"],
  );

/** Messages, what is typed, and the excerpt with the found words marked. */
const messages: readonly (readonly [content: string, typed: readonly string[], found: string])[] = [
  ["Das ist schön.", ["schön", "SCHÖN", "scho\u0308n", "schon", "schö"], "Das ist [schön]."],
  ["Übung macht den Meister", ["Übung", "übung", "ubung"], "[Übung] macht den Meister"],
  ["Ψάχνω πελάτες", ["πελάτες", "ΠΕΛΑΤΕΣ", "πελατες", "πελάτεσ"], "Ψάχνω [πελάτες]"],
  ["ЗДРАВСТВУЙТЕ", ["ЗДРАВСТВУЙТЕ", "здравствуйте"], "[ЗДРАВСТВУЙТЕ]"],
  ["naïve plan", ["naïve", "naive", "plans naïve"], "naïve plan"],
  ["Ich heiße Çağrı", ["heisse", "heiße", "ÇAĞRI", "cagri"], "Ich heiße Çağrı"],
  ["Żółta łódź", ["łódź", "lodz", "żółta"], "Żółta łódź"],
  [
    "It’s O’Brien’s café",
    ["o'brien's", "O’Brien", "obrien", "brien", "café"],
    "It’s O’Brien’s café",
  ],
  ["L’école d'été", ["école", "ecole", "l'école", "été"], "L’école d'été"],
  ["私は東京タワーへ行った", ["東京", "タワー", "東京タワー"], "私は東京タワーへ行った"],
  ["안녕하세요 여러분", ["안녕", "여러분"], "안녕하세요 여러분"],
  ["مُحَمَّد كتب", ["محمد", "كتب"], "مُحَمَّد كتب"],
  ["हिन्दी सीखो", ["हिन्दी", "सीखो"], "हिन्दी सीखो"],
  ["café\u200B closed–today…really🎉", ["closed", "today", "really", "cafe"], ""],
  ["Acme™ sells “socks”/‹hats›", ["acme", "socks", "hats"], ""],
  ["snake_case, a/b, x@example.org (C#)", ["snake", "case", "example", "snake_case"], ""],
];

describe("a search finds words with any letters", () => {
  test("in messages, written with or without accents and case, and marks them", async ({
    world,
  }) => {
    await withoutHurry(world);
    await world.run("owner", "update private.rate_limits set max_count = 1000");
    const [ada, room] = [await world.member(), await openRoom(world)];
    for (const [content] of messages) {
      await insertMessage(world, ada, content, { chat_room_id: room });
    }
    for (const [content, typed, found] of messages) {
      for (const query of typed) {
        const hits = await excerpts(world, ada, query, room);
        expect(
          hits.map((hit) => hit.replaceAll(/[[\]]/gu, "")),
          query,
        ).toContain(content);
        if (found.includes("[")) expect(hits, query).toContain(found);
      }
    }
    for (const [query, marked] of [
      ["東京", "私は[東京]タワーへ行った"],
      ["plans naïve", "[naïve] [plan]"],
      ["lodz", "Żółta [łódź]"],
      ["brien", "It’s [O’Brien’s] café"],
    ] as const) {
      expect(await excerpts(world, ada, query, room), query).toEqual([marked]);
    }
    // Not the characters somewhere, and not the beginning of another word.
    for (const nothing of ["京東", "caf", "don't", "it's", "🎉", "…", "’", "\u0301"]) {
      const hits = await excerpts(world, ada, nothing, room);
      expect(hits.length, nothing).toBe(nothing === "caf" ? 2 : 0);
    }
  });

  test("in the library, and no other word that begins alike", async ({ world }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    const content = `${"Plain words. ".repeat(60)} Der Bäckermeister übt. ${"More words. ".repeat(60)}`;
    await article(world, place, { title: "Zwölf Brötchen", content });
    await article(world, place, { title: "Zwolfram metal" });
    for (const query of [
      "zwölf",
      "ZWÖLF brötchen",
      "brotchen",
      "brötche",
      "brödchen",
      "bäckermeister",
    ]) {
      expect(await titles(world, member, query), query).toContain("Zwölf Brötchen");
    }
    expect(await titles(world, member, "zwölf brötchen")).toEqual(["Zwölf Brötchen"]);
    const [hit] = await world.run(
      member,
      "select excerpt from public.search_library('bäckermeister')",
    );
    expect(hit?.["excerpt"]).toMatch(/Plain words\. .*Der Bäckermeister übt\. More words/u);
  });

  test("of the whole library, and café is not Caffeine", async ({ world }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    await article(world, place, { title: "Caffeine and you" });
    await article(world, place, { title: "The corner café" });
    expect(await titles(world, member, "café")).toContain("The corner café");
    expect(await titles(world, member, "café")).not.toContain("Caffeine and you");
  });
});

/** First names and what is typed after `@` to find them. */
const names: readonly (readonly [first: string, typed: readonly string[]])[] = [
  ["Özlem Şahin", ["özlem", "ozlem", "ÖZLEM", "sahin", "şah"]],
  ["Ésther Çelik", ["esther", "ésther", "çelik", "ésther c"]],
  ["Øystein Ærø", ["øystein", "oystein", "aero", "ærø"]],
  ["Łukasz Żółć", ["łukasz", "lukasz", "zolc"]],
  ["Ґанна Їжак", ["ґанна", "ҐАННА", "їжак"]],
  ["Ελένη", ["ελένη", "ελενη", "ΕΛΈΝΗ"]],
  ["Þór", ["þór", "thor", "Þó"]],
  ["Guðrún", ["gudrun", "guðrún"]],
  ["Işık", ["isik", "ışık", "IŞIK"]],
  ["Zoë O’Brien", ["O'Brien", "o’bri", "obrien", "zoe", "zoë"]],
  ["Sean O'Neil", ["O’Neil", "o'neil", "O`Neil"]],
  ["Jean  Luc", ["jean luc", "jean  luc"]],
  ["Thị Nguyễn", ["thi", "nguyen", "Nguye\u0302\u0303n"]],
];

test("members are found by their names in the directory, after @ and in the console", async ({
  world,
}) => {
  await world.run("owner", "update private.rate_limits set max_count = 1000");
  const [reader, admin] = [await world.member(), await world.admin()];
  for (const [first, typed] of names) {
    const member = await namedMember(world, first, newMark(), "Baker");
    for (const word of typed) {
      const offered = await world.run(
        reader,
        "select user_id from public.mentionable_members(null, $1)",
        [word],
      );
      expect(
        offered.map((row) => row["user_id"]),
        `@${word}`,
      ).toContain(member);
      expect(await directoryPage(world, reader, { search: word, page_size: 50 }), word).toContain(
        member,
      );
      const listed = await world.run(
        admin,
        "select user_id from public.member_page(search => $1, page_size => 100)",
        [word],
      );
      expect(
        listed.map((row) => row["user_id"]),
        word,
      ).toContain(member);
    }
  }
  for (const nobody of ["", " ", "’", "\u0301", "%", "ozlemx"]) {
    expect(
      await world.run(reader, "select from public.mentionable_members(null, $1)", [nobody]),
      nobody,
    ).toEqual([]);
  }
});

test("the console finds titles with any letters", async ({ world }) => {
  const admin = await world.admin();
  await article(world, await shelf(world, "general"), { title: "ÜBER Ł’Œuvre" });
  for (const word of ["über", "UBER  l'oeuvre", "œuvre"]) {
    const rows: Row[] = await world.run(
      admin,
      "select title from public.admin_library_items('articles', $1)",
      [word],
    );
    expect(
      rows.map((row) => row["title"]),
      word,
    ).toEqual(["ÜBER Ł’Œuvre"]);
  }
});

test("texts are folded by the table that the pages fold by", async ({ world }) => {
  for (const [text, folded] of foldCases) {
    expect(await world.one("owner", "select private.fold_text($1) as folded", [text])).toEqual({
      folded,
    });
  }
});

/** Runs that take the square of their length where they are put in order, matched or stored without a bound. */
const hostileRuns = [
  "\u0E48\u0E38",
  "\u0301\u0327",
  "\uFDFA",
  "a'",
  "'",
  "東",
  ". ",
  "🎉",
  "ß",
  "\u1E9E\u0130",
  "a\u200B",
];

test("texts of nothing but marks, apostrophes or symbols are indexed like others", async ({
  world,
}) => {
  const member = await atLevel(world, 2);
  const place = await shelf(world, "general");
  for (const [at, run] of hostileRuns.entries()) {
    const title = `Zyzzyva${"abcdefghijk"[at]}`;
    const content = `${run.repeat(Math.floor(150_000 / Buffer.byteLength(run)))} numbat`;
    await article(world, place, { title, content });
    expect(await titles(world, member, title.toLowerCase()), run).toContain(title);
    const long = await world.one("owner", "select length(private.search_key($1)) as length", [
      content,
    ]);
    expect(long["length"], run).toBeGreaterThan(0);
    // Of those over the length of a search, the libraries read the beginning.
    for (const sql of ["search_library($1)", "search_messages($1)"]) {
      expect(Array.isArray(await world.run(member, `select from public.${sql}`, [content]))).toBe(
        true,
      );
    }
    for (const sql of [
      "people_page($1)",
      "mentionable_members(null, $1)",
      "collaboration_page($1)",
    ]) {
      expect(await world.run(member, `select from public.${sql}`, [content]), sql).toEqual([]);
    }
  }
  // More different words than a tsvector holds.
  const words = Array.from({ length: 3000 }, (_, at) => `${at}${"ﷲ".repeat(18)}`).join(" ");
  await article(world, place, { title: "Zyzzyvaz", content: words });
  expect(await titles(world, member, "zyzzyvaz")).toEqual(["Zyzzyvaz"]);
});
