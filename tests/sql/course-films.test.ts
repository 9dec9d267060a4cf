import { describe, expect } from "vitest";
import { filmAddress } from "../../web/src/domain/course-films.ts";
import { atLevel, complete, enrol, shelf } from "./library-world.ts";
import { payCourse, sellingMentor } from "./selling-world.ts";
import {
  courseFields,
  createDraft,
  draftModule,
  draftOf,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type World } from "./world.ts";

const upload =
  "insert into storage.objects (bucket_id, name, owner_id, metadata) values ('course-films', $1, $2, $3)";
const publishCourse = "update public.courses set is_published = $2 where id = $1";
const list = "select name from storage.objects where bucket_id = 'course-films' and name like $1";

async function put(world: World, user: string, name: string, size = 1000): Promise<void> {
  await world.run(user, upload, [name, user, { size }]);
}

/** Uploads a film with captions. @returns its address for a lesson */
async function store(world: World, mentor: string, stamp: number): Promise<string> {
  await put(world, mentor, `${mentor}-${stamp}.vtt`);
  await put(world, mentor, `${mentor}-${stamp}.webm`);
  return filmAddress(`${mentor}-${stamp}.webm`);
}

/** What an account sees of the films of another. */
async function seen(world: World, actor: string, mentor: string): Promise<string[]> {
  const rows = await world.run(actor, list, [`${mentor}-%`]);
  return rows.map(({ name }) => String(name).slice(37)).sort();
}

const one = ["1.vtt", "1.webm"];

/** A published course by a trusted mentor, whose first lesson shows the film 1. */
async function published(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  await world.run(await world.admin(), "select public.set_trusted_mentor($1, true, 'Known')", [
    mentor,
  ]);
  const address = await store(world, mentor, 1);
  const modules = [draftModule("begin", { video_url: address }), draftModule("go-on")];
  const draft = await createDraft(world, mentor, "course", courseFields(place, { modules }));
  await world.run(mentor, submitDraft, [draft, 1]);
  const course = String((await draftOf(world, draft))["course_id"]);
  return { place, mentor, draft, course };
}

type Published = Awaited<ReturnType<typeof published>>;

async function saveWith({ place, mentor, draft }: Published, world: World, address: string | null) {
  const { version } = await draftOf(world, draft);
  const modules = [draftModule("begin", { video_url: address }), draftModule("go-on")];
  const saved = await world.one(mentor, saveDraft, [
    draft,
    version,
    courseFields(place, { modules }),
  ]);
  return saved["version"];
}

async function issuesOf(world: World, mentor: string, video_url: string): Promise<unknown> {
  const place = await shelf(world, "general");
  const modules = [draftModule("begin", { video_url })];
  const draft = await createDraft(world, mentor, "course", courseFields(place, { modules }));
  const sql = `select private.draft_issues(d, v) as issues from public.drafts d
    join public.draft_versions v on v.draft_id = d.id where d.id = $1`;
  return (await world.one("owner", sql, [draft]))["issues"];
}

