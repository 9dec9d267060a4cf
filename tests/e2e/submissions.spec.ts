import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { runAsOwner, createAccount, createAdmin } from "./support/accounts.ts";
import { createSubmission } from "./support/progress-events.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import { removeReported } from "./support/reports.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { openWindow } from "./support/open-window.ts";

const feedPath = "/learning/submissions";
const formPath = "/learning/create";

const submit = (page: Page) => page.getByRole("button", { name: "Submit" });
const card = (page: Page, title: string) => page.getByRole("article", { name: title });

async function fill(page: Page, title: string): Promise<void> {
  await page.getByRole("radio", { name: "Failure" }).check();
  await page.getByLabel("Title", { exact: true }).fill(`  ${title} `);
  await page.getByLabel("Content").fill("I answered a day too late.\nNow I answer at noon.");
}

async function picture(format: "jpeg" | "png", width: number, height: number): Promise<Buffer> {
  const plain = sharp({ create: { width, height, channels: 3, background: "#2f6f8f" } });
  return await plain.toFormat(format).toBuffer();
}

test("a submission, its like and its comment reach the other member live", async ({
  page,
  openAs,
  browser,
}) => {
  const title = `Lost a client ${randomUUID()}`;
  const reader = await openWindow(browser, await createAccount("onboarded"), feedPath);
  await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
  await openAs(await createAccount("onboarded"), feedPath);
  await page.getByRole("link", { name: "New Submission" }).click();
  await fill(page, title);
  await page.getByLabel("Image (optional)").setInputFiles({
    name: "Office.JPG",
    mimeType: "image/jpeg",
    buffer: await picture("jpeg", 3200, 1600),
  });
  await expectBriefly(page, "Submission created successfully!", () => submit(page).click());
  await expect(page).toHaveURL(feedPath);

  const theirs = card(reader, title);
  await expect(theirs).toBeVisible();
  await expect(theirs.getByText("Failure")).toContainText("🌧️");
  await expect(theirs).toContainText("Amara Whitfield");
  const shown = theirs.getByRole("img", { name: `Shown by Amara Whitfield with “${title}”` });
  await shown.scrollIntoViewIfNeeded();
  await expect
    .poll(async () => await shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1600);

  const mine = card(page, title);
  await theirs.getByRole("button", { name: "Like 0" }).click();
  await expect(mine.getByRole("button", { name: "Like 1" })).toHaveAttribute(
    "aria-pressed",
    "false",
  );
  await theirs.getByRole("button", { name: "Like 1" }).click();
  await expect(mine.getByRole("button", { name: "Like 0" })).toBeVisible();

  await mine.getByRole("button", { name: "Comments 0" }).click();
  await expect(mine.getByText("No comments yet.")).toBeVisible();
  await theirs.getByRole("button", { name: "Comments 0" }).click();
  await theirs.getByLabel("Your comment").fill("Thank you for saying it.");
  await theirs.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(theirs.getByLabel("Your comment")).toHaveValue("");
  await expect(theirs.getByRole("listitem")).toContainText("Thank you for saying it.");
  await expect(mine.getByRole("listitem")).toContainText("Thank you for saying it.");
  await expect(mine.getByRole("button", { name: /^Delete the comment/ })).toHaveCount(0);

  await mine.getByRole("button", { name: `More about “${title}”` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete submission" }).click();
  await expect(mine).toHaveCount(0);
  await expect(theirs).toHaveCount(0);
});

test("an edit reaches the other member live and is marked", async ({ page, openAs, browser }) => {
  const author = await createAccount("onboarded");
  const title = `Ten clients ${randomUUID()}`;
  await createSubmission(author, title);
  const reader = await openWindow(browser, await createAccount("onboarded"), feedPath);
  await expect(card(reader, title)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(author, feedPath);
  await page.getByRole("button", { name: `More about “${title}”` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit submission" });
  await form.getByLabel("Title").fill(`${title}, now eleven`);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(card(page, `${title}, now eleven`)).toContainText("· edited");
  await expect(card(reader, `${title}, now eleven`)).toContainText("· edited");
  await expect(card(reader, title).filter({ hasNotText: "now eleven" })).toHaveCount(0);
});

test("the form reports missing fields and rejected images", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded"), formPath);
  await expect(page.getByRole("radio")).toHaveCount(4);
  await expect(page.getByRole("radio", { name: /pact/i })).toHaveCount(0);
  await submit(page).click();
  await expect(page.getByText("Please fill in all required fields.")).toBeVisible();
  await fill(page, "Lost a client");
  await expect(page.getByText("Please fill in all required fields.")).toHaveCount(0);
  await page.getByLabel("Content").fill("   ");
  await submit(page).click();
  await expect(page.getByText("Please fill in all required fields.")).toBeVisible();

  const file = page.getByLabel("Image (optional)");
  const chosen = page.getByRole("img", { name: "Preview of your upload" });
  await file.setInputFiles({
    name: "moving.gif",
    mimeType: "image/gif",
    buffer: Buffer.from("GIF89a"),
  });
  await expect(page.getByText("Please upload a JPG or PNG image.")).toBeVisible();
  await file.setInputFiles({
    name: "large.png",
    mimeType: "image/png",
    buffer: Buffer.alloc(5 * 1024 * 1024 + 1),
  });
  await expect(page.getByText("Image size must be less than 5MB.")).toBeVisible();
  await expect(chosen).toHaveCount(0);
  await file.setInputFiles({
    name: "small.png",
    mimeType: "image/png",
    buffer: await picture("png", 40, 30),
  });
  await expect(page.getByText("Image size must be less than 5MB.")).toHaveCount(0);
  await expect(chosen).toBeVisible();
});

test("a failure and a reload lose nothing, and retrying shares it once", async ({
  page,
  openAs,
}) => {
  const title = `Cut off ${randomUUID()}`;
  let failing = true;
  await page.route("**/rest/v1/learning_submissions*", async (route) => {
    if (failing && route.request().method() === "POST") await route.abort();
    else await route.continue();
  });
  await openAs(await createAccount("onboarded"), formPath);
  await fill(page, title);
  await submit(page).click();
  await expect(page.getByText("Failed to create submission. Please try again.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue(`  ${title} `);
  await expect(page.getByRole("radio", { name: "Failure" })).toBeChecked();
  failing = false;
  await expectBriefly(page, "Submission created successfully!", () => submit(page).click());
  await expect(page).toHaveURL(feedPath);
  await expect(card(page, title)).toHaveCount(1);
  await page.getByRole("link", { name: "New Submission" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("");
});

test("the filter is part of the address, and a link opens one submission", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  const title = `Twelve orders ${randomUUID()}`;
  const id = await createSubmission(account, title);
  await openAs(account, "/learning");
  await expect(page).toHaveURL(feedPath);
  await expect(card(page, title)).toBeVisible();
  const filter = page.getByRole("navigation", { name: "Filter by type" });
  await filter.getByRole("link", { name: "Before and after" }).click();
  await expect(page).toHaveURL(`${feedPath}?type=before_after`);
  await expect(card(page, title)).toHaveCount(0);
  await page.goBack();
  await expect(card(page, title)).toBeVisible();
  await page.goto(`${feedPath}?type=success`);
  await expect(card(page, title)).toBeVisible();

  await page.goto(`${feedPath}?submission=${id}`);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(card(page, title)).toBeVisible();
  await page.getByRole("link", { name: "All submissions" }).click();
  await expect(page).toHaveURL(feedPath);
});

test("on a phone the filter is one row that scrolls sideways, with the chosen type in sight", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(await createAccount("onboarded"), `${feedPath}?type=before_after`);
  const filter = page.getByRole("navigation", { name: "Filter by type" });
  await expect(filter.getByRole("link", { name: "Before and after" })).toBeInViewport({ ratio: 1 });
  const tops = await filter
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => Math.round(link.getBoundingClientRect().top)));
  expect(new Set(tops).size).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("on a wide screen the filter stands beside the feed, one type below the other", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const account = await createAccount("onboarded");
  const title = `Twelve orders ${randomUUID()}`;
  await createSubmission(account, title);
  await openAs(account, feedPath);
  const post = await card(page, title).boundingBox();
  const filter = page.getByRole("navigation", { name: "Filter by type" });
  const links = filter.getByRole("link");
  const lefts = await links.evaluateAll((all) =>
    all.map((link) => Math.round(link.getBoundingClientRect().left)),
  );
  expect(new Set(lefts).size).toBe(1);
  expect(lefts[0]).toBeGreaterThan((post?.x ?? 0) + (post?.width ?? 0));
  await links.last().click();
  await expect(links.last()).toHaveAttribute("aria-current", "true");
});

test("older submissions come page by page", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  // Nothing else in these tests shares this type, so these are all there are.
  await runAsOwner(
    `insert into public.learning_submissions (user_id, submission_type, title, content, created_at)
     select $1, 'before_after', 'Change ' || n, 'Every day.', now() - n * interval '1 minute'
       from generate_series(1, 25) n`,
    [account.id],
  );
  await openAs(account, `${feedPath}?type=before_after`);
  await expect(page.getByRole("article")).toHaveCount(20);
  await expect(page.getByRole("article").first()).toContainText("Change 1");
  await page.getByRole("button", { name: "Show older submissions" }).click();
  await expect(page.getByRole("article")).toHaveCount(25);
  await expect(page.getByRole("article").last()).toContainText("Change 25");
  await expect(page.getByRole("button", { name: "Show older submissions" })).toHaveCount(0);
});

test("an administrator features a submission, and a member sees it", async ({
  page,
  openAs,
  browser,
}) => {
  const author = await createAccount("onboarded");
  const title = `Worth reading ${randomUUID()}`;
  await createSubmission(author, title);
  const member = await openWindow(browser, author, feedPath);
  await expect(card(member, title)).toBeVisible();
  await member.getByRole("button", { name: `More about “${title}”` }).click();
  await expect(member.getByRole("menuitem", { name: "Delete" })).toBeVisible();
  await expect(member.getByRole("menuitem", { name: "Feature" })).toHaveCount(0);
  await member.keyboard.press("Escape");
  await openAs(await createAdmin(), feedPath);
  await page.getByRole("button", { name: `More about “${title}”` }).click();
  await page.getByRole("menuitem", { name: "Feature" }).click();
  await expect(card(page, title).getByText("Featured")).toBeVisible();
  await expect(card(member, title).getByText("Featured")).toBeVisible();
});

test("an administrator deletes a comment and a submission, and their authors read which and why", async ({
  page,
  openAs,
  browser,
}) => {
  const [author, reader] = [await createAccount("onboarded"), await createAccount("onboarded")];
  const title = `Ten clients ${randomUUID()}`;
  const id = await createSubmission(author, title);
  const words = "Call his client on her own phone";
  const said = { user_id: reader.id, submission_id: id, content: words };
  const { error } = await reader.client.from("learning_submission_comments").insert(said);
  expect(error).toBeNull();
  await openAs(await createAdmin(), `${feedPath}?submission=${id}&comments=open`);
  await card(page, title)
    .getByRole("button", { name: /^Delete the comment by/ })
    .click();
  await expectAccessible(page);
  const why = await removeReported(page, "Delete comment");
  await expect(card(page, title).getByText("No comments yet.")).toBeVisible();
  await card(page, title)
    .getByRole("button", { name: `More about “${title}”` })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await removeReported(page, "Delete submission");
  await expect(card(page, title)).toHaveCount(0);
  for (const [account, line] of [
    [reader, `The comment you wrote about “${title}”`],
    [author, `Your submission “${title}” was removed`],
  ] as const) {
    const window = await openWindow(browser, account, "/progress");
    await window.getByRole("button", { name: /^Notifications, \d+ unread/ }).click();
    const told = window.getByRole("dialog").getByRole("link", { name: line });
    await expect(told).toContainText(why);
    if (account === reader) await expect(told).toContainText(`“${words}”, was removed`);
    await told.click();
    await expect(window).toHaveURL(feedPath);
  }
});

test("a member without an active membership is told so", async ({ page, openAs }) => {
  await openAs(await createAccount("paid"), feedPath);
  await expect(page.getByText("Your membership is not complete")).toBeVisible();
  await page.goto(formPath);
  await expect(page.getByRole("link", { name: "Finish onboarding" })).toBeVisible();
});

test("a long word in a name or a title makes no page wider than a phone", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded", "student-access", "A".repeat(35));
  const title = "w".repeat(60);
  await createSubmission(account, title);
  const room = async () =>
    await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
  const fits = { scrollWidth: 390, clientWidth: 390 };
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(account, feedPath);
  await expect(card(page, title)).toBeVisible();
  expect.soft(await room(), "the feed").toEqual(fits);
  const name = card(page, title).getByRole("link", { name: "A".repeat(35) });
  const menu = card(page, title).getByRole("button", { name: `More about “${title}”` });
  const [nameBox, menuBox] = [await name.boundingBox(), await menu.boundingBox()];
  if (!nameBox || !menuBox) throw new Error("the card shows no name or no menu");
  expect.soft(nameBox.x + nameBox.width, "the name").toBeLessThanOrEqual(menuBox.x);
  await page.goto(`/members/${account.id}`);
  await expect(page.getByRole("link", { name: title })).toBeVisible();
  expect.soft(await room(), "the profile").toEqual(fits);
  await page.goto("/studentdash");
  await expect(page.getByRole("heading", { level: 1, name: "A".repeat(35) })).toBeVisible();
  expect.soft(await room(), "the dashboard").toEqual(fits);
});
