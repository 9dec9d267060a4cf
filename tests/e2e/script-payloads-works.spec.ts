import type { Page } from "@playwright/test";
import { createAccount, createAdmin, type Account } from "./support/accounts.ts";
import { closeWithEscape } from "./support/close-window.ts";
import { setAccountLevel } from "./support/library.ts";
import { commonPayload, plantPayloads } from "./support/plant-payloads.ts";
import { plantWorks, type PlantedWorks } from "./support/plant-works.ts";
import { payloadRows } from "./support/script-payloads.ts";
import { expect, test } from "./support/test.ts";
import {
  openTrapped,
  pressUntil,
  startOwnProduct,
  type TrappedPage,
} from "./support/trapped-page.ts";

// As in script-payloads.spec.ts, which has what members say to each other; here is what they write, ask, earn and claim.
test.describe.configure({ mode: "default" });

const rowCount = payloadRows.length;
const common = commonPayload?.name ?? "";

let stop: (() => Promise<void>) | undefined;
let mentor: Account;
let asReader: TrappedPage;
let asMentor: TrappedPage;
let asAdmin: TrappedPage;
const opened: TrappedPage[] = [];
let planted: PlantedWorks;

test.beforeAll(async ({ browser }) => {
  stop = await startOwnProduct();
  const [reader, author, admin] = await Promise.all([
    createAccount("onboarded"),
    createAccount("onboarded", "mentor-access"),
    createAdmin(),
  ]);
  mentor = author;
  await Promise.all([setAccountLevel(reader, 4), setAccountLevel(author, 4)]);
  const accounts = { readerId: reader.id, mentorId: author.id, adminId: admin.id };
  planted = await plantPayloads((owner) => plantWorks(owner, accounts));
  asReader = await openTrapped(browser, reader);
  asMentor = await openTrapped(browser, author);
  asAdmin = await openTrapped(browser, admin);
  opened.push(asReader, asMentor, asAdmin);
});

test.afterAll(async () => {
  for (const { close } of opened) await close();
  await stop?.();
});

/** Every text of the page is there to be read, and none of its pictures. */
async function expectReadingText(page: Page): Promise<void> {
  const text = page.locator(".reading").first();
  await expect(text).toContainText("alert(1)");
  await expect(page.locator(".reading img[src], .reading picture, .reading video")).toHaveCount(0);
}

test("nothing runs in articles, their questions and answers, and the profile of their author", async () => {
  const { page, found } = asReader;
  await page.goto("/knowledge/foundations");
  await expect(page.getByRole("link", { name: common }).first()).toBeVisible();
  expect(await found()).toEqual([]);
  await page.goto(planted.shelf);
  const cards = page.locator(`main a[href^="${planted.shelf}/"]`);
  await expect(cards).toHaveCount(rowCount);
  expect(await found()).toEqual([]);
  await page.goto(`${planted.shelf}/${planted.article}`);
  await expectReadingText(page);
  const questions = page.getByRole("region", { name: "Questions" });
  await expect(questions.getByRole("listitem")).toHaveCount(rowCount);
  await expect(questions.getByText("Answered by")).toHaveCount(Math.floor(rowCount / 2));
  expect(await found()).toEqual([]);
  await page.goto(`/members/${mentor.id}`);
  await expect(page.locator(`main a[href^="${planted.shelf}/"]`).first()).toBeVisible();
  expect(await found()).toEqual([]);
});

test("nothing runs in a course, its lessons and the questions under them", async () => {
  const { page, found } = asReader;
  await page.goto(planted.course);
  const modules = page.getByRole("complementary", { name: "Course modules" });
  await expect(modules.getByRole("link").filter({ visible: true })).toHaveCount(rowCount);
  await expectReadingText(page);
  const questions = page.getByRole("region", { name: "Questions" });
  await expect(questions.getByRole("listitem")).toHaveCount(rowCount);
  expect(await found()).toEqual([]);
  await page.goto("/studentdash");
  const left = page.getByRole("region", { name: /^Continue/ });
  await expect(left.getByRole("listitem")).toHaveCount(2);
  await expect(left).toContainText(common);
  expect(await found()).toEqual([]);
});

