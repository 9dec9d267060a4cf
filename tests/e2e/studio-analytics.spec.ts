import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { createAccount, createAdmin, runAsOwner, type Account } from "./support/accounts.ts";
import { articleDraft, courseDraft, publishText } from "./support/drafts.ts";
import { makeShelf, setAccountLevel } from "./support/library.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const lessons = ["Begin", "Go on", "Turn back", "Arrive"] as const;

/** Completes the lesson that is open. */
async function completeLesson(page: Page, lesson: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 2, name: lesson, exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  const modules = page.getByRole("complementary", { name: "Course modules" });
  await expect(modules.getByRole("link", { name: RegExp(`${lesson} ?, completed`) })).toBeVisible();
}

/** Makes everything the student did happen nine days earlier, and counts the days again. */
async function passNineDays(student: Account): Promise<void> {
  for (const table of [
    "public.article_reads",
    "public.course_enrollments",
    "public.module_completions",
    "private.content_questions",
  ]) {
    await runAsOwner(
      `update ${table} set created_at = created_at - interval '9 days' where user_id = $1`,
      [student.id],
    );
  }
  await runAsOwner("select private.count_content_days(current_date - 10)", []);
}

/** Saves the table or page as CSV; answers with its lines. */
async function exportLines(page: Page, place: number): Promise<string[]> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).nth(place).click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text.startsWith("\uFEFF")).toBe(true);
  return text.slice(1).trimEnd().split("\r\n");
}

const day = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

test("a student reads, enrols, asks, pauses, is reminded and finishes, and the mentor sees exactly this", async ({
  page,
  openAs,
  browser,
}) => {
  const shelf = await makeShelf("general");
  const [articleTitle, courseTitle] = [`Read ${shelf.slug}`, `Taken ${shelf.slug}`];
  const [writer, admin, student] = await Promise.all([
    createAccount("onboarded", "mentor-access"),
    createAdmin(),
    createAccount("onboarded"),
  ]);
  const text = "A short one.\n\n## To the end\n\nThat was it.";
  const [course] = await Promise.all([
    publishText(writer, admin, "course", courseDraft(shelf, courseTitle, lessons)),
    publishText(writer, admin, "article", articleDraft(shelf, articleTitle, text)),
    setAccountLevel(student, 2),
  ]);

  await openAs(student, `/knowledge/foundations/${shelf.slug}`);
  await page.getByRole("link", { name: articleTitle }).click();
  await page.getByText("That was it.").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Mark as Read" }).last().click();
  await expect(page.getByRole("button", { name: "Mark as Read" })).toHaveCount(0);
  const rating = page.getByRole("region", { name: "What did you think of this article?" });
  await rating.getByRole("radio", { name: /^4 stars/ }).press("Space");
  await rating.getByLabel("One sentence (optional)").fill("Short and true.");
  await rating.getByRole("button", { name: "Save rating" }).click();
  await expect(rating.getByRole("button", { name: "Change rating" })).toBeVisible();
  // One rating says nothing of a text to others; its author sees it.
  await expect(page.getByText("4.0 (1)")).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/knowledge/courses/${shelf.slug}`);
  await page.getByRole("link", { name: courseTitle }).click();
  const syllabus = page.getByRole("complementary", { name: "Course modules" });
  await expect(syllabus.getByText("Enroll to access course modules")).toBeVisible();
  await expect(syllabus.getByRole("listitem")).toHaveText(lessons.map((each) => RegExp(each)));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Enroll in This Course" }).click();
  const questions = page.getByRole("region", { name: "Questions" });
  await questions.getByLabel("Ask a question").fill("Why begin?");
  await questions.getByRole("button", { name: "Ask" }).click();
  await expect(questions.getByRole("listitem")).toContainText("Why begin?");
  await completeLesson(page, "Begin");
  await completeLesson(page, "Go on");
  await expect(syllabus.getByText("50% complete")).toBeVisible();
  await passNineDays(student);

  const mentor = await openWindow(browser, writer, `/studio/analytics/${course}`);
  const funnel = mentor.getByRole("region", { name: "Lesson by lesson" }).locator("ol > li");
  await expect(funnel).toHaveText([
    /Begin1 of 1 · 100%/,
    /Go on1 of 1 · 100%/,
    /Turn back0 of 1 · 0%Members stop here: 1 member/,
    /Arrive0 of 1 · 0%/,
  ]);
  const students = mentor.getByRole("table", { name: "Students" });
  await expect(students.getByRole("row").nth(1)).toContainText("50%");
  await students.getByRole("button", { name: /^Remind/ }).click();
  await mentor.getByRole("button", { name: "Send the reminder" }).click();
  await expect(students.getByRole("row").nth(1)).toContainText("Sent");
  await expect(students.getByRole("button")).toHaveCount(0);
  await expectAccessible(mentor);

  await page.goto("/studentdash");
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const bell = page.getByRole("dialog", { name: "Notifications" });
  await bell.getByRole("link", { name: `reminded you of “${courseTitle}”` }).click();
  await expect(page).toHaveURL(new RegExp(`/knowledge/courses/${shelf.slug}/${course}`));
  await completeLesson(page, "Turn back");
  await completeLesson(page, "Arrive");
  await expect(syllabus.getByText("100% complete")).toBeVisible();
  await expect(page.getByText("you've finished this course")).toBeVisible();
  await expect(page.getByRole("link", { name: "See your certificate" })).toBeVisible();

  await mentor.goto("/mentordash");
  await mentor.getByRole("link", { name: "Student analytics" }).click();
  await expect(mentor.getByRole("row", { name: articleTitle })).toHaveText(
    `${articleTitle}11100%00Knowledge`,
  );
  await expect(mentor.getByRole("row", { name: courseTitle })).toHaveText(
    `${courseTitle}11100%11Knowledge`,
  );
  await expectAccessible(mentor);
  expect(await exportLines(mentor, 0)).toEqual([
    "Course,Enrolments,Completed,Share,Questions,Open questions,Category",
    `${courseTitle},1,1,100%,1,1,Knowledge`,
  ]);
  expect(await exportLines(mentor, 1)).toEqual([
    "Article,Readers,Read to the end,Share,Questions,Open questions,Category",
    `${articleTitle},1,1,100%,0,0,Knowledge`,
  ]);

  await mentor.getByRole("link", { name: courseTitle }).click();
  await expect(funnel).toHaveText(lessons.map((each) => RegExp(`${each}1 of 1 · 100%$`)));
  await expect(students.getByRole("row")).toHaveCount(2);
  await expect(students.getByRole("row").nth(1)).toContainText("Completed");
  const sources = mentor.getByRole("region", { name: "Where they came from" });
  await expect(sources.locator("ol > li")).toHaveText(["The category's pages1 · 100%"]);
  expect(await exportLines(mentor, 0)).toEqual([
    "Day,Enrolments,Lessons completed,Courses completed",
    `${day(9)},1,2,0`,
    `${day(0)},0,2,1`,
  ]);

  await mentor.goto("/studio/analytics");
  await mentor.getByRole("link", { name: articleTitle }).click();
  await expect(sources.getByRole("listitem")).toHaveText(["The category's pages1 · 100%"]);
  const ratings = mentor.getByRole("region", { name: "Ratings" });
  await expect(ratings.getByText("Short and true.")).toBeVisible();
  await expect(ratings.getByText("Take down")).toHaveCount(0);
  await expectAccessible(mentor);

  await mentor.goto("/studio/analytics/00000000-0000-4000-8000-000000000740");
  await expect(mentor.getByRole("heading", { name: "Course not found" })).toBeVisible();
});
