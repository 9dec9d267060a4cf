import type { Page } from "@playwright/test";
import { createAccount, type Account } from "./support/accounts.ts";
import {
  addArticle,
  addCourse,
  libraryCategories,
  makeShelf,
  setAccountLevel,
} from "./support/library.ts";
import { expect, test } from "./support/test.ts";

async function rowsOf(account: Account, table: string, columns = "*"): Promise<unknown[]> {
  const { data, error } = await account.client.from(table).select(columns);
  if (error) throw new Error(error.message);
  return data;
}

/** A shelf's card on a home page. */
const cardOf = (page: Page, name: string) =>
  page.getByRole("region", { name: "Subcategories" }).getByRole("link", { name });

const itemOf = (page: Page, title: string) => page.getByRole("article", { name: title });

async function expectTitle(page: Page, title: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
}

for (const { category, segment, name, level } of libraryCategories) {
  test(`${name} is walked from the gate to the last module`, async ({ page, openAs }) => {
    const account = await createAccount("onboarded");
    const shelf = await makeShelf(category);
    await addArticle(shelf, "A first thing", { featured: true });
    await addArticle(shelf, "A second thing");
    const courseId = await addCourse(shelf, "A whole course", [
      { title: "Begin" },
      { title: "Go on" },
      { title: "Finish" },
    ]);

    await test.step("the gate is shut below the level", async () => {
      await setAccountLevel(account, level - 1);
      await openAs(account, `/${segment}/foundations/${shelf.slug}`);
      await expectTitle(page, "Welcome, Amara");
      await expect(page).toHaveURL(/\/studentdash$/);
    });

    await test.step("home and list show what there is", async () => {
      await setAccountLevel(account, level);
      await page.goto(`/${segment}/foundations`);
      await expectTitle(page, "Foundations");
      await expect(page.getByRole("heading", { name: "Level Advancements" })).toBeVisible();
      const card = cardOf(page, shelf.name);
      await expect(card).toContainText("2 articles");
      await expect(card).toContainText("0 read");
      await card.click();
      await expectTitle(page, shelf.name);
      await expect(itemOf(page, "A first thing")).toContainText("Featured");
      await expect(itemOf(page, "A first thing")).toContainText("Fourfold");
      await expect(itemOf(page, "A first thing")).toContainText("4 min read");
      await expect(
        itemOf(page, "A first thing").getByRole("list", { name: "Tags" }).getByRole("listitem"),
      ).toHaveText(["one", "two", "three"]);
    });

    await test.step("an article is marked as read once", async () => {
      await itemOf(page, "A first thing").getByRole("link").click();
      await expectTitle(page, "A first thing");
      await expect(page.getByText("Paragraph 1.")).toBeVisible();
      await page
        .getByRole("region", { name: "Complete This Article" })
        .getByRole("button", { name: "Mark as Read" })
        .click();
      await expect(page.getByText("Completed", { exact: true })).toBeVisible();
      await expect(page.getByRole("button", { name: "Mark as Read" })).toHaveCount(0);
      expect(await rowsOf(account, "article_reads", "article_id")).toHaveLength(1);
    });

    await test.step("the badge and the counts follow", async () => {
      await page.getByRole("link", { name: "Next: A second thing" }).click();
      await expectTitle(page, "A second thing");
      await page.getByRole("button", { name: "Mark as Read" }).first().click();
      await expect(page.getByText("Completed", { exact: true })).toBeVisible();
      await page.getByRole("link", { name: shelf.name }).click();
      await expect(itemOf(page, "A first thing").getByText("Read", { exact: true })).toBeVisible();
      await page.getByRole("link", { name: `${name} Foundations` }).click();
      await expect(cardOf(page, shelf.name)).toContainText("2 read");
      await expect(cardOf(page, shelf.name)).toContainText("Complete");
    });

    await test.step("the player shows no module before one enrols", async () => {
      await page.getByRole("navigation", { name: "Shelves" }).getByText("Courses").click();
      await expectTitle(page, "Courses");
      await expect(cardOf(page, shelf.name)).toContainText("1 course");
      await cardOf(page, shelf.name).click();
      const card = itemOf(page, "A whole course");
      for (const text of ["£29", "60 min", "Intermediate", "0 enrolled", "Fourfold"]) {
        await expect(card).toContainText(text);
      }
      await card.getByRole("link").click();
      await expectTitle(page, "A whole course");
      const aside = page.getByRole("complementary", { name: "Course modules" });
      await expect(aside).toContainText("Enroll to access course modules");
      await expect(aside.getByRole("link")).toHaveCount(0);
      await page.getByRole("button", { name: "Enroll in This Course" }).click();
      await expect(page.getByRole("heading", { level: 2, name: "Begin" })).toBeVisible();
      // The pressed button has gone; one goes on from the page, not from the top of the window.
      await expect(page.locator("main:focus, main :focus")).toHaveCount(1);
    });

    await test.step("on a phone its lesson begins on the first screen, its modules folded above", async () => {
      const wide = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      const aside = page.getByRole("complementary", { name: "Course modules" });
      const other = aside.getByRole("link", { name: /Go on/ });
      await expect(other).toBeHidden();
      const text = await page.getByRole("heading", { level: 2, name: "Begin" }).boundingBox();
      expect(text?.y).toBeLessThan(320);
      await aside.getByText("0% complete").click();
      await other.click();
      await expect(page.getByRole("heading", { level: 2, name: "Go on" })).toBeVisible();
      await expect(other).toBeHidden();
      await page.goBack();
      if (wide) await page.setViewportSize(wide);
    });

    await test.step("its modules are completed to 100 %", async () => {
      const aside = page.getByRole("complementary", { name: "Course modules" });
      await expect(aside).toContainText("0% complete");
      for (const [index, title] of ["Begin", "Go on", "Finish"].entries()) {
        await expect(page.getByRole("heading", { level: 2, name: title })).toBeVisible();
        await page.getByRole("button", { name: "Mark as Complete" }).click();
        await expect(aside).toContainText(`${[33, 67, 100][index]}% complete`);
        // It goes on to the next lesson by itself; the last one stays.
      }
      await expect(page.getByText("Completed", { exact: true })).toBeVisible();
      await expect(page.getByText("you've finished this course")).toBeVisible();
      const rows = await rowsOf(account, "course_enrollments");
      expect(rows).toMatchObject([{ course_id: courseId, progress_percentage: 100 }]);
      expect(rows).not.toMatchObject([{ completed_at: null }]);
    });

    await test.step("the way back shows it", async () => {
      await page.getByRole("link", { name: "Back to the courses" }).click();
      await expect(
        itemOf(page, "A whole course").getByText("Complete", { exact: true }),
      ).toBeVisible();
      await expect(itemOf(page, "A whole course")).toContainText("1 enrolled");
      await page.getByRole("link", { name: `${name} Courses` }).click();
      await expect(cardOf(page, shelf.name)).toContainText("1 completed");
      await expect(cardOf(page, shelf.name)).toContainText("Complete");
    });
  });
}

