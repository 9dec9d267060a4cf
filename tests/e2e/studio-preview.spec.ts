import { createAccount } from "./support/accounts.ts";
import { articleDraft, courseDraft, makeDraft } from "./support/drafts.ts";
import { makeShelf } from "./support/library.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const paragraphs = Array.from({ length: 40 }, (_, place) => `Paragraph ${place + 1} of the text.`);

test("the preview stands beside the text, follows it, and is remembered where it fits", async ({
  page,
  openAs,
}) => {
  const mentor = await createAccount("onboarded", "mentor-access");
  const shelf = await makeShelf("general");
  const fields = articleDraft(shelf, "A Plan for Monday", paragraphs.join("\n\n"));
  const draft = await makeDraft(mentor, "article", fields);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(mentor, `/studio/${draft}`);
  const text = page.getByRole("textbox", { name: "Article" });
  await expect(text).toContainText("Paragraph 40");
  const preview = page.getByRole("region", { name: "Preview of the text" });
  const toggle = page.getByRole("button", { name: "Preview beside" });
  await toggle.press("Enter");
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await expect(toggle).toBeFocused();
  // Its ground is that of a button under the pointer; the border tells them apart, in the dark as well.
  await page.emulateMedia({ colorScheme: "dark" });
  await expect
    .poll(
      async () =>
        await toggle.evaluate((button) => {
          const { borderTopColor, color } = getComputedStyle(button);
          return borderTopColor === color;
        }),
    )
    .toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  await expect(preview.getByText("Paragraph 1 of the text.", { exact: true })).toBeInViewport();
  // All tools stand in one row.
  const group = page.getByRole("group", { name: "Formatting" });
  const [first, last] = [
    await group.getByRole("button").first().boundingBox(),
    await group.getByRole("button").last().boundingBox(),
  ];
  expect([last?.y, last?.height]).toEqual([first?.y, first?.height]);
  const [left, right] = [await text.boundingBox(), await preview.boundingBox()];
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
  expect(Math.abs((right?.width ?? 0) - (left?.width ?? 0))).toBeLessThan(80);
  await expectAccessible(page);

  // Far down both show about the same.
  await text.getByText("Paragraph 30 of the text.", { exact: true }).scrollIntoViewIfNeeded();
  await page.mouse.move(left?.x ?? 0, 500);
  await page.mouse.wheel(0, 300);
  await expect(preview.getByText("Paragraph 30 of the text.", { exact: true })).toBeInViewport();
  await expect(preview.getByText("Paragraph 1 of the text.", { exact: true })).not.toBeInViewport();

  // What is written appears without a press.
  await text.getByText("Paragraph 30 of the text.", { exact: true }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And rest.");
  await expect(preview.getByText("Paragraph 30 of the text. And rest.")).toBeVisible();

  // The pane is a stop of the keyboard, and scrolls by itself.
  await preview.focus();
  await page.keyboard.press("Home");
  await expect(preview.getByText("Paragraph 1 of the text.", { exact: true })).toBeInViewport();

  await expect(page.getByText("All changes saved")).toBeVisible();
  await page.reload();
  await expect(preview).toBeVisible();
  await page.setViewportSize({ width: 1270, height: 900 });
  await expect(preview).toHaveCount(0);
  await expect(toggle).toHaveCount(0);
  await expect(page.getByLabel("Excerpt")).toBeVisible();
  // Only here is a page wider than the others.
  await page.setViewportSize({ width: 1920, height: 900 });
  await expect(preview).toBeVisible();
  const main = page.locator("#main");
  const width = async () => (await main.boundingBox())?.width ?? 0;
  expect(await width()).toBeGreaterThan(1500);
  await toggle.click();
  await expect.poll(width).toBe(1200);
});

test("the lesson that is open is previewed beside itself", async ({ page, openAs }) => {
  const mentor = await createAccount("onboarded", "mentor-access");
  const shelf = await makeShelf("general");
  const fields = courseDraft(shelf, "Two Lessons", ["Begin", "Go on"]);
  const draft = await makeDraft(mentor, "course", fields);
  await page.setViewportSize({ width: 1280, height: 800 });
  await openAs(mentor, `/studio/${draft}`);
  await page.getByRole("button", { name: "Preview beside" }).click();
  const preview = page.getByRole("region", { name: "Preview of the text" });
  await expect(preview.getByText("About Begin.")).toBeVisible();
  await page.getByRole("button", { name: "Show 2 modules" }).click();
  // Neither of the two stands in a row alone.
  const topOf = async (tool: string) =>
    (await page.getByRole("button", { name: tool, exact: true }).first().boundingBox())?.y;
  expect(await topOf("Redo")).toBe(await topOf("Undo"));
  await expectAccessible(page);
  await page.getByRole("button", { name: /^2\. Go on/ }).click();
  await expect(preview.getByText("About Go on.")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
});

test("the menu of blocks stands above a line at the foot of the window", async ({
  page,
  openAs,
}) => {
  const mentor = await createAccount("onboarded", "mentor-access");
  const shelf = await makeShelf("general");
  const fields = articleDraft(shelf, "A Plan for Tuesday", paragraphs.slice(0, 6).join("\n\n"));
  const draft = await makeDraft(mentor, "article", fields);
  await page.setViewportSize({ width: 1440, height: 720 });
  await openAs(mentor, `/studio/${draft}`);
  const text = page.getByRole("textbox", { name: "Article" });
  await text.getByText("Paragraph 6 of the text.").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/");
  const blocks = page.getByRole("listbox", { name: "Insert" });
  await expect(blocks).toBeInViewport({ ratio: 1 });
  const line = await text.locator("p").last().boundingBox();
  const menu = await blocks.boundingBox();
  expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThan((line?.y ?? 0) + 12);
  // With fewer blocks it fits below.
  await page.keyboard.type("ti");
  await expect(blocks.getByRole("option")).toHaveText(["Tip Advice that saves work"]);
  expect((await blocks.boundingBox())?.y).toBeGreaterThan(line?.y ?? 0);
});
