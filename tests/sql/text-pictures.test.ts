import { describe, expect } from "vitest";
import {
  contentPictureAddress,
  imageAtStart,
  textPictureAddress,
} from "../../web/src/domain/content-pictures.ts";
import { shelf } from "./library-world.ts";
import {
  articleFields,
  courseFields,
  createDraft,
  draftModule,
  draftOf,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type World } from "./world.ts";

const foreign =
  "Pictures come from the editor’s “Picture”, not from other places. Write \\![ where none is meant.";
const undescribed = "Describe each picture in 1 to 300 characters.";
const missing = "A picture is not one that is stored for you here. Insert it again.";

/** Stores a picture of the mentor. @returns its address in a text */
async function store(world: World, mentor: string, stamp: number): Promise<string> {
  const name = `${mentor}-${stamp}.png`;
  await world.run(
    mentor,
    "insert into storage.objects (bucket_id, name, owner_id, metadata) values ('content-pictures', $1, $2, '{}')",
    [name, mentor],
  );
  return textPictureAddress({ name, size: { width: 1600, height: 900 } });
}

async function trustedMentor(world: World): Promise<string> {
  const mentor = await world.member("mentor-access");
  await world.run(await world.admin(), "select public.set_trusted_mentor($1, true, 'Known')", [
    mentor,
  ]);
  return mentor;
}

async function issuesOf(world: World, draft: string): Promise<unknown> {
  const sql = `select private.draft_issues(d, v) as issues from public.drafts d
    join public.draft_versions v on v.draft_id = d.id and v.version = d.version where d.id = $1`;
  return (await world.one("owner", sql, [draft]))["issues"];
}

/** Saves another text of an article. @returns what is wrong with it */
async function issuesWith(world: World, mentor: string, draft: string, content: string) {
  const { version } = await draftOf(world, draft);
  const { subcategory_id: place } = await world.one(
    "owner",
    "select subcategory_id from public.draft_versions where draft_id = $1 and version = 1",
    [draft],
  );
  const fields = articleFields(String(place), { content });
  await world.run(mentor, saveDraft, [draft, version, fields]);
  return await issuesOf(world, draft);
}

async function articleOf(world: World) {
  const [mentor, place] = [await trustedMentor(world), await shelf(world, "general")];
  const draft = await createDraft(world, mentor, "article", articleFields(place));
  return { mentor, place, draft };
}

