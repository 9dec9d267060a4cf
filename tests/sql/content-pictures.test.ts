import { describe, expect } from "vitest";
import { contentPictureAddress } from "../../web/src/domain/content-pictures.ts";
import { shelf } from "./library-world.ts";
import {
  articleFields,
  courseFields,
  createDraft,
  draftOf,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type World } from "./world.ts";

const upload =
  "insert into storage.objects (bucket_id, name, owner_id, metadata) values ('content-pictures', $1, $2, $3)";
const createSql = "select public.create_draft($1, $2) as id";
const due = "select array(select public.content_pictures_to_purge($1, $2)) as names";

async function put(world: World, user: string, name: string, size = 1000): Promise<void> {
  await world.run(user, upload, [name, user, { size }]);
}

/** Uploads a picture. @returns its address for a draft */
async function store(world: World, mentor: string, stamp: number): Promise<string> {
  await put(world, mentor, `${mentor}-${stamp}.jpg`);
  return contentPictureAddress(`${mentor}-${stamp}.jpg`);
}

async function trustedMentor(world: World): Promise<string> {
  const mentor = await world.member("mentor-access");
  await world.run(await world.admin(), "select public.set_trusted_mentor($1, true, 'Known')", [
    mentor,
  ]);
  return mentor;
}

const shown = `select a.featured_image_url as cover from public.articles a join public.drafts d on d.article_id = a.id
  where d.id = $1
  union all select c.thumbnail_url from public.courses c join public.drafts d on d.course_id = c.id where d.id = $1`;

async function publishedCover(world: World, draft: string): Promise<unknown> {
  return (await world.one("owner", shown, [draft]))["cover"];
}

/** Saves the next version of an article with this cover. @returns its number */
async function saveCover(world: World, mentor: string, draft: string, cover: string | null) {
  const { version } = await draftOf(world, draft);
  const { subcategory_id: place } = await world.one(
    "owner",
    "select subcategory_id from public.draft_versions where draft_id = $1 and version = 1",
    [draft],
  );
  const fields = articleFields(String(place), { cover });
  return (await world.one(mentor, saveDraft, [draft, version, fields]))["version"];
}

describe("the bucket for pictures of articles and courses", () => {
  test("is public and takes JPEG and PNG under 5 MB", async ({ world }) => {
    expect(
      await world.one("owner", "select * from storage.buckets where id = 'content-pictures'"),
    ).toMatchObject({
      public: true,
      file_size_limit: "5242879",
      allowed_mime_types: ["image/jpeg", "image/png"],
    });
  });

  test("takes a mentor's own names, and nothing of others", async ({ world }) => {
    const [mentor, student] = [await world.member("mentor-access"), await world.member()];
    for (const ext of ["jpg", "png"]) await put(world, mentor, `${mentor}-1.${ext}`);
    for (const name of [
      `${student}-1.jpg`,
      `${mentor}-.jpg`,
      `${mentor}-1.svg`,
      `${mentor}-1.html`,
      `${mentor}-1.jpg/x`,
      `x/${mentor}-1.jpg`,
      "cover.jpg",
    ]) {
      await world.refused(mentor, "42501", upload, [name, mentor, {}]);
    }
    await world.refused(student, "42501", upload, [`${student}-1.jpg`, student, {}]);
    await world.refused("anon", "42501", upload, [`${mentor}-2.jpg`, mentor, {}]);
    await world.setSubscriptionStatus(mentor, "past_due");
    await world.refused(mentor, "42501", upload, [`${mentor}-2.jpg`, mentor, {}]);
  });

  test("lists a mentor's pictures for the mentor and administrators, and changes none", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    await store(world, mentor, 1);
    const name = `${mentor}-1.jpg`;
    const list =
      "select name from storage.objects where bucket_id = 'content-pictures' and name = $1";
    const [other, admin] = [await world.member("mentor-access"), await world.admin()];
    for (const actor of [mentor, admin]) {
      expect(await world.run(actor, list, [name])).toEqual([{ name }]);
    }
    for (const actor of [other, await world.member(), "anon"] as const) {
      expect(await world.run(actor, list, [name])).toEqual([]);
    }
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    for (const actor of [mentor, other, admin]) {
      const rename = "update storage.objects set name = 'x' where name = $1";
      expect(await world.count(actor, rename, [name])).toBe(0);
      const remove = "delete from storage.objects where name = $1";
      expect(await world.count(actor, remove, [name])).toBe(0);
    }
    const change = "update storage.objects set version = 'x' where name = $1";
    await world.refused("owner", "42501", change, [name]);
  });

  test("takes 60 pictures an hour and 200 MB together", async ({ world }) => {
    const [mentor, other] = [
      await world.member("mentor-access"),
      await world.member("mentor-access"),
    ];
    await put(world, mentor, `${mentor}-1.jpg`, 209_715_199);
    await put(world, mentor, `${mentor}-2.jpg`, 1);
    await world.refused(mentor, "P0001", upload, [`${mentor}-3.jpg`, mentor, { size: 1 }]);
    for (let n = 1; n <= 60; n += 1) await put(world, other, `${other}-${n}.jpg`, 1);
    await world.refused(other, "P0001", upload, [`${other}-61.jpg`, other, { size: 1 }]);
  });
});

