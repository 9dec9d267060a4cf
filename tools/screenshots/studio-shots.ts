import type { Page } from "@playwright/test";
import type { Queryable } from "basehost/database";
import sharp from "sharp";
import { coveredTexts, drawLandscape } from "../demo/covers.ts";
import { demoAccounts } from "../demo/accounts.ts";
import type { Shot } from "./shot.ts";

/** Chooses two files to import, of which one has a mistake. */
async function bringFiles(page: Page): Promise<void> {
  const head =
    "---\ntitle: A Plan for Monday\nexcerpt: One.\ntags: [plans, weeks]\norder: 1\n---\n\n";
  const file = (name: string, text: string) => ({
    name,
    mimeType: "text/markdown",
    buffer: Buffer.from(head + text),
  });
  await page
    .getByLabel("Files to import")
    .setInputFiles([file("monday.md", "First."), file("tuesday.md", "Some <b>bold</b> words.")]);
  await page.getByText("Raw HTML is not allowed").first().waitFor();
}

/** Lets every member take the mentor's courses, each of them a little further than the next. */
async function teach(page: Page, owner: Queryable): Promise<void> {
  const mentor = demoAccounts.find(({ role }) => role === "mentor");
  await owner.query(
    `with mentor as (select id from auth.users where email = $1),
     course as (
       select id from public.courses where mentor_id = (select id from mentor)
     ), taken as (
       insert into public.course_enrollments (user_id, course_id, created_at)
       select u.id, c.id, now() - row_number() over (partition by c.id order by u.id) * interval '1 day'
       from auth.users u, course c where u.id <> (select id from mentor) on conflict do nothing
     )
     insert into public.module_completions (user_id, module_id, created_at)
     select u.id, m.id, now() - m.place * interval '1 day'
     from (select id, row_number() over (order by id) as place from auth.users) u
     join (
       select id, row_number() over (partition by course_id order by module_order) as place
       from public.course_modules where course_id in (select id from course)
     ) m on m.place < u.place
     on conflict do nothing`,
    [mentor?.email],
  );
  await owner.query(
    `with texts as (
       select a.id as article_id, null::uuid as course_id from public.articles a
       where a.author_id = (select id from auth.users where email = $1)
       union all
       select null, c.id from public.courses c where c.mentor_id = (select id from auth.users where email = $1)
     ), readers as (
       select id, row_number() over (order by id) as place from auth.users where email <> $1
     ), opened as (
       insert into public.article_opens (user_id, article_id, last_opened_on, opened_from)
       select r.id, t.article_id, now(), (array['category', 'category', 'search', 'room', 'today', 'other'])[r.place % 6 + 1]
       from readers r, texts t where t.article_id is not null
       on conflict (user_id, article_id) do update set opened_from = excluded.opened_from
     ), sourced as (
       update public.course_enrollments e
       set enrolled_from = (array['category', 'category', 'profile', 'search'])[r.place % 4 + 1]
       from readers r, texts t where e.user_id = r.id and e.course_id = t.course_id
     )
     insert into private.content_ratings (user_id, article_id, course_id, stars, sentence)
     select r.id, t.article_id, t.course_id, 3 + r.place % 3,
       (array['I used the table the same evening.', null, 'Clear, but the second part goes too fast for me.'])[r.place % 3 + 1]
     from readers r, texts t on conflict do nothing`,
    [mentor?.email],
  );
  // Days that were counted already are counted anew with the rows above.
  await owner.query(
    `with state as (update private.content_days_state set counted_until = '2026-01-01') delete from private.content_days`,
  );
  await page.reload();
  await page.getByRole("table", { name: "Courses" }).waitFor();
}

/** Waits for the bars of a chart, whose code is loaded with the first one. */
const drawn = async (page: Page) =>
  await page.getByRole("main").getByRole("img").locator("path").first().waitFor();

async function openArticleAnalytics(page: Page, owner: Queryable): Promise<void> {
  await teach(page, owner);
  await page.getByRole("table", { name: "Articles" }).getByRole("link").first().click();
  await page
    .getByRole("region", { name: "Where they came from" })
    .getByRole("listitem")
    .first()
    .waitFor();
  await page.getByRole("list", { name: "How many gave each number of stars" }).waitFor();
  await drawn(page);
}

async function openCourseAnalytics(page: Page, owner: Queryable): Promise<void> {
  await teach(page, owner);
  await page.getByRole("table", { name: "Courses" }).getByRole("link").first().click();
  await page.getByRole("table", { name: "Students" }).waitFor();
  await drawn(page);
}

/** Begins an article with a callout and opens the menu of blocks. */
async function writeCallout(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New article" }).click();
  const text = page.getByRole("textbox", { name: "Article" });
  await text.click();
  await page.keyboard.type("Write down one figure every evening.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/warn");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Never on a Friday after six.");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/");
  await page.getByRole("listbox", { name: "Insert" }).waitFor();
}