describe("a picture in a text", () => {
  test("is published in articles and lessons of the mentor who stored it", async ({ world }) => {
    const { mentor, place } = await articleOf(world);
    const address = await store(world, mentor, 1);
    const picture = `![Two boats: a red one, “R&D”](${address})`;
    expect(imageAtStart(picture)?.address).toBe(address);
    const content = `${picture}\n\nWords with ${picture} among them, and \\![no picture.\n\n[${picture}](https://example.org)`;
    const article = articleFields(place, { slug: "boats", title: "Boats", content });
    const lesson = `${picture}\n\n## Exercise\n\nDo it.`;
    const course = courseFields(place, { modules: [draftModule("begin", { content: lesson })] });
    for (const [kind, fields] of [
      ["article", article],
      ["course", course],
    ] as const) {
      const draft = await createDraft(world, mentor, kind, fields);
      const submitted = await world.one(mentor, submitDraft, [draft, 1]);
      expect(submitted["status"]).toBe("published");
    }
    const published = "select content from public.articles where author_id = $1";
    expect((await world.one("owner", published, [mentor]))["content"]).toBe(content);
  });

  test("is never of another address, however the text names it", async ({ world }) => {
    const { mentor, draft } = await articleOf(world);
    const own = (await store(world, mentor, 1)).replace(/#.*$/, "");
    for (const text of [
      "![a](https://evil.example/x.png)",
      "Wow![a](https://evil.example/x.png)",
      "\\\\![a](https://evil.example/x.png)",
      "![a](//evil.example/x.png)",
      "![a](<https://evil.example/x.png>)",
      "![a][b]\n\n[b]: https://evil.example/x.png",
      "![b]\n\n[b]: https://evil.example/x.png",
      `![![a](${own})](https://evil.example/x.png)`,
      `![a](${own}) ![b](https://evil.example/x.png)`,
      `![a](https://evil.example${own})`,
      `![a](${own}?x)`,
      `![a](${own}#0x9)`,
      `![a](${own} "title")`,
      `![a](${own.replace("content-pictures", "profile-pictures")})`,
      `![a](${own.replace("content-pictures/", "content-pictures/../learning-images/")})`,
      `![a](${own.replace(".png", ".svg")})`,
      "![a](javascript:alert(1))",
      "![a](data:image/svg+xml,<svg onload=alert(1)>)",
      "![a\nb](x)",
    ]) {
      expect(await issuesWith(world, mentor, draft, text), text).toEqual([
        { field: "content", message: foreign },
      ]);
    }
    const { version } = await draftOf(world, draft);
    await world.refused(mentor, "FF654", submitDraft, [draft, version]);
  });

  test("is the mentor's own, stored, and described", async ({ world }) => {
    const { mentor, draft } = await articleOf(world);
    const [own, other] = [
      await store(world, mentor, 1),
      await store(world, await world.member("mentor-access"), 1),
    ];
    const gone = contentPictureAddress(`${mentor}-9.png`);
    for (const [text, message] of [
      [`![a](${other})`, missing],
      [`![a](${gone})`, missing],
      [`![](${own})`, undescribed],
      [`![  ](${own})`, undescribed],
      [`![${"a".repeat(301)}](${own})`, undescribed],
    ] as const) {
      expect(await issuesWith(world, mentor, draft, text), text).toEqual([
        { field: "content", message },
      ]);
      const { version } = await draftOf(world, draft);
      await world.refused(mentor, "FF654", submitDraft, [draft, version]);
    }
    expect(await issuesWith(world, mentor, draft, `![${"a".repeat(300)}](${own})`)).toEqual([]);
  });

  test("is checked in every lesson, which the issue names", async ({ world }) => {
    const { mentor, place } = await articleOf(world);
    const content = "![a](https://evil.example/x.png)\n\n## Exercise\n\nDo it.";
    const modules = [draftModule("begin"), draftModule("go-on", { content })];
    const draft = await createDraft(world, mentor, "course", courseFields(place, { modules }));
    expect(await issuesOf(world, draft)).toEqual([{ field: "modules.2", message: foreign }]);
  });
});

describe("a picture that a text names", () => {
  async function dueOf(world: World, mentor: string): Promise<string[]> {
    const sql = "select array(select public.content_pictures_to_purge($1 || '-', 1000)) as names";
    const { names } = await world.one("service_role", sql, [mentor]);
    return (names as string[]).filter((name) => name.startsWith(mentor)).map((n) => n.slice(37));
  }

  test("is kept for every version and for what is published, also of a deleted account", async ({
    world,
  }) => {
    const { mentor, place, draft } = await articleOf(world);
    const addresses: string[] = [];
    for (let stamp = 1; stamp <= 6; stamp += 1) addresses.push(await store(world, mentor, stamp));
    const pictures = addresses.map((address) => `![a](${address})`);
    const lesson = (text: string | undefined) => [
      draftModule("begin", { content: `${text}\n\n## Exercise\n\nDo it.` }),
    ];
    const save = async (id: string, version: number, fields: string) => {
      await world.run(mentor, saveDraft, [id, version, fields]);
    };
    // 1 stays in an old version, 2 in the published article, 3 in the replaced lesson, 4 in the published one, 5 in a draft.
    await save(draft, 1, articleFields(place, { content: pictures[0] }));
    await save(draft, 2, articleFields(place, { content: pictures[1] }));
    await world.run(mentor, submitDraft, [draft, 3]);
    await save(draft, 3, articleFields(place, { content: "Words." }));
    const course = await createDraft(
      world,
      mentor,
      "course",
      courseFields(place, { modules: lesson(pictures[2]) }),
    );
    await world.run(mentor, submitDraft, [course, 1]);
    await save(course, 1, courseFields(place, { modules: lesson(pictures[3]) }));
    await world.run(mentor, submitDraft, [course, 2]);
    await save(course, 2, courseFields(place, { modules: lesson(pictures[4]) }));
    await world.run(
      "owner",
      "update storage.objects set created_at = now() - interval '25 hours' where name like $1",
      [`${mentor}-%`],
    );
    expect(await dueOf(world, mentor)).toEqual(["6.png"]);
    await world.run("owner", "delete from auth.users where id = $1", [mentor]);
    expect(await dueOf(world, mentor)).toEqual(["1.png", "5.png", "6.png"]);
  });
});
