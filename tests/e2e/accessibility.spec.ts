import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  createAccount,
  createAdmin,
  saveOnboardingStep,
  type Account,
} from "./support/accounts.ts";
import { addArticle, addCourse, makeShelf, richText, setAccountLevel } from "./support/library.ts";
import { recordProgressOf, addComment, createSubmission } from "./support/progress-events.ts";
import { expect, findViolations, test } from "./support/test.ts";
import { rejectDocuments, sendDocument } from "./support/verifications.ts";

/** A screen, and what to do until it shows what is to be looked at. */
interface Screen {
  path: string;
  as?: string;
  prepare?: (page: Page) => Promise<void>;
  /** The provider's frame takes its colours when it is made, so another scheme needs another load. */
  reload?: true;
}

interface Viewer {
  name: string;
  make?: () => Promise<Account>;
  screens: Screen[];
}

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
  await page.route(/\/assets\/account-[^/]+\.js$/, (route) => route.abort());
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

async function reportSomething(): Promise<void> {
  const [author, reader] = [await createAccount("onboarded"), await createAccount("onboarded")];
  const message = { user_id: author.id, chat_room_id: "general", content: reportedContent };
  const written = await author.client
    .from("chat_messages")
    .insert(message)
    .select("id")
    .single<{ id: string }>();
  const reported = {
    message_id: written.data?.id,
    reason: "Advertising, also in two other rooms.",
  };
  expect((await reader.client.rpc("report_message", reported)).error).toBeNull();
}

/** Address of the member whose document is looked at: those of other tests are decided meanwhile. */
let documentHolder = "";

async function ownReview(page: Page): Promise<void> {
  await page.getByRole("button", { expanded: false, name: documentHolder }).click();
  await expect(page.getByRole("img", { name: /^Identity document of/ })).toBeVisible();
}

async function firstReport(page: Page): Promise<void> {
  await expect(page.getByText(reportedContent)).toBeVisible();
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

async function lastDeed(page: Page): Promise<void> {
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

const viewers: Viewer[] = [
  {
    name: "a visitor",
    screens: [
      { path: "/" },
      { path: "/auth" },
      { path: "/signup" },
      { path: "/signup", as: "sign-up with errors", prepare: signUpErrors },
      { path: "/signin" },
      { path: "/adminlogin" },
      { path: "/reset-password" },
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
      { path: "/chats" },
      { path: "/chats/general", prepare: speak },
      { path: "/chats/nowhere" },
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
      { path: "/learning/create", as: "a submission with errors", prepare: emptySubmission },
      { path: "/progress", prepare: figuresAsTable },
      { path: "/progress", as: "the evidence", prepare: evidence },
      { path: "/studentdash", as: "the level-up moment", prepare: lastDeed },
    ],
  },
  {
    name: "a mentor",
    make: async () => await createAccount("onboarded", "mentor-access"),
    screens: [{ path: "/mentordash" }],
  },
  {
    name: "an administrator",
    make: async () => {
      const holder = await createAccount("paid");
      documentHolder = holder.email;
      await sendDocument(holder);
      await reportSomething();
      const admin = await createAdmin();
      await rejectDocuments(await createAccount("signed-up"), admin, 5);
      return admin;
    },
    screens: [
      { path: "/admindash" },
      { path: "/admindash/queues", prepare: ownReview },
      { path: "/admindash/queues?queue=messages", as: "reports", prepare: firstReport },
      { path: "/admindash/queues?queue=accounts", as: "flagged accounts", prepare: firstFlag },
    ],
  },
];

/** Loads a screen and waits until it has all it asked for. */
async function show(page: Page, { path, prepare }: Screen): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await prepare?.(page);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

/** How far the page is wider than the window, in pixels. */
async function overflow(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

for (const { name, make, screens } of viewers) {
  test(`axe finds nothing on the screens of ${name}`, async ({ page, openAs }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    if (make) await openAs(await make(), "/auth");
    const findings: string[] = [];
    for (const screen of screens) {
      const title = screen.as ?? screen.path;
      await page.emulateMedia({ colorScheme: "light" });
      await show(page, screen);
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        if (screen.reload && scheme === "dark") await show(page, screen);
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          for (const finding of await findViolations(page)) {
            findings.push(`${title}, ${scheme}, ${width} px: ${finding}`);
          }
        }
      }
      await page.setViewportSize({ width: 360, height: 740 });
      const wider = await overflow(page);
      if (wider > 0) findings.push(`${title}: ${wider} px wider than a window of 360 px`);
    }
    expect(findings).toEqual([]);
  });
}