describe("a cover", () => {
  test("is published with an article and a course, replaced, and taken away", async ({ world }) => {
    const [mentor, place] = [await trustedMentor(world), await shelf(world, "general")];
    const [one, two] = [await store(world, mentor, 1), await store(world, mentor, 2)];
    const article = await createDraft(
      world,
      mentor,
      "article",
      articleFields(place, { cover: one }),
    );
    const course = await createDraft(world, mentor, "course", courseFields(place, { cover: two }));
    for (const draft of [article, course]) await world.run(mentor, submitDraft, [draft, 1]);
    expect(await publishedCover(world, article)).toBe(one);
    expect(await publishedCover(world, course)).toBe(two);
    await world.run(mentor, submitDraft, [article, await saveCover(world, mentor, article, two)]);
    expect(await publishedCover(world, article)).toBe(two);
    await world.run(mentor, submitDraft, [article, await saveCover(world, mentor, article, null)]);
    expect(await publishedCover(world, article)).toBeNull();
  });

  test("is kept by every version and restored with it", async ({ world }) => {
    const [mentor, place] = [await world.member("mentor-access"), await shelf(world, "general")];
    const one = await store(world, mentor, 1);
    const draft = await createDraft(world, mentor, "article", articleFields(place, { cover: one }));
    // A version that differs by its cover alone is a version.
    expect(await saveCover(world, mentor, draft, null)).toBe(2);
    await world.run(mentor, "select public.restore_draft_version($1, 1, 2)", [draft]);
    const covers =
      "select version, cover from public.draft_versions where draft_id = $1 order by 1";
    const rows = [1, null, 1].map((cover, index) => ({
      version: index + 1,
      cover: cover === null ? null : one,
    }));
    expect(await world.run(mentor, covers, [draft])).toEqual(rows);
    expect(await world.run(await world.member("mentor-access"), covers, [draft])).toEqual([]);
  });

  test("is a picture of its mentor, by the storage's own address", async ({ world }) => {
    const [mentor, other] = [
      await world.member("mentor-access"),
      await world.member("mentor-access"),
    ];
    const place = await shelf(world, "general");
    const own = await store(world, mentor, 1);
    const draft = await createDraft(world, mentor, "article", articleFields(place));
    for (const cover of [
      await store(world, other, 1),
      `https://evil.example${own}`,
      `//evil.example${own}`,
      `${own}?x`,
      `${own}\n`,
      `x${own}`,
      own.replace("content-pictures", "profile-pictures"),
      own.replace("content-pictures/", "content-pictures/../learning-images/"),
      own.replace(".jpg", ".svg"),
      `javascript:alert(1)//${own}`,
      "javascript:alert(1)",
      "data:image/svg+xml,<svg onload=alert(1)>",
      "x",
    ]) {
      const fields = articleFields(place, { cover });
      await world.refused(mentor, "FF658", createSql, ["article", fields]);
      await world.refused(mentor, "FF658", saveDraft, [draft, 1, fields]);
      await world.refused(mentor, "FF658", "select public.import_draft($1, $2, true)", [
        "article",
        fields,
      ]);
    }
    expect((await draftOf(world, draft))["version"]).toBe(1);
  });

  test("is not published unless its owner has stored it", async ({ world }) => {
    const [mentor, other] = [await trustedMentor(world), await world.member("mentor-access")];
    const place = await shelf(world, "general");
    const missing = contentPictureAddress(`${mentor}-9.jpg`);
    const draft = await createDraft(
      world,
      mentor,
      "article",
      articleFields(place, { cover: missing }),
    );
    const issues = [
      { field: "cover", message: "This picture is no longer stored. Upload it again." },
    ];
    const found = `select private.draft_issues(d, v) as issues from public.drafts d
      join public.draft_versions v on v.draft_id = d.id where d.id = $1`;
    expect((await world.one("owner", found, [draft]))["issues"]).toEqual(issues);
    await world.refused(mentor, "FF654", submitDraft, [draft, 1]);
    // Also where a version names another's picture, however it came to.
    const change = "update public.draft_versions set cover = $2 where draft_id = $1";
    await world.run("owner", change, [draft, await store(world, other, 1)]);
    expect((await world.one("owner", found, [draft]))["issues"]).toEqual(issues);
    await world.run("owner", change, [draft, await store(world, mentor, 1)]);
    expect((await world.one("owner", found, [draft]))["issues"]).toEqual([]);
  });
});