test("unknown addresses show a message and a way back", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  await setAccountLevel(account, 2);
  const shelf = await makeShelf("general");
  await openAs(account, "/knowledge/foundations/nowhere-at-all");
  await expectTitle(page, "Subcategory not found");
  await page.goto(`/knowledge/courses/nowhere-at-all`);
  await expectTitle(page, "Subcategory not found");
  for (const id of ["no-id", "a0000000-0000-4000-8000-000000000000"]) {
    await page.goto(`/knowledge/foundations/${shelf.slug}/${id}`);
    await expectTitle(page, "Article not found");
    await page.goto(`/knowledge/courses/${shelf.slug}/${id}`);
    await expectTitle(page, "Course not found");
  }
  await page.getByRole("link", { name: "Back to the courses" }).click();
  await expect(page.getByText("No courses yet")).toBeVisible();
  await page.goto(`/knowledge/foundations/${shelf.slug}`);
  await expect(page.getByText("No articles yet")).toBeVisible();
});

test("an article above the level is not found below another category's address", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  await setAccountLevel(account, 2);
  const above = await makeShelf("business");
  const id = await addArticle(above, "Not for you yet");
  await openAs(account, `/knowledge/foundations/${above.slug}/${id}`);
  await expectTitle(page, "Article not found");
});

test("a failed load redirects to the list, and a failed action keeps its button", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  await setAccountLevel(account, 2);
  const shelf = await makeShelf("general");
  const articleId = await addArticle(shelf, "A thing to read");
  const courseId = await addCourse(shelf, "A thing to take", [{ title: "Only lesson" }]);

  await page.route(/\/rest\/v1\/(articles|courses)\?/, (route) => route.abort());
  await openAs(account, `/knowledge/foundations/${shelf.slug}/${articleId}`);
  await expect(itemOf(page, "A thing to read")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/knowledge/foundations/${shelf.slug}$`));
  await page.goto(`/knowledge/courses/${shelf.slug}/${courseId}`);
  await expect(itemOf(page, "A thing to take")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/knowledge/courses/${shelf.slug}$`));
  await page.unroute(/\/rest\/v1\/(articles|courses)\?/);

  const writes = /\/rest\/v1\/(article_reads|course_enrollments|module_completions)/;
  const failed = () => page.waitForEvent("requestfailed", (request) => writes.test(request.url()));
  await page.route(writes, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.goto(`/knowledge/foundations/${shelf.slug}/${articleId}`);
  const mark = page.getByRole("button", { name: "Mark as Read" }).first();
  await Promise.all([failed(), mark.click()]);
  await expect(mark).toBeEnabled();
  await page.goto(`/knowledge/courses/${shelf.slug}/${courseId}`);
  const enroll = page.getByRole("button", { name: "Enroll in This Course" });
  await Promise.all([failed(), enroll.click()]);
  await expect(enroll).toBeEnabled();
  await page.unroute(writes);
  await enroll.click();
  await expect(page.getByRole("heading", { level: 2, name: "Only lesson" })).toBeVisible();
});
