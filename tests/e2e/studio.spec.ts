import type { Page } from "@playwright/test";
import sharp from "sharp";
import { createAccount, createAdmin } from "./support/accounts.ts";
import { makeShelf, setAccountLevel } from "./support/library.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** Fills in what every draft needs; the name of the shelf says where it is published. */
async function describeDraft(page: Page, title: string, shelfName: string): Promise<void> {
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page.getByLabel(/^(Excerpt|Description)$/).fill("One sentence about it.");
  await page.getByLabel("Subcategory").selectOption({ label: shelfName });
}

/** Gives the open draft the lower part of a tall picture as its cover. */
async function giveCover(page: Page): Promise<void> {
  const tall = {
    create: { width: 800, height: 1600, channels: 3, background: "#2a6f97" },
  } as const;
  const buffer = await sharp(tall).png().toBuffer();
  const file = { name: "tall.png", mimeType: "image/png", buffer };
  await page.getByLabel("Picture", { exact: true }).setInputFiles(file);
  await page.getByRole("slider", { name: "Part to show" }).press("End");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use as cover" }).click();
  await expectCover(page);
}

/** Waits until the one uploaded cover of a page has been loaded, in its shape. */
async function expectCover(page: Page): Promise<void> {
  const cover = page.locator('img[src*="/object/public/content-pictures/"][alt=""]');
  const size = (image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight];
  await expect.poll(async () => await cover.evaluate(size)).toEqual([800, 450]);
}

/** Opens the dialog with the slash menu and puts a picture at the end of the article. */
async function insertPicture(page: Page): Promise<void> {
  await page.keyboard.type("/pict");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Insert a picture" });
  const wide = {
    create: { width: 640, height: 320, channels: 3, background: "#9b2226" },
  } as const;
  const buffer = await sharp(wide).png().toBuffer();
  const file = { name: "wide.png", mimeType: "image/png", buffer };
  await dialog.getByLabel("Picture file").setInputFiles(file);
  await dialog.getByRole("button", { name: "Insert picture" }).click();
  await expect(dialog.getByText("Describe the picture.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Description").fill("A red field");
  await dialog.getByRole("button", { name: "Insert picture" }).click();
  await expect(dialog).toBeHidden();
  await expectPicture(page);
  await expect(page.getByRole("textbox", { name: "Article" })).toBeFocused();
}

/** Drops a picture file onto the article. */
async function dropPicture(page: Page): Promise<void> {
  const flat = { create: { width: 64, height: 64, channels: 3, background: "#005f73" } } as const;
  const bytes = (await sharp(flat).jpeg().toBuffer()).toString("base64");
  const dataTransfer = await page.evaluateHandle((encoded) => {
    const transfer = new DataTransfer();
    const content = Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0));
    transfer.items.add(new File([content], "flat.jpg", { type: "image/jpeg" }));
    return transfer;
  }, bytes);
  const text = page.getByRole("textbox", { name: "Article" });
  const line = text.getByText("It is quiet.");
  await line.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await line.boundingBox()) ?? {};
  await text.dispatchEvent("drop", { dataTransfer, clientX: x + 4, clientY: y + 4 });
  const dialog = page.getByRole("dialog", { name: "Insert a picture" });
  await expect(dialog.getByRole("img", { name: "Preview of the picture" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(text).toBeFocused();
}

/** Waits until the picture of the article has been loaded, in a place that was kept free for it. */
async function expectPicture(page: Page): Promise<void> {
  const picture = page.getByRole("img", { name: "A red field" });
  await picture.scrollIntoViewIfNeeded();
  const size = (image: HTMLImageElement) => [
    image.naturalWidth,
    image.naturalHeight,
    image.getAttribute("width"),
    image.getAttribute("height"),
  ];
  await expect.poll(async () => await picture.evaluate(size)).toEqual([640, 320, "640", "320"]);
}

/** Uploads a film of the library as the film of the open module. */
async function uploadFilm(page: Page, film: string): Promise<void> {
  await page.getByRole("button", { name: "Upload a film instead" }).click();
  await page.getByLabel("Film", { exact: true }).setInputFiles(`web/public/films/${film}.webm`);
  await page.getByLabel("Captions", { exact: true }).setInputFiles(`web/public/films/${film}.vtt`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Upload film" }).click();
  await expectFilm(page, "Video: First");
}

/** Waits until a film and its captions have been loaded. */
async function expectFilm(page: Page, name: string): Promise<void> {
  const film = page.getByLabel(name);
  const loaded = (video: HTMLVideoElement) => [video.duration, video.textTracks[0]?.cues?.length];
  await expect.poll(async () => await film.evaluate(loaded)).toEqual([73, 10]);
}

/** Tries to leave the article without a connection: it stays, with what was written, and is saved once there is one again. */
async function stayOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.keyboard.type(" It is quiet.");
  await page.getByRole("main").getByRole("link", { name: "Studio" }).click();
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(page.getByRole("textbox", { name: "Article" })).toContainText("It is quiet.");
  await page.context().setOffline(false);
  await expect(page.getByText("All changes saved")).toBeVisible();
}

/** Opens the draft with this title in the console's queue. */
async function openReview(page: Page, title: string): Promise<void> {
  await page.goto("/admindash/queues?queue=review");
  await page.getByRole("button", { name: title }).click();
}

async function publish(page: Page, kind: "article" | "course"): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: `Publish ${kind}` })
    .click();
  await expect(page.getByText("Published.", { exact: true })).toBeVisible();
}