describe("pictures nothing shows", () => {
  const older =
    "update storage.objects set created_at = now() - interval '25 hours' where name like $1";

  async function dueOf(world: World, mentor: string): Promise<string[]> {
    const { names } = await world.one("service_role", due, ["", 1000]);
    const ours = (names as string[]).filter((name) => name.startsWith(mentor));
    return ours.map((name) => name.slice(37));
  }

  test("are due after a day, and never while any version shows them", async ({ world }) => {
    const [mentor, place] = [await trustedMentor(world), await shelf(world, "general")];
    const [one, two] = [await store(world, mentor, 1), await store(world, mentor, 2)];
    await store(world, mentor, 3);
    const draft = await createDraft(world, mentor, "article", articleFields(place, { cover: one }));
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(mentor, submitDraft, [draft, await saveCover(world, mentor, draft, two)]);
    await world.run(mentor, submitDraft, [draft, await saveCover(world, mentor, draft, null)]);
    expect(await dueOf(world, mentor)).toEqual([]);
    await world.run("owner", older, [`${mentor}-%`]);
    expect(await dueOf(world, mentor)).toEqual(["3.jpg"]);
    await store(world, mentor, 4);
    await world.run("owner", older, [`${mentor}-4.jpg`]);
    const { names } = await world.one("service_role", due, [`${mentor}-3.jpg`, 1]);
    expect(names).toEqual([`${mentor}-4.jpg`]);
  });

  test("are noted when they are stored, so that names of nothing fill no table", async ({
    world,
  }) => {
    const [mentor, place] = [await world.member("mentor-access"), await shelf(world, "general")];
    const names = Array.from({ length: 50 }, (_, at) =>
      contentPictureAddress(`${mentor}-${at + 1}.jpg`),
    );
    await store(world, mentor, 1);
    const content = names.map((address) => `![A boat](${address})`).join("\n\n");
    const draft = await createDraft(world, mentor, "article", articleFields(place, { content }));
    const noted = "select name from private.draft_pictures where draft_id = $1";
    expect(await world.run("owner", noted, [draft])).toEqual([{ name: `${mentor}-1.jpg` }]);
  });

  test("are those of a deleted account, but for what it published", async ({ world }) => {
    const [mentor, place] = [await trustedMentor(world), await shelf(world, "general")];
    const [one, two] = [await store(world, mentor, 1), await store(world, mentor, 2)];
    const draft = await createDraft(world, mentor, "article", articleFields(place, { cover: one }));
    await world.run(mentor, submitDraft, [draft, 1]);
    const course = await createDraft(world, mentor, "course", courseFields(place, { cover: two }));
    await world.run(mentor, submitDraft, [course, 1]);
    await saveCover(world, mentor, draft, await store(world, mentor, 3));
    await world.run("owner", older, [`${mentor}-%`]);
    expect(await dueOf(world, mentor)).toEqual([]);
    await world.run("owner", "delete from auth.users where id = $1", [mentor]);
    expect(await dueOf(world, mentor)).toEqual(["3.jpg"]);
  });

  test("are listed for the server role only", async ({ world }) => {
    for (const actor of [await world.member("mentor-access"), await world.admin(), "anon"]) {
      await world.refused(actor, "42501", due, ["", 1]);
    }
  });
});
