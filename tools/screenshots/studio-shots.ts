import type { Page } from "@playwright/test";
import type { Queryable } from "basehost/database";
import { demoAccounts } from "../demo/accounts.ts";
import type { Shot } from "./shots.ts";

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

/** Gives the mentor a course that members take, each of them a little further than the next, and two articles. */
async function teach(page: Page, owner: Queryable): Promise<void> {
  const mentor = demoAccounts.find(({ role }) => role === "mentor");
  await owner.query(
    `with mentor as (select id from auth.users where email = $1),
     course as (
       update public.courses set mentor_id = (select id from mentor)
       where id = (select id from public.courses order by created_at, id limit 1) returning id
     ), written as (
       update public.articles set author_id = (select id from mentor)
       where id in (select id from public.articles order by created_at, id limit 2)
     ), taken as (
       insert into public.course_enrollments (user_id, course_id, created_at)
       select u.id, c.id, now() - row_number() over (order by u.id) * interval '3 days'
       from auth.users u, course c where u.id <> (select id from mentor) on conflict do nothing
     )
     insert into public.module_completions (user_id, module_id, created_at)
     select u.id, m.id, now() - m.place * interval '1 day'
     from (select id, row_number() over (order by id) as place from auth.users) u
     join (
       select id, row_number() over (order by module_order) as place from public.course_modules
       where course_id = (select id from course)
     ) m on m.place < u.place
     on conflict do nothing`,
    [mentor?.email],
  );
  await page.reload();
  await page.getByRole("table", { name: "Courses" }).waitFor();
}

async function openCourseAnalytics(page: Page, owner: Queryable): Promise<void> {
  await teach(page, owner);
  await page.getByRole("table", { name: "Courses" }).getByRole("link").first().click();
  await page.getByRole("table", { name: "Students" }).waitFor();
}

/** Screens of the studio, as a mentor. */
export const studioShots: Shot[] = [
  { name: "studio", path: "/studio" },
  { name: "studio-import", path: "/studio/import", prepare: bringFiles },
  { name: "studio-analytics-empty", path: "/studio/analytics" },
  { name: "studio-analytics", path: "/studio/analytics", prepare: teach },
  { name: "studio-analytics-course", path: "/studio/analytics", prepare: openCourseAnalytics },
];