test("nothing runs in the questions that wait for a mentor, the list of drafts and the bell", async () => {
  const { page, found } = asMentor;
  await page.goto("/studio");
  const waiting = page.getByRole("region", { name: /^Waiting for your answer/ });
  await expect(waiting.getByRole("listitem")).toHaveCount(2 * Math.ceil(rowCount / 2));
  await expect(page.locator('main li a[href^="/studio/"]').nth(rowCount)).toBeVisible();
  expect(await found()).toEqual([]);
  await page.getByRole("button", { name: /^Notifications, \d+/ }).click();
  await pressUntil(page, "Show older", "[role=dialog] li", rowCount);
  expect(await found()).toEqual([]);
  await page.goto(`${planted.shelf}/${planted.article}`);
  const questions = page.getByRole("region", { name: "Questions" });
  await expect(questions.getByLabel("Change the answer")).toHaveCount(Math.floor(rowCount / 2));
  expect(await found()).toEqual([]);
});

test("nothing runs in a draft: its fields, both editors, comments, versions and preview", async () => {
  const { page, found } = asMentor;
  await page.goto(`/studio/${planted.drafts.returned}`);
  await expect(page.getByLabel("Title", { exact: true })).not.toHaveValue("");
  await expect(page.getByRole("textbox", { name: "Article" })).toContainText("alert(1)");
  const comments = page.getByRole("region", { name: "Reviewer's comments" });
  await expect(comments.getByRole("listitem")).toHaveCount(rowCount);
  expect(await found()).toEqual([]);
  await page.getByRole("button", { name: "Markdown", exact: true }).click();
  await expect(page.getByLabel("Article as Markdown")).toHaveValue(/alert\(1\)/);
  await page.getByRole("button", { name: "Show versions" }).click();
  await page.getByRole("button", { name: "Compare version 1" }).click();
  const changes = page.getByRole("list", { name: "Changes since version 1" });
  await expect(changes.locator("del").filter({ hasText: common }).first()).toBeVisible();
  await expect(changes.locator("ins").filter({ hasText: "<script>" }).first()).toBeVisible();
  expect(await found()).toEqual([]);
  await page.goto(`/studio/${planted.drafts.returned}/preview`);
  await expectReadingText(page);
  expect(await found()).toEqual([]);
});

