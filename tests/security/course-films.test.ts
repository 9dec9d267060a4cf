import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { filmAddress } from "../../web/src/domain/course-films.ts";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, member, owner, setSubscriptionStatus } from "./members.ts";

const captions = "WEBVTT\n\n00:00.000 --> 00:04.000\nGood morning.\n";
const shipped = new URL("../../web/public/films/what-it-is-worth-to-them.webm", import.meta.url);

let mentor: Account;
let student: Account;
let mallory: Account;
let film: Buffer;
let stem: string;

function bucketOf({ client }: Pick<Account, "client">) {
  return client.storage.from("course-films");
}

beforeAll(async () => {
  [mentor, student, mallory] = await Promise.all([
    member("mentor-access"),
    member(),
    member("mentor-access"),
  ]);
  film = await readFile(shipped);
  stem = `${mentor.id}-${Date.now()}`;
  const files = bucketOf(mentor);
  const stored = [
    await files.upload(`${stem}.webm`, film, { contentType: "video/webm" }),
    await files.upload(`${stem}.vtt`, Buffer.from(captions), { contentType: "text/vtt" }),
  ];
  expect(stored.map(({ error }) => error)).toEqual([null, null]);
  const { rows } = await owner.query<{ id: string }>(
    `with shelf as (
       insert into public.subcategories (main_category, slug, name) values ('general', $1, 'Shelf') returning id
     ), course as (
       insert into public.courses (subcategory_id, slug, title, is_published, mentor_id)
       select id, 'c', 'Course', true, $2 from shelf returning id
     )
     insert into public.course_modules (course_id, slug, title, content, module_order, video_url)
     select id, 'begin', 'Begin', 'The lesson', 1, $3 from course returning course_id as id`,
    [`shelf-${randomUUID()}`, mentor.id, filmAddress(`${stem}.webm`)],
  );
  await owner.query("update public.user_levels set current_level = 2 where user_id = any ($1)", [
    [student.id, mallory.id],
  ]);
  const row = { user_id: student.id, course_id: rows[0]?.id ?? "" };
  const { error } = await student.client.from("course_enrollments").insert(row);
  expect(error).toBeNull();
});

describe("an uploaded film", () => {
  test("is played in parts through a signed link by who may read its lesson", async () => {
    const { data } = await bucketOf(student).createSignedUrls([`${stem}.webm`, `${stem}.vtt`], 60);
    const [video, text] = data?.map(({ signedUrl }) => signedUrl) ?? [];
    const part = await fetch(String(video), { headers: { range: "bytes=100-199" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 100-199/${film.length}`);
    expect(part.headers.get("content-type")).toBe("video/webm");
    expect(part.headers.get("cache-control")).toContain("private");
    expect(Buffer.from(await part.arrayBuffer())).toEqual(film.subarray(100, 200));
    const words = await fetch(String(text));
    expect(words.headers.get("content-type")).toBe("text/vtt");
    expect(await words.text()).toBe(captions);
  });

  test("is not played through an earlier link once the lesson is closed to its signer", async () => {
    const names = [`${stem}.webm`, `${stem}.vtt`];
    const { data } = await bucketOf(student).createSignedUrls(names, 3600);
    const links = data?.map(({ signedUrl }) => String(signedUrl)) ?? [];
    const statuses = async () =>
      await Promise.all(
        links.map(async (link) => (await fetch(link, { headers: { range: "bytes=0-9" } })).status),
      );
    expect(await statuses()).toEqual([206, 206]);
    await setSubscriptionStatus(student.id, "past_due");
    expect(await statuses()).toEqual([400, 400]);
    await setSubscriptionStatus(student.id, "active");
    expect(await statuses()).toEqual([206, 206]);
    const longer = await bucketOf(student).createSignedUrl(names[0] ?? "", 3601);
    expect(longer.error?.message).toContain("at most an hour");
  });

  test("is nobody else's to read, list, sign, replace, copy or remove", async () => {
    const reader = bucketOf(student);
    for (const files of [bucketOf(mallory), bucketOf({ client: anonymous() })]) {
      for (const name of [`${stem}.webm`, `${stem}.vtt`]) {
        expect((await files.download(name)).data).toBeNull();
        expect((await files.createSignedUrl(name, 60)).data).toBeNull();
      }
      expect((await files.list("", { search: mentor.id })).data ?? []).toEqual([]);
    }
    for (const account of [mallory, student]) {
      const copied = await bucketOf(account).copy(`${stem}.webm`, `${account.id}-1.webm`);
      expect(copied.error).not.toBeNull();
    }
    const html = Buffer.from("<script>alert(1)</script>");
    for (const files of [reader, bucketOf(mallory), bucketOf(mentor)]) {
      const options = { contentType: "video/webm", upsert: true };
      expect((await files.upload(`${stem}.webm`, html, options)).error).not.toBeNull();
      expect((await files.remove([`${stem}.webm`])).data ?? []).toEqual([]);
    }
    const bytes = await reader.download(`${stem}.webm`);
    expect(Buffer.from((await bytes.data?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(film);
  });

  test("is copied by its mentor, for other captions, and seen by an administrator", async () => {
    const files = bucketOf(mentor);
    const copy = `${mentor.id}-${Date.now()}.webm`;
    expect((await files.copy(`${stem}.webm`, copy)).error).toBeNull();
    expect((await bucketOf(await administrator()).download(copy)).error).toBeNull();
    // The lesson shows the first one still.
    expect((await bucketOf(student).download(copy)).data).toBeNull();
  });

  test("is refused with a sentence when its captions are too long, and for other types", async () => {
    const files = bucketOf(mentor);
    const long = Buffer.alloc(300 * 1024, "x");
    const name = `${mentor.id}-${Date.now()}`;
    const refused = await files.upload(`${name}.vtt`, long, { contentType: "text/vtt" });
    expect(refused.error?.message).toBe("Captions can have at most 256 KB.");
    const page = await files.upload(`${name}.vtt`, Buffer.from("x"), { contentType: "text/html" });
    expect(page.error?.message).toContain("not supported");
  });
});
