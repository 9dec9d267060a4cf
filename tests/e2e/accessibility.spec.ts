import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { builtCodeOf } from "./support/built-code.ts";
import {
  createAccount,
  createAdmin,
  saveOnboardingStep,
  type Account,
} from "./support/accounts.ts";
import { addArticle, addCourse, makeShelf, richText, setAccountLevel } from "./support/library.ts";
import { recordProgressOf, addComment, createSubmission } from "./support/progress-events.ts";
import { openReport } from "./support/reports.ts";
import { checkScreens, type ScreenViewer } from "./support/screens.ts";
import { expect } from "./support/test.ts";
import { sendAndRejectDocuments, sendDocument } from "./support/verifications.ts";

async function cardFrame(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe[name^="__privateStripeFrame"]').first();
  await expect(frame.locator('input[name="cardnumber"]')).toBeVisible();
}

async function signUpErrors(page: Page): Promise<void> {
  await page.getByLabel("Email").fill("amara@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-Horse");
  await page.getByLabel("Confirm password").fill("Correct-Hors");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passwords do not match")).toBeVisible();
}

async function emptyAnswers(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(/^Please complete all required fields/)).toBeVisible();
}

async function cancelQuestion(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
}

async function missingCode(page: Page): Promise<void> {
  await page.route(await builtCodeOf("account/pages/account-page.tsx"), (route) => route.abort());
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Unexpected Application Error!" })).toBeVisible();
}

/** Opens the first article or course of the shelf one is on. */
async function firstItem(page: Page): Promise<void> {
  await page.getByRole("article").first().getByRole("link").click();
  await expect(page).toHaveURL(/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

async function firstArticle(page: Page): Promise<void> {
  await firstItem(page);
  await expect(page.getByRole("heading", { level: 2, name: /^What it shows/ })).toBeVisible();
}

async function firstLesson(page: Page): Promise<void> {
  await page.getByRole("article").first().getByRole("link").click();
  const enroll = page.getByRole("button", { name: "Enroll in This Course" });
  const lesson = page.getByRole("heading", { level: 2, name: "Only lesson" });
  await expect(enroll.or(lesson)).toBeVisible();
  if (await enroll.isVisible()) await enroll.click();
  await expect(page.getByText("About Only lesson.")).toBeVisible();
}

async function searchPalette(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("combobox").fill("everything");
  await expect(page.getByText(/^\d+ results?$/)).toBeVisible();
}

async function readingHelp(page: Page): Promise<void> {
  await firstArticle(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
}

/** Words of this run's own: the queue is everybody's. */
const reportedContent = `Half price today ${randomUUID()}`;
const reportReason = `Advertising, also in two other rooms: ${randomUUID()}`;

async function reportSomething(): Promise<void> {
  const [author, reader] = [await createAccount("onboarded"), await createAccount("onboarded")];
  const message = { user_id: author.id, chat_room_id: "general", content: reportedContent };
  const written = await author.client
    .from("chat_messages")
    .insert(message)
    .select("id")
    .single<{ id: string }>();
  const reported = {
    kind: "message",
    subject_id: written.data?.id,
    reason: reportReason,
  };
  expect((await reader.client.rpc("report", reported)).error).toBeNull();
}

/** Address of the member whose document is looked at: those of other tests are decided meanwhile. */
let documentHolder = "";

async function ownReview(page: Page): Promise<void> {
  await page.getByRole("button", { expanded: false, name: documentHolder }).click();
  await expect(page.getByRole("img", { name: /^Identity document of/ })).toBeVisible();
}

async function ownReport(page: Page): Promise<void> {
  const report = await openReport(page, reportReason);
  await expect(report.getByText(reportedContent, { exact: true })).toBeVisible();
}

async function firstFlag(page: Page): Promise<void> {
  await expect(page.getByText("Five rejected documents").first()).toBeVisible();
}

/** A title of this run's own: the feed is everybody's. */
const sharedTitle = `Twelve orders ${randomUUID()}`;

async function openComments(page: Page): Promise<void> {
  const shared = page.getByRole("article", { name: sharedTitle });
  await shared.getByRole("button", { name: /^Comments/ }).click();
  await expect(shared.getByText("That is worth knowing.")).toBeVisible();
}

/** Returns no pacts, although other tests may have shared some. */
async function nothingShared(page: Page): Promise<void> {
  const feed = "**/rest/v1/learning_submissions?*";
  await page.route(feed, (route) => route.fulfill({ json: [] }));
  await page.reload();
  await expect(page.getByText("No pacts yet")).toBeVisible();
  await page.unroute(feed);
}

async function questionBeforeDeleting(page: Page): Promise<void> {
  await page.getByRole("button", { name: `More about “${sharedTitle}”` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
}

async function emptySubmission(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("Please fill in all required fields.")).toBeVisible();
}

async function figuresAsTable(page: Page): Promise<void> {
  await page.getByText("Figures as a table").click();
  await expect(page.getByRole("table")).toBeVisible();
}

async function evidence(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Learning submissions/ }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: sharedTitle })).toBeVisible();
}

/** One progress event short of the second level, until the last screen is looked at. */
let sharer: Account;
async function makeSharer(): Promise<Account> {
  sharer = await createAccount("onboarded");
  await recordProgressOf(sharer, "room_opened", 1, 5);
  await recordProgressOf(sharer, "submission", 1, 2);
  await recordProgressOf(sharer, "message", 1, 49);
  await addComment(sharer, await createSubmission(sharer, sharedTitle), "That is worth knowing.");
  return sharer;
}