test("nothing runs in the review of an article and a course", async () => {
  const { page, found } = asAdmin;
  await page.goto("/admindash/queues?queue=review");
  const queue = page.getByRole("region", { name: /^Articles and courses/ });
  const drafts = queue.locator("button[aria-expanded]").filter({ hasText: common });
  await expect(drafts).toHaveCount(2);
  const reviewed: (string | null)[] = [];
  for (const draft of await drafts.all()) {
    await draft.click();
    await expect(page.getByLabel("Your comment")).toBeVisible();
    await expectReadingText(page);
    expect(await found()).toEqual([]);
    const versions = page.getByRole("link", { name: "Versions and preview" });
    reviewed.push(await versions.getAttribute("href"));
  }
  const { article, course } = planted.drafts;
  expect(new Set(reviewed)).toEqual(new Set([`/studio/${article}`, `/studio/${course}`]));
  await page.goto(`/studio/${course}/preview`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(common);
  await expectReadingText(page);
  expect(await found()).toEqual([]);
});

test("nothing runs in claims under the guarantee, for the console and for their members", async () => {
  const { page, found } = asAdmin;
  await page.goto("/admindash/money?view=guarantee");
  const claims = page.getByRole("table", { name: "Claims" }).locator("[data-row]");
  await expect(claims).toHaveCount(rowCount);
  for (let place = 0; place < rowCount; place += 30) {
    await claims.nth(place).click();
    await expect(page.getByRole("dialog").getByText("a month:")).toBeVisible();
    await expect(page.getByRole("dialog").getByRole("definition").last()).not.toBeEmpty();
    expect(await found()).toEqual([]);
    await closeWithEscape(page);
  }
  const own = asReader.page;
  await own.goto("/progress/guarantee");
  const panel = own.getByRole("region", { name: "Your guarantee" });
  await expect(panel.getByText(/^Reason: </)).toContainText("alert(1)");
  await expect(panel).toContainText("You started at");
  expect(await asReader.found()).toEqual([]);
});

test("nothing runs in the sentences of ratings", async () => {
  const { page, found } = asAdmin;
  await page.goto(`/studio/analytics/articles/${planted.article}`);
  const ratings = page.getByRole("region", { name: "Ratings" });
  await expect(ratings.getByRole("button", { name: "Take down" })).toHaveCount(rowCount);
  expect(await found()).toEqual([]);
});

test("nothing runs on certificates, the pages that verify them, and shared cards", async () => {
  const { page, found } = asReader;
  await page.goto("/achievements");
  const certificates = page.getByRole("region", { name: "Certificates" });
  await expect(certificates.getByRole("listitem")).toHaveCount(rowCount);
  const shared = certificates.getByRole("button", { name: /: shared$/ });
  await expect(shared).toHaveCount(5);
  expect(await found()).toEqual([]);
  const links = certificates.locator('a[href^="/certificates/"]');
  const pages = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const cards: (string | null)[] = [];
  for (const card of (await shared.all()).slice(1)) {
    await card.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("img")).toBeVisible();
    cards.push(await dialog.getByText(/\/shared\//).textContent());
    expect(await found()).toEqual([]);
    await closeWithEscape(page);
    await expect(dialog).toHaveCount(0);
  }
  for (const card of cards) {
    await page.goto(card ?? "");
    await expect(page.getByRole("article").getByRole("heading", { level: 1 })).toBeVisible();
    expect(await found()).toEqual([]);
  }
  for (let place = 0; place < pages.length; place += 25) {
    await page.goto(pages[place] ?? "");
    await expect(page.getByRole("article", { name: /^Certificate for/ })).toBeVisible();
    expect(await found()).toEqual([]);
    await page.getByRole("link", { name: "open the public page" }).click();
    await expect(page.getByText("This certificate is valid")).toBeVisible();
    expect(await found()).toEqual([]);
  }
});

test("nothing runs on the page of a course on sale, for visitors and within the app, and for affiliates", async () => {
  const { page, found } = asReader;
  const expectSalePage = async () => {
    await expect(page.locator("#lessons li")).toHaveCount(rowCount);
    await expect(page.locator("#free-lesson .reading")).toContainText("alert(1)");
    await expectReadingText(page);
  };
  await page.goto(`/c/${planted.sale}`);
  await expectSalePage();
  await expect(page.locator("script")).toHaveCount(0);
  expect(await found()).toEqual([]);
  await page.goto("/affiliates");
  await expect(page.getByRole("table", { name: "Commissions" })).toContainText(common);
  const transfers = page.getByRole("table", { name: "Transfers to you" });
  await expect(transfers.getByRole("row")).toHaveCount(rowCount + 1);
  expect(await found()).toEqual([]);
  await page.locator(`a[href="/c/${planted.sale}"]`).click();
  await expectSalePage();
  expect(await found()).toEqual([]);
});

test("nothing runs in the console: members, notes, audit log, content, payouts", async () => {
  const { page, found } = asAdmin;
  const openRows = async (table: string, wanted: number) => {
    const rows = page.getByRole("table", { name: table }).locator("[data-row]");
    await expect(rows.nth(wanted - 1)).toBeVisible();
    expect(await found()).toEqual([]);
    return rows;
  };
  await page.goto("/admindash/members");
  await openRows("Members", 50);
  const place = payloadRows.findIndex(({ name }) => name === common) + 1;
  await page.goto(`/admindash/members?search=payload${place}@example.test`);
  await (await openRows("Members", 1)).first().click();
  const notes = page.getByRole("dialog").getByRole("list", { name: "Notes" });
  await expect(notes.getByRole("listitem").nth(10)).toBeVisible();
  expect(await found()).toEqual([]);

  await page.goto("/admindash/audit?action=account.suspended");
  const entries = await openRows("Audit log", 50);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(entries).toHaveCount(rowCount);
  for (const entry of [0, 40, 80]) {
    await entries.nth(entry).press("Enter");
    await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
    expect(await found()).toEqual([]);
    await closeWithEscape(page);
  }

  for (const part of ["articles", "courses", "subcategories"]) {
    await page.goto(`/admindash/content?part=${part}&search=img+src`);
    await expect(page.locator("[data-row]", { hasText: common }).first()).toBeAttached();
    expect(await found()).toEqual([]);
  }

  await page.goto("/admindash/money?view=payouts");
  await (await openRows("Payouts", rowCount)).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await found()).toEqual([]);
});
