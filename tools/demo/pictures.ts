import type { SupabaseClient } from "@supabase/supabase-js";
import type pg from "pg";
import sharp from "sharp";
import { contentPictureAddress } from "../../web/src/domain/content-pictures.ts";
import { coveredTexts, drawLandscape } from "./covers.ts";
import { drawPortrait } from "./portraits.ts";
import type { PicturedSubmission } from "./story.ts";

/** A bar chart as a picture. */
async function drawBars(bars: readonly number[]): Promise<Buffer> {
  const width = 1280 / bars.length;
  const columns = bars.map((height, index) => {
    const tall = height * 6.4;
    const left = 160 + index * width + width * 0.18;
    return `<rect x="${left}" y="${780 - tall}" width="${width * 0.64}" height="${tall}" rx="6" fill="#2f7d62"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#f6f4ee"/>${columns.join("")}<rect x="130" y="780" width="1340" height="4" fill="#3a3f4b"/></svg>`;
  return await sharp(Buffer.from(drawing)).png().toBuffer();
}

/** Stores a picture as the bucket stores those of members, and returns its public URL. */
async function store(
  service: SupabaseClient,
  bucketName: string,
  name: string,
  picture: Buffer,
): Promise<string> {
  const bucket = service.storage.from(bucketName);
  const contentType = name.endsWith(".png") ? "image/png" : "image/jpeg";
  const stored = await bucket.upload(name, picture, { contentType });
  if (stored.error) throw stored.error;
  return bucket.getPublicUrl(stored.data.path).data.publicUrl;
}

/** Draws the members' portraits and stores them. Leaves a member with a picture as they are. */
export async function seedPortraits(
  service: SupabaseClient,
  pool: pg.Pool,
  members: ReadonlyMap<string, { id: string }>,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "select p.id from public.profiles p where p.avatar_url is not null",
  );
  const pictured = new Set(rows.map(({ id }) => id));
  await Promise.all(
    [...members].map(async ([firstName, { id }]) => {
      const drawing = drawPortrait(firstName);
      if (drawing === undefined || pictured.has(id)) return;
      const picture = await sharp(Buffer.from(drawing)).jpeg({ quality: 90 }).toBuffer();
      const url = await store(service, "profile-pictures", `${id}-${Date.now()}.jpg`, picture);
      await pool.query("update public.profiles set avatar_url = $2 where id = $1", [id, url]);
    }),
  );
}

/** Draws the pictures of submissions and stores them. Leaves a submission with a picture as it is. */
export async function seedCharts(
  service: SupabaseClient,
  pool: pg.Pool,
  pictures: readonly PicturedSubmission[],
  members: ReadonlyMap<string, { id: string }>,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "select s.id from public.learning_submissions s where s.image_url is not null",
  );
  const done = new Set(rows.map(({ id }) => id));
  for (const { id, by, bars } of pictures) {
    const author = members.get(by)?.id;
    if (done.has(id) || author === undefined) continue;
    const name = `${author}-${Date.now()}.png`;
    const url = await store(service, "learning-images", name, await drawBars(bars));
    await pool.query("update public.learning_submissions set image_url = $2 where id = $1", [
      id,
      url,
    ]);
  }
}

/** Messages with a picture: who wrote it, how it begins, and a chart with what it shows. */
const messageCharts = [
  {
    by: "Tom",
    start: "Nineteen. And the stool",
    bars: [22, 70, 100],
    alt: "Three bars, pounds an hour: chopping boards 6, tables 19, stools 27.",
  },
] as const;

/** Draws the pictures of messages and stores them. Leaves a message with a picture as it is. */
export async function seedMessagePictures(
  service: SupabaseClient,
  pool: pg.Pool,
  members: ReadonlyMap<string, { id: string }>,
): Promise<void> {
  for (const { by, start, bars, alt } of messageCharts) {
    const { rows } = await pool.query<{ name: string; id: string }>(
      `select user_id || '-' || id || '.png' as name, id from public.chat_messages
       where user_id = $1 and starts_with(content, $2) and picture is null`,
      [members.get(by)?.id, start],
    );
    for (const { name, id } of rows) {
      await store(service, "message-pictures", name, await drawBars(bars));
      await pool.query(
        `update public.chat_messages
         set picture = $2, picture_width = 1600, picture_height = 900, picture_alt = $3 where id = $1`,
        [id, name, alt],
      );
    }
  }
}

/** Draws the covers of mentors' own texts and stores them. Leaves a text with a cover as it is. */
export async function seedCovers(service: SupabaseClient, pool: pg.Pool): Promise<void> {
  for (const { title, landscape } of coveredTexts) {
    const { rows } = await pool.query<{ id: string; owner_id: string }>(
      `select d.id, d.owner_id from public.drafts d join public.draft_versions v on v.draft_id = d.id and v.version = d.version
       where d.title = $1 and d.published_version = d.version and v.cover is null`,
      [title],
    );
    for (const { id, owner_id: owner } of rows) {
      const name = `${owner}-${Date.now()}.jpg`;
      const picture = await sharp(Buffer.from(drawLandscape(landscape)))
        .jpeg()
        .toBuffer();
      await store(service, "content-pictures", name, picture);
      await pool.query(
        `with draft as (
           update public.draft_versions v set cover = $2 from public.drafts d
           where d.id = $1 and v.draft_id = d.id and v.version = d.version returning d.article_id, d.course_id
         ), shown as (
           update public.articles a set featured_image_url = $2 from draft d where a.id = d.article_id
         )
         update public.courses c set thumbnail_url = $2 from draft d where c.id = d.course_id`,
        [id, contentPictureAddress(name)],
      );
    }
  }
}