async function lastStepOfLevel(page: Page): Promise<void> {
  await expect(page.getByText("1 more towards Level 2")).toBeVisible();
  await recordProgressOf(sharer, "message", 50, 50);
  await expect(page.getByRole("region", { name: "Level up" })).toBeVisible();
}

/** Says something with a link, answers it, likes it, and types too much. */
async function speak(page: Page): Promise<void> {
  const field = page.getByRole("textbox", { name: /^Message in/ });
  await field.fill("Have a look at https://example.com");
  await field.press("Enter");
  const message = page.locator("article").last();
  await expect(message).toHaveAttribute("data-delivery", "saved");
  await message.hover();
  await message.getByRole("button", { name: "Like", exact: true }).click();
  await message.getByRole("button", { name: "Reply", exact: true }).click();
  await field.fill("x".repeat(4100));
  await expect(page.getByText("4,100 / 4,000")).toBeVisible();
}

const viewers: ScreenViewer[] = [
  {
    name: "a visitor",
    screens: [
      { path: "/" },
      { path: "/auth" },
      { path: "/signup" },
      { path: "/signup", as: "sign-up with errors", prepare: signUpErrors },
      ...["/signin", "/adminlogin", "/guarantee", "/c/none"].map((path) => ({ path })),
      ...["/reset-password", "/verify", "/verify/x", "/shared/x"].map((path) => ({ path })),
    ],
  },
  {
    name: "an account on the paywall",
    make: async () => await createAccount("signed-up"),
    screens: [
      { path: "/paywall", prepare: cardFrame, reload: true },
      { path: "/success" },
      { path: "/subscriptions" },
      { path: "/account", as: "the error page", prepare: missingCode },
    ],
  },
  {
    name: "a newcomer",
    make: async () => {
      const account = await createAccount("paid");
      await saveOnboardingStep(account, 9);
      return account;
    },
    screens: [
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => ({ path: `/onboarding?step=${step}` })),
      { path: "/onboarding?step=6", as: "step 6 with errors", prepare: emptyAnswers },
      { path: "/verification" },
    ],
  },
  {
    name: "a student",
    make: async () => await createAccount("onboarded"),
    screens: [
      { path: "/studentdash" },
      { path: "/subscriptions" },
      { path: "/subscriptions", as: "the question before cancelling", prepare: cancelQuestion },
      { path: "/verification" },
      { path: "/account" },
      { path: "/account#notifications" },
      { path: "/account#directory" },
      { path: "/account#sign-in" },
      { path: "/account#data" },
      { path: "/chats" },
      { path: "/chats/general", prepare: speak },
      { path: "/chats/nowhere" },
      { path: "/progress/guarantee" },
    ],
  },
  {
    name: "a reader",
    make: async () => {
      const account = await createAccount("onboarded");
      await setAccountLevel(account, 2);
      const shelf = await makeShelf("general", "looked-at");
      await addArticle(shelf, "Everything a text can hold", { content: richText, featured: true });
      await addCourse(shelf, "A short course", [{ title: "Only lesson" }]);
      return account;
    },
    screens: [
      { path: "/knowledge/foundations" },
      { path: "/knowledge/courses" },
      { path: "/knowledge/foundations/looked-at" },
      { path: "/knowledge/courses/looked-at" },
      { path: "/knowledge/foundations/looked-at", as: "the reader", prepare: firstArticle },
      { path: "/knowledge/foundations/looked-at", as: "the reader's help", prepare: readingHelp },
      { path: "/knowledge/courses/looked-at", as: "before enrolment", prepare: firstItem },
      { path: "/knowledge/courses/looked-at", as: "the player", prepare: firstLesson },
      { path: "/knowledge/foundations/nowhere" },
      { path: "/studentdash", as: "the search", prepare: searchPalette },
    ],
  },
  {
    name: "a member who shares a submission and reaches a level",
    make: makeSharer,
    screens: [
      { path: "/learning/submissions" },
      { path: "/learning/submissions?type=success", as: "comments", prepare: openComments },
      { path: "/learning/submissions", as: "deleting", prepare: questionBeforeDeleting },
      { path: "/learning/submissions?type=pact", as: "an empty feed", prepare: nothingShared },
      { path: "/learning/create" },
      ...["/learning/pacts", "/learning/pacts/new", "/achievements"].map((path) => ({ path })),
      { path: "/learning/create", as: "a submission with errors", prepare: emptySubmission },
      { path: "/progress", prepare: figuresAsTable },
      { path: "/progress", as: "the evidence", prepare: evidence },
      { path: "/studentdash", as: "the level-up moment", prepare: lastStepOfLevel },
    ],
  },
  {
    name: "an administrator",
    make: async () => {
      const holder = await createAccount("paid");
      documentHolder = holder.email;
      await sendDocument(holder);
      await reportSomething();
      const admin = await createAdmin();
      await sendAndRejectDocuments(await createAccount("signed-up"), admin, 5);
      return admin;
    },
    screens: [
      { path: "/admindash" },
      { path: "/admindash/queues", prepare: ownReview },
      { path: "/admindash/queues?queue=reports", as: "reports", prepare: ownReport },
      { path: "/admindash/queues?queue=accounts", as: "flagged accounts", prepare: firstFlag },
    ],
  },
];

checkScreens(viewers);