/** Tries to leave an article while there is no connection. */
async function leaveUnsaved(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New article" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Pricing your first weekend");
  await page.context().setOffline(true);
  await page.getByRole("textbox", { name: "Article" }).click();
  await page.keyboard.type("Write down one figure every evening.");
  await page.getByRole("main").getByRole("link", { name: "Studio" }).click();
  await page.getByRole("alertdialog").waitFor();
}

/** Uploads a film of the library to the first module of a new course. */
async function uploadFilm(page: Page): Promise<void> {
  const film = "web/public/films/what-it-is-worth-to-them";
  await page.getByRole("button", { name: "New course" }).click();
  await page.getByRole("button", { name: "Add module" }).click();
  await page.getByRole("button", { name: "Upload a film instead" }).click();
  await page.getByLabel("Film", { exact: true }).setInputFiles(`${film}.webm`);
  await page.getByLabel("Captions", { exact: true }).setInputFiles(`${film}.vtt`);
}

/** The same, once it is stored. */
async function showFilm(page: Page): Promise<void> {
  await uploadFilm(page);
  await page.getByRole("button", { name: "Upload film" }).click();
  await page.locator("video").scrollIntoViewIfNeeded();
}

/** Chooses a picture that is taller than a cover. */
async function cropCover(page: Page): Promise<void> {
  const [landscape] = coveredTexts.map((text) => text.landscape);
  if (landscape === undefined) throw new Error("no landscape");
  const drawing = Buffer.from(drawLandscape(landscape));
  const buffer = await sharp(drawing).resize(1200, 1200).png().toBuffer();
  await page.getByRole("button", { name: "New article" }).click();
  await page.getByLabel("Title", { exact: true }).fill("The Month That Hasn't Happened Yet");
  await page
    .getByLabel("Picture", { exact: true })
    .setInputFiles({ name: "sunrise.png", mimeType: "image/png", buffer });
  await page.getByRole("slider", { name: "Part to show" }).scrollIntoViewIfNeeded();
}

/** The same, once it is stored. */
async function showCover(page: Page): Promise<void> {
  await cropCover(page);
  await page.getByRole("button", { name: "Use as cover" }).click();
  await page.getByRole("button", { name: "Remove picture" }).waitFor();
}

/** Begins an article and opens the field for its time. */
async function chooseTime(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New article" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Pricing your first weekend");
  await page.getByRole("button", { name: "Choose a time to publish" }).click();
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.getByText("Choose a date and a time.").waitFor();
}

/** Saves an article twice and shows its versions. */
async function showVersions(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New article" }).click();
  for (const title of ["Pricing your first weekend", "What your first weekend costs"]) {
    await page.getByLabel("Title", { exact: true }).fill(title);
    await page.keyboard.press("Control+s");
    await page.getByText("All changes saved").waitFor();
  }
  await page.getByRole("button", { name: "Show versions" }).click();
  await page.getByRole("button", { name: "Keep one version a day" }).scrollIntoViewIfNeeded();
}

/** The same, and asks whether to keep one a day. */
async function askForDaily(page: Page): Promise<void> {
  await showVersions(page);
  await page.getByRole("button", { name: "Keep one version a day" }).click();
  await page.getByRole("alertdialog").waitFor();
}

/** Lets a published article wait for a review, with a time its mentor asks for, and opens it. */
export async function openDraftReview(page: Page, owner: Queryable): Promise<void> {
  await owner.query(
    `update public.drafts set status = 'submitted', submitted_at = now() - interval '2 hours',
       publish_at = date_trunc('day', now()) + interval '3 days 9 hours'
     where id = (select id from public.drafts where kind = 'article' order by created_at, id limit 1)`,
  );
  await page.reload();
  await page
    .getByRole("button", { name: /Changes to a published article/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Quote the selected words" }).click();
}

/** Screens of the studio, as a mentor. */
export const studioShots: Shot[] = [
  { name: "studio", path: "/studio" },
  { name: "studio-editor", path: "/studio", prepare: writeCallout },
  { name: "studio-leave", path: "/studio", prepare: leaveUnsaved },
  { name: "studio-film-upload", path: "/studio", prepare: uploadFilm },
  { name: "studio-film", path: "/studio", prepare: showFilm },
  { name: "studio-selling", path: "/studio/selling" },
  { name: "studio-training", path: "/studio/training" },
  { name: "studio-cover-crop", path: "/studio", prepare: cropCover },
  { name: "studio-cover", path: "/studio", prepare: showCover },
  { name: "studio-time", path: "/studio", prepare: chooseTime },
  { name: "studio-versions", path: "/studio", prepare: showVersions },
  { name: "studio-versions-question", path: "/studio", prepare: askForDaily },
  { name: "studio-import", path: "/studio/import", prepare: bringFiles },
  { name: "studio-analytics", path: "/studio/analytics", prepare: teach },
  { name: "studio-analytics-course", path: "/studio/analytics", prepare: openCourseAnalytics },
  { name: "studio-analytics-article", path: "/studio/analytics", prepare: openArticleAnalytics },
];