/** Comments on the open draft and sends it back. */
async function sendBack(page: Page, kind: "article" | "course", comment: string): Promise<void> {
  await page.getByLabel("Your comment").fill(comment);
  await page.getByRole("button", { name: "Add comment" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Return with comments" }).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: `Return ${kind}` })
    .click();
  await expect(page.getByText("Returned.", { exact: true })).toBeVisible();
}

test("an article goes from its mentor through a review to a member", async ({
  page,
  openAs,
  browser,
}) => {
  const shelf = await makeShelf("general");
  const title = `Plan ${shelf.slug}`;
  const mentor = await createAccount("onboarded", "mentor-access");
  await openAs(mentor, "/mentordash");
  await page.getByRole("link", { name: "Course and article creation" }).click();
  await expect(page.getByText("Nothing written yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New article" }).click();
  await describeDraft(page, title, shelf.name);
  await expect(page.getByLabel("Address")).toHaveValue(`plan-${shelf.slug}`);
  await page.getByRole("textbox", { name: "Article" }).click();
  await page.keyboard.type("Plan the **week** on Sunday.");
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.getByText("Choose 2 to 5 different tags.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Tags").fill("planning, weeks");
  await giveCover(page);
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByText(/^Preview of version/)).toBeVisible();
  await expect(page.getByText("week", { exact: true })).toHaveJSProperty("tagName", "STRONG");
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expectCover(page);
  await expectAccessible(page);
  await page.goBack();
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.getByText("An administrator is reviewing this.")).toBeVisible();

  const admin = await openWindow(browser, await createAdmin(), "/admindash");
  await openReview(admin, title);
  await expectCover(admin);
  await admin.getByText("Plan the week on Sunday.").selectText();
  await admin.getByRole("button", { name: "Quote the selected words" }).click();
  await sendBack(admin, "article", "Why Sunday?");

  await page.reload();
  const comments = page.getByRole("region", { name: "Reviewer's comments" });
  await expect(comments).toContainText("Plan the week on Sunday.");
  await expect(comments).toContainText("Why Sunday?");
  await page.getByRole("textbox", { name: "Article" }).click();
  await page.keyboard.press("Control+End");
  await stayOffline(page);
  await page.getByRole("textbox", { name: "Article" }).click();
  await page.keyboard.press("Control+End");
  // By keyboard alone: a callout, and a heading that is not taken.
  await page.keyboard.press("Enter");
  await page.keyboard.type("/ti");
  const blocks = page.getByRole("listbox", { name: "Insert" });
  await expect(blocks.getByRole("option")).toHaveText(["Tip Advice that saves work"]);
  await page.keyboard.press("Enter");
  await page.keyboard.type("Write it down.");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/check");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Pen");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Paper");
  await expect(page.getByRole("checkbox", { name: "Done" })).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Done" }).nth(1).check();
  await page.getByRole("checkbox", { name: "Done" }).nth(1).uncheck();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await insertPicture(page);
  await page.keyboard.press("Enter");
  await page.keyboard.type("/");
  await page.keyboard.press("ArrowDown");
  await expect(blocks.getByRole("option", { selected: true })).toHaveText(/^Smaller heading/);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(blocks).toHaveCount(0);
  await page.keyboard.press("Backspace");
  await dropPicture(page);
  await page.getByRole("button", { name: "Markdown" }).click();
  await expect(page.getByLabel("Article as Markdown")).toHaveValue(
    /It is quiet\.\n\n> \[!TIP\]\n> Write it down\.\n\n- \[x\] Pen\n- \[ \] Paper\n\n!\[A red field\]\(\/storage\/[^\s()]+#640x320\)\s*$/,
  );
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.getByText("An administrator is reviewing this.")).toBeVisible();
  await openReview(admin, title);
  await expectPicture(admin);
  await publish(admin, "article");

  const student = await createAccount("onboarded");
  await setAccountLevel(student, 2);
  const reader = await openWindow(browser, student, `/knowledge/foundations/${shelf.slug}`);
  await expectCover(reader);
  await reader.getByRole("link", { name: title }).click();
  await expect(reader.getByText("Plan the week on Sunday. It is quiet.")).toBeVisible();
  await expectCover(reader);
  await expect(reader.getByRole("note")).toHaveText(/^Tip\s*Write it down\.\s*$/);
  await expectPicture(reader);
});

