import { createAccount, runAsOwner } from "./support/accounts.ts";
import { addArticle, addCourse, makeShelf, setAccountLevel } from "./support/library.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a student reads, enrols, asks and completes, and the mentor sees exactly this", async ({
  page,
  openAs,
  browser,
}) => {
  const shelf = await makeShelf("general");
  const [articleTitle, courseTitle] = [`Read ${shelf.slug}`, `Taken ${shelf.slug}`];
  const article = await addArticle(shelf, articleTitle, { content: "A short one." });
  const course = await addCourse(shelf, courseTitle, [{ title: "Begin" }, { title: "Go on" }]);
  const writer = await createAccount("onboarded", "mentor-access");
  await runAsOwner("update public.articles set author_id = $2 where id = $1", [article, writer.id]);
  await runAsOwner("update public.courses set mentor_id = $2 where id = $1", [course, writer.id]);
  const student = await createAccount("onboarded");
  await setAccountLevel(student, 2);

  await openAs(student, `/knowledge/foundations/${shelf.slug}/${article}`);
  await page.getByRole("button", { name: "Mark as Read" }).first().click();
  await expect(page.getByRole("button", { name: "Mark as Read" })).toHaveCount(0);
  await page.goto(`/knowledge/courses/${shelf.slug}/${course}`);
  await page.getByRole("button", { name: "Enroll in This Course" }).click();
  const questions = page.getByRole("region", { name: "Questions" });
  await questions.getByLabel("Ask a question").fill("Why begin?");
  await questions.getByRole("button", { name: "Ask" }).click();
  await expect(questions.getByRole("listitem")).toContainText("Why begin?");
  await page.getByRole("button", { name: "Mark as Complete" }).first().click();
  await expect(page.getByText("50% complete")).toBeVisible();

  const mentor = await openWindow(browser, writer, "/mentordash");
  await mentor.getByRole("link", { name: "Student analytics" }).click();
  await expect(mentor.getByRole("row", { name: articleTitle })).toHaveText(
    `${articleTitle}Knowledge11100%00`,
  );
  await expect(mentor.getByRole("row", { name: courseTitle })).toHaveText(
    `${courseTitle}Knowledge100%11`,
  );
  await expectAccessible(mentor);
  const download = mentor.waitForEvent("download");
  await mentor.getByRole("button", { name: "Export CSV" }).first().click();
  expect((await download).suggestedFilename()).toBe("fourfold-courses.csv");

  await mentor.getByRole("link", { name: courseTitle }).click();
  const lessons = mentor.getByRole("region", { name: "Lesson by lesson" });
  await expect(lessons.getByRole("listitem").first()).toContainText("1 of 1 · 100%");
  await expect(lessons.getByRole("listitem").nth(1)).toContainText("0 of 1 · 0%");
  await expect(lessons.getByRole("listitem").nth(1)).toContainText("Members stop here: 1 member");
  const students = mentor.getByRole("table", { name: "Students" });
  await expect(students.getByRole("row").nth(1)).toContainText("50%");
  await expectAccessible(mentor);

  await mentor.goto("/studio/analytics/00000000-0000-4000-8000-000000000740");
  await expect(mentor.getByRole("heading", { name: "Course not found" })).toBeVisible();
});
