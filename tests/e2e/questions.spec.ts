import { createAccount, runAsOwner } from "./support/accounts.ts";
import { addArticle, makeShelf, setAccountLevel } from "./support/library.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a student asks under an article, its mentor is notified and answers, and the student is notified", async ({
  page,
  openAs,
  browser,
}) => {
  const shelf = await makeShelf("general");
  const title = `Asked ${shelf.slug}`;
  const article = await addArticle(shelf, title);
  const writer = await createAccount("onboarded", "mentor-access");
  await runAsOwner("update public.articles set author_id = $2 where id = $1", [article, writer.id]);
  const student = await createAccount("onboarded");
  await setAccountLevel(student, 2);

  await openAs(student, `/knowledge/foundations/${shelf.slug}/${article}`);
  const questions = page.getByRole("region", { name: "Questions" });
  await expect(questions.getByText("No questions yet. Ask the first one.")).toBeVisible();
  await questions.getByRole("button", { name: "Ask" }).click();
  await expect(questions.getByText("Please write something first.")).toBeVisible();
  await questions.getByLabel("Ask a question").fill("Why on <b>Monday</b>?");
  await questions.getByRole("button", { name: "Ask" }).click();
  await expect(questions.getByRole("listitem")).toContainText("Why on <b>Monday</b>?");
  await expectAccessible(page);

  const mentor = await openWindow(browser, writer, "/mentordash");
  await mentor.getByRole("button", { name: /^Notifications, \d+ unread$/ }).click();
  await mentor.getByRole("link", { name: new RegExp(`asked about “${title}”`) }).click();
  await expect(mentor).toHaveURL(/\/studio#question-[\w-]+$/);
  const waiting = mentor.getByRole("region", { name: /^Waiting for your answer/ });
  await expect(waiting).toContainText("Why on <b>Monday</b>?");
  await expect(waiting.getByLabel("Your answer")).toBeFocused();
  await expectAccessible(mentor);
  await waiting.getByLabel("Your answer").fill("Because Sunday is for rest.");
  await waiting.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(waiting).toHaveCount(0);

  // The text the student still has open.
  await expect(questions).toContainText("Because Sunday is for rest.");
  await page.goto("/studentdash");
  await page.getByRole("button", { name: /^Notifications, \d+ unread$/ }).click();
  // The dashboard has the same line under “Waiting for you”.
  await page
    .getByRole("dialog", { name: "Notifications" })
    .getByRole("link", { name: new RegExp(`answered your question about “${title}”`) })
    .click();
  const answered = questions
    .getByRole("listitem")
    .filter({ hasText: "Because Sunday is for rest." });
  await expect(answered).toBeFocused();
  await expect(answered).toBeInViewport();
  await expectAccessible(page);

  // Who asked says that it helped, and its author is told.
  const mark = answered.getByRole("button", { name: "This was helpful" });
  await mark.click();
  await expect(answered.getByText("Helpful", { exact: true })).toBeVisible();
  await expect(mark).toHaveAttribute("aria-pressed", "true");
  await mentor.getByRole("button", { name: /^Notifications, \d+ unread$/ }).click();
  await mentor.getByRole("link", { name: `found your answer about “${title}” helpful` }).click();
  const theirs = mentor
    .getByRole("listitem")
    .filter({ hasText: "Because Sunday is for rest." })
    .filter({ has: mentor.getByText("Helpful", { exact: true }) });
  await expect(theirs).toBeInViewport();
  await expect(theirs.getByRole("button", { name: "This was helpful" })).toHaveCount(0);
  await expectAccessible(mentor);
  await mark.click();
  await expect(answered.getByText("Helpful", { exact: true })).toHaveCount(0);
  await questions.getByRole("button", { name: "Delete question" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete question" }).click();
  await expect(questions.getByText("No questions yet. Ask the first one.")).toBeVisible();
});