describe("the bucket for films", () => {
  test("is private and takes films and captions of 50 MB", async ({ world }) => {
    expect(
      await world.one("owner", "select * from storage.buckets where id = 'course-films'"),
    ).toMatchObject({
      public: false,
      file_size_limit: "52428800",
      allowed_mime_types: ["video/mp4", "video/webm", "text/vtt"],
    });
  });

  test("takes a mentor's own names, and nothing of others", async ({ world }) => {
    const [mentor, student] = [await world.member("mentor-access"), await world.member()];
    for (const ext of ["mp4", "webm", "vtt"]) await put(world, mentor, `${mentor}-1.${ext}`);
    for (const name of [
      `${student}-1.webm`,
      `${mentor}-.webm`,
      `${mentor}-1.html`,
      `${mentor}-1.webm/x`,
      `x/${mentor}-1.webm`,
      "film.webm",
    ]) {
      await world.refused(mentor, "42501", upload, [name, mentor, {}]);
    }
    await world.refused(student, "42501", upload, [`${student}-1.webm`, student, {}]);
    await world.refused("anon", "42501", upload, [`${mentor}-2.webm`, mentor, {}]);
    await world.setSubscriptionStatus(mentor, "past_due");
    await world.refused(mentor, "42501", upload, [`${mentor}-2.webm`, mentor, {}]);
  });

  test("keeps a film as it is, and lets no client rename or delete it", async ({ world }) => {
    const { mentor } = await published(world);
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    for (const actor of [mentor, await world.admin(), await world.member()]) {
      const name = `${mentor}-1.webm`;
      const rename = "update storage.objects set name = 'x' where name = $1";
      expect(await world.count(actor, rename, [name])).toBe(0);
      expect(await world.count(actor, "delete from storage.objects where name = $1", [name])).toBe(
        0,
      );
    }
    const change = "update storage.objects set version = 'x' where name = $1";
    await world.refused("owner", "42501", change, [`${mentor}-1.webm`]);
  });

  test("takes captions of 256 KB, 1 GB together and 60 files an hour", async ({ world }) => {
    const [mentor, other] = [
      await world.member("mentor-access"),
      await world.member("mentor-access"),
    ];
    const captions = `${mentor}-1.vtt`;
    await world.refused(mentor, "P0001", upload, [captions, mentor, { size: 262_145 }]);
    await put(world, mentor, captions, 262_144);
    await put(world, mentor, `${mentor}-2.webm`, 2 ** 30 - 262_144);
    await world.refused(mentor, "P0001", upload, [`${mentor}-3.webm`, mentor, { size: 1 }]);
    // The storage service of a hosted project writes with the server's role.
    const asServer = [`${mentor}-3.webm`, mentor, { size: 1 }];
    await world.refused("service_role", "P0001", upload, asServer);
    for (let n = 1; n <= 60; n += 1) await put(world, other, `${other}-${n}.webm`, 1);
    await world.refused(other, "P0001", upload, [`${other}-61.webm`, other, { size: 1 }]);
  });
});

describe("a film", () => {
  test("is read by its mentor, by administrators and by members of the course", async ({
    world,
  }) => {
    const { mentor, course } = await published(world);
    await store(world, mentor, 2);
    const student = await atLevel(world, 2);
    expect(await seen(world, student, mentor)).toEqual([]);
    await enrol(world, student, course);
    expect(await seen(world, student, mentor)).toEqual(one);
    const both = [...one, "2.vtt", "2.webm"];
    expect(await seen(world, mentor, mentor)).toEqual(both);
    expect(await seen(world, await world.admin(), mentor)).toEqual(both);
    for (const actor of [
      "anon",
      await world.member(),
      await world.member("mentor-access"),
      await world.plainAdmin(),
    ]) {
      expect(await seen(world, actor, mentor)).toEqual([]);
    }
    // What the lesson follows, the film follows: withdrawn, below its level, without a membership.
    await world.run("owner", publishCourse, [course, false]);
    expect(await seen(world, student, mentor)).toEqual([]);
    await world.run("owner", publishCourse, [course, true]);
    expect(await seen(world, student, mentor)).toEqual(one);
    const hide = "update public.course_modules set is_published = $2 where course_id = $1";
    await world.run("owner", hide, [course, false]);
    expect(await seen(world, student, mentor)).toEqual([]);
    await world.run("owner", hide, [course, true]);
    await world.setSubscriptionStatus(student, "past_due");
    expect(await seen(world, student, mentor)).toEqual([]);
  });

  test("stays with the version a member began, and goes with it", async ({ world }) => {
    const story = await published(world);
    const { mentor, course, draft } = story;
    const [student, done] = [await atLevel(world, 2), await atLevel(world, 2)];
    for (const each of [student, done]) await enrol(world, each, course);
    const lessons = await world.run(
      "owner",
      "select id from public.course_modules where course_id = $1",
      [course],
    );
    for (const { id } of lessons) await complete(world, done, String(id));
    const version = await saveWith(story, world, await store(world, mentor, 2));
    await world.run(mentor, submitDraft, [draft, version]);
    const later = await atLevel(world, 2);
    await enrol(world, later, course);
    // Enrolled members may move to the newest version whenever they like.
    expect(await seen(world, student, mentor)).toEqual([...one, "2.vtt", "2.webm"]);
    for (const each of [done, later]) {
      expect(await seen(world, each, mentor)).toEqual(["2.vtt", "2.webm"]);
    }
    await world.run("owner", publishCourse, [course, false]);
    expect(await seen(world, student, mentor)).toEqual([]);
    await world.run("owner", publishCourse, [course, true]);
    await world.run(student, "select public.take_newest_version($1)", [course]);
    expect(await seen(world, student, mentor)).toEqual(["2.vtt", "2.webm"]);
  });

  test("is read by buyers, in the version they bought, until they are refunded", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const show = "update public.course_modules set video_url = $2 where id = $1";
    await world.run("owner", show, [course.modules[0], await store(world, mentor, 1)]);
    const [buyer, other] = [await world.newcomer(), await world.newcomer()];
    const payment = await payCourse(world, buyer, course);
    expect(await seen(world, buyer, mentor)).toEqual(one);
    expect(await seen(world, other, mentor)).toEqual([]);
    await world.run("owner", "select private.keep_course_version($1, '[]')", [course.id]);
    await world.run("owner", show, [course.modules[0], null]);
    expect(await seen(world, buyer, mentor)).toEqual(one);
    await world.run("owner", publishCourse, [course.id, false]);
    expect(await seen(world, buyer, mentor)).toEqual(one);
    await payment.again({ is_refunded: true, amount_refunded: 4000 });
    expect(await seen(world, buyer, mentor)).toEqual([]);
  });

  test("is not published without captions, after its end, or by another mentor", async ({
    world,
  }) => {
    const [mentor, thief] = [
      await world.member("mentor-access"),
      await world.member("mentor-access"),
    ];
    await put(world, mentor, `${mentor}-1.webm`);
    const address = filmAddress(`${mentor}-1.webm`);
    const field = "modules.1";
    const captions = [{ field, message: "Add captions to the film." }];
    const gone = [{ field, message: "This film is no longer stored. Upload it again." }];
    expect(await issuesOf(world, mentor, address)).toEqual(captions);
    await put(world, mentor, `${mentor}-1.vtt`);
    expect(await issuesOf(world, mentor, address)).toEqual([]);
    for (const [actor, url] of [
      [thief, address],
      [mentor, filmAddress(`${mentor}-2.webm`)],
      [mentor, filmAddress(`${mentor}-1.mp4`)],
      [mentor, "/storage/v1/object/authenticated/elsewhere/1.webm"],
      [mentor, "/storage/v1/object/public/course-films/1.webm"],
    ] as const) {
      expect(await issuesOf(world, actor, url), url).toEqual(gone);
    }
    expect(await issuesOf(world, mentor, "/films/shipped.webm")).toEqual([]);
  });
});