test("a course of four modules is ordered, restored and kept apart from another tab", async ({
  page,
  openAs,
  context,
  browser,
}) => {
  const shelf = await makeShelf("general");
  const title = `Course ${shelf.slug}`;
  await openAs(await createAccount("onboarded", "mentor-access"), "/studio");
  await page.getByRole("button", { name: "New course" }).click();
  await describeDraft(page, title, shelf.name);
  for (const [index, name] of ["Second", "First", "Third", "Fourth"].entries()) {
    await page.getByRole("button", { name: "Add module" }).click();
    await page.getByLabel(`Title of module ${index + 1}`).fill(name);
    if (name === "First") await uploadFilm(page, "what-it-is-worth-to-them");
    await page.getByRole("button", { name: "Markdown" }).click();
    const lesson = page.getByLabel(`Lesson ${index + 1} as Markdown`);
    await lesson.fill(`About ${name}.\n\n<b>no</b>\n\n## Exercise\n\nDo it.`);
    await page.getByRole("button", { name: "Line 3: Raw HTML" }).first().click();
    await expect(lesson).toBeFocused();
    await lesson.fill(`About ${name}.\n\n## Exercise\n\nDo it.`);
    await expect(page.getByText("Raw HTML")).toHaveCount(0);
  }
  await expectAccessible(page);
  const places = page.getByRole("region", { name: /^Modules/ }).locator("[data-module]");
  await places.nth(1).press("Alt+ArrowUp");
  await expect(places).toHaveText(["1. First", "2. Second", "3. Third", "4. Fourth"]);
  await expect(places.nth(0)).toBeFocused();
  await places.nth(3).dragTo(places.nth(2));
  await expect(places).toHaveText(["1. First", "2. Second", "3. Fourth", "4. Third"]);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("All changes saved")).toBeVisible();

  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Title", { exact: true }).fill("From the other tab");
  await other.keyboard.press("Control+s");
  await expect(other.getByText("All changes saved")).toBeVisible();
  await page.getByLabel("Description").fill("From this tab.");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("changed in another tab or on another device")).toBeVisible();
  await page.getByRole("button", { name: "Load the newer version" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("From the other tab");
  await expect(page.getByLabel("Description")).toHaveValue("One sentence about it.");

  await page.getByRole("button", { name: "Show versions" }).click();
  await page
    .getByRole("button", { name: /^Compare/ })
    .first()
    .click();
  await expect(page.getByRole("list", { name: /^Changes since/ })).toContainText(
    `− Title: ${title}`,
  );
  await page.getByRole("button", { name: /^Restore version/ }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue(title);
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.getByText("An administrator is reviewing this.")).toBeVisible();

  const admin = await openWindow(browser, await createAdmin(), "/admindash");
  await openReview(admin, title);
  await sendBack(admin, "course", "Say more in the third.");
  await page.goto("/studio");
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await page.getByRole("link", { name: `“${title}” was sent back` }).click();
  await expect(page.getByRole("region", { name: "Reviewer's comments" })).toContainText(
    "Say more in the third.",
  );
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.getByText("An administrator is reviewing this.")).toBeVisible();
  await openReview(admin, title);
  await publish(admin, "course");
  const student = await createAccount("onboarded");
  await setAccountLevel(student, 2);
  const reader = await openWindow(browser, student, `/knowledge/courses/${shelf.slug}`);
  await reader.getByRole("link", { name: title }).click();
  await reader.getByRole("button", { name: "Enroll in This Course" }).click();
  await expect(reader.getByRole("heading", { name: "First" })).toBeVisible();
  await expect(reader.getByText("0% complete")).toBeVisible();
  await expectFilm(reader, "Video: First");
});

test("a mentor takes the training from the first day", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded", "mentor-access"), "/studio");
  await page.getByRole("link", { name: "Training", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Training for mentors" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "From Knowing to Earning" }).click();
  await page.getByRole("button", { name: "Enroll in This Course" }).click();
  await expect(
    page.getByRole("heading", { name: "Look for questions, not for passions" }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByText("13% complete").first()).toBeVisible();
  await page.getByRole("link", { name: "Training for mentors" }).click();
  await expect(page.getByText("13% complete")).toBeVisible();
  await page.goto("/business/courses/earning-from-what-you-know");
  await expect(page).toHaveURL(/\/studentdash|\/mentordash/);
});