describe("films nothing shows", () => {
  const due = "select array(select public.course_films_to_purge($1, $2)) as names";
  const older =
    "update storage.objects set created_at = now() - interval '25 hours' where name like $1";

  async function dueOf(world: World, mentor: string): Promise<string[]> {
    const { names } = await world.one("service_role", due, ["", 1000]);
    const ours = (names as string[]).filter((name) => name.startsWith(mentor));
    return ours.map((name) => name.slice(37));
  }

  test("are due after a day, and those of a replaced version after thirty", async ({ world }) => {
    const story = await published(world);
    const { mentor, draft } = story;
    await store(world, mentor, 3);
    expect(await dueOf(world, mentor)).toEqual([]);
    await saveWith(story, world, await store(world, mentor, 2));
    await saveWith(story, world, null);
    await world.run("owner", older, [`${mentor}-%`]);
    expect(await dueOf(world, mentor)).toEqual(["3.vtt", "3.webm"]);
    const date =
      "update public.draft_versions set saved_at = now() - interval '31 days' where draft_id = $1";
    await world.run("owner", date, [draft]);
    expect(await dueOf(world, mentor)).toEqual(["2.vtt", "2.webm", "3.vtt", "3.webm"]);
    const { names } = await world.one("service_role", due, [`${mentor}-2.vtt`, 1]);
    expect(names).toEqual([`${mentor}-2.webm`]);
  });

  test("are not those of a course whose mentor is gone, or of its earlier versions", async ({
    world,
  }) => {
    const story = await published(world);
    const { mentor, draft, course } = story;
    const version = await saveWith(story, world, await store(world, mentor, 2));
    await world.run(mentor, submitDraft, [draft, version]);
    await saveWith(story, world, await store(world, mentor, 3));
    await world.run("owner", older, [`${mentor}-%`]);
    await world.run("owner", "delete from auth.users where id = $1", [mentor]);
    expect(await dueOf(world, mentor)).toEqual(["3.vtt", "3.webm"]);
    const student = await atLevel(world, 2);
    await enrol(world, student, course);
    expect(await seen(world, student, mentor)).toEqual(["2.vtt", "2.webm"]);
  });

  test("are listed for the server role only", async ({ world }) => {
    for (const actor of [await world.member("mentor-access"), await world.admin(), "anon"]) {
      await world.refused(actor, "42501", due, ["", 1]);
    }
  });
});
