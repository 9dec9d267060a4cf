import type { Page } from "@playwright/test";
import type { Queryable } from "basehost/database";
import { billingShots } from "./billing-shots.ts";
import { consoleShots } from "./console-shots.ts";
import { guaranteeShots } from "./guarantee-shots.ts";
import { mentionShots } from "./mention-shots.ts";
import { libraryShots } from "./library-shots.ts";
import { roomShots } from "./room-shots.ts";
import type { Shot } from "./shot.ts";
import { studioShots } from "./studio-shots.ts";
import { demoAccounts, demoPassword } from "../demo/accounts.ts";
import { drawSampleDocument } from "../demo/sample-document.ts";

const [student, wealthy, mentor, admin] = demoAccounts.map(({ email }) => email);
/** Accounts made for the screenshots: one has not paid, one has paid and not completed onboarding. */
export const unpaidEmail = "screens-unpaid@demo.fourfold.test";
export const paidEmail = "screens-paid@demo.fourfold.test";
const unknownUserId = "00000000-0000-4000-8000-000000000000";

function as(viewer: string | undefined, shots: Shot[]): Shot[] {
  return shots.map((shot) => (viewer === undefined ? shot : { ...shot, viewer }));
}

async function openMember(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Tom Ashworth" }).click();
  await page.getByRole("heading", { name: "Submissions" }).waitFor();
}

/** Chooses a profile picture and waits for its preview. */
async function choosePicture(page: Page): Promise<void> {
  const group = page.getByRole("group", { name: "Profile picture" });
  await group.locator("input[type=file]").setInputFiles({
    name: "me.png",
    mimeType: "image/png",
    buffer: await drawSampleDocument(),
  });
  await group.getByText("This is how other members will see you.").waitFor();
}

function searchFor(words: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("combobox").fill(words);
    await page.getByText(/^\d+ results?$/).waitFor();
  };
}

/** The room with the demo conversation, once its newest message is there. */
async function talk(page: Page): Promise<void> {
  await page
    .getByRole("article")
    .filter({ hasText: "entirely on a kitchen table" })
    .last()
    .waitFor();
}

/** Presses a button of the mentor's message, which appears when the pointer is over it. */
async function press(page: Page, label: string): Promise<void> {
  await talk(page);
  const answer = page.locator("article").filter({ hasText: "Before Saturday: decide now" });
  await answer.hover();
  await answer.getByRole("button", { name: label, exact: true }).click();
}

/** Raises a member from level 1 to level 2 while the page is open. */
async function rise(page: Page, owner: Queryable, email = ""): Promise<void> {
  const levelTo = async (level: number) =>
    await owner.query(
      `update public.user_levels l set current_level = $2, unlocked_levels = $3
         from auth.users u where u.id = l.user_id and u.email = $1`,
      [email, level, Array.from({ length: level + 1 }, (_, at) => at)],
    );
  await levelTo(1);
  await page.reload();
  await page.getByRole("banner").getByText("Level 1").waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await levelTo(2);
  await page.getByRole("region", { name: "Level up" }).waitFor();
}

/** Commissions in every state for whoever has opened the page. */
async function earn(page: Page, owner: Queryable): Promise<void> {
  await page.getByRole("textbox", { name: "Your link" }).waitFor();
  await owner.query(
    `with line as (
       insert into private.commissions (charge_id, affiliate_id, invoice_id, rate_basis_points, paid_at, payable_at, released_at)
       select 'ch_' || a.code || n, a.affiliate_id, coalesce((select min(i.invoice_id) from public.invoices i), ''), 2000, now() - n * interval '20 days',
         now() + interval '30 days' - n * interval '20 days', case when n > 1 then now() end
       from private.affiliates a, generate_series(0, 4) n on conflict do nothing returning *
     )
     select private.post_ledger_transaction('commission', affiliate_id, charge_id, null, 'house',
       case when released_at is null then 'pending' else 'payable' end, 1000)
     from line where charge_id not like '%4'`,
  );
  await page.reload();
  await page.getByRole("table", { name: "Commissions" }).waitFor();
}

/** Reports two messages, one of which has been edited since. */
async function reportSomething(page: Page, owner: Queryable): Promise<void> {
  await owner.query(
    `insert into private.reports (kind, subject_id, message_id, author_id, user_id, reason, snapshot)
     select 'message', m.id, m.id, m.user_id, u.id, 'Advertising. The same words stood in two other rooms.',
       jsonb_build_object('content', case row_number() over (order by m.created_at)
         when 1 then m.content else 'Half price today: https://example.com/offer' end)
     from public.chat_messages m join auth.users u on u.email = $1
     where m.chat_room_id = 'general' and m.user_id <> u.id
     order by m.created_at limit 2
     on conflict do nothing`,
    [student],
  );
  await page.reload();
  await page.getByText("2 waiting").first().waitFor();
}

export const shots: readonly Shot[] = [
  { name: "landing", path: "/" },
  { name: "invitation", path: "/join/abcdefgh" },
  { name: "course-on-sale", path: "/c/price-it-properly" },
  { name: "no-course-on-sale", path: "/c/no-such-course" },
  { name: "guarantee", path: "/guarantee" },
  { name: "auth", path: "/auth" },
  { name: "signup", path: "/signup" },
  {
    name: "signup-filled",
    path: "/signup",
    prepare: async (page) => {
      await page.getByLabel("Email").fill("amara@example.com");
      await page.getByLabel("Password", { exact: true }).fill("Correct-Horse");
      await page.getByLabel("Confirm password").fill("Correct-Hors");
      await page.keyboard.press("Enter");
    },
  },
  { name: "signin", path: "/signin" },
  { name: "adminlogin", path: "/adminlogin" },
  {
    name: "second-factor-code",
    path: "/adminlogin",
    prepare: async (page) => {
      await page.getByLabel("Admin email").fill(admin ?? "");
      await page.getByLabel("Password", { exact: true }).fill(demoPassword);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Enter your code" }).waitFor();
    },
  },
  { name: "verify", path: "/verify" },
  { name: "verify-unknown", path: "/verify/nothing" },
  { name: "reset-password", path: "/reset-password" },
  { name: "update-password-stale", path: "/update-password" },
  ...as(unpaidEmail, [
    {
      name: "paywall",
      path: "/paywall",
      prepare: async (page) => {
        const frame = page.locator('iframe[name^="__privateStripeFrame"]').first();
        await frame.contentFrame().locator("input:enabled").first().waitFor();
        await frame.scrollIntoViewIfNeeded();
      },
    },
  ]),
  ...as(paidEmail, [
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => ({
      name: `onboarding-${step}`,
      path: `/onboarding?step=${step}`,
    })),
    { name: "onboarding-unknown", path: "/onboarding?step=12" },
    { name: "success", path: "/success" },
  ]),
  ...as(student, [
    { name: "studentdash", path: "/studentdash" },
    { name: "subscriptions", path: "/subscriptions" },
    ...billingShots,
    { name: "verification", path: "/verification" },
    { name: "account", path: "/account" },
    {
      name: "account-second-factor",
      path: "/account",
      prepare: async (page) => {
        await page.getByRole("button", { name: "Set up second factor" }).click();
        await page.getByLabel("Name of the device").fill("My phone");
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
      },
    },
    { name: "messages", path: "/messages" },
    {
      name: "conversation",
      path: "/messages",
      prepare: async (page) => {
        await page.getByRole("list", { name: "Conversations" }).getByRole("link").first().click();
        await page.getByRole("log").getByRole("article").last().waitFor();
      },
    },
    { name: "collaborate", path: "/collaborate" },
    { name: "members", path: "/members" },
    { name: "members-none", path: "/members?search=zebra" },
    {
      name: "member-card",
      path: "/members",
      prepare: async (page) => {
        await page.getByRole("link", { name: "Tom Ashworth" }).focus();
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Tab");
        await page.getByRole("tooltip").getByText("Left a salaried job").waitFor();
      },
    },
    { name: "member", path: "/members?search=ashworth", prepare: openMember },
    { name: "member-absent", path: "/members/nobody" },
    { name: "update-password", path: "/update-password" },
    {
      name: "error-page",
      path: "/subscriptions",
      prepare: async (page) => {
        const unreadable = [{ status: "active", current_period_end: "soon" }];
        await page.route("**/rest/v1/stripe_subscriptions*", (route) =>
          route.fulfill({ json: unreadable }),
        );
        await page.reload();
        await page.getByText("Unexpected Application Error!").waitFor();
      },
    },
    { name: "progress", path: "/progress" },
    { name: "achievements", path: "/achievements" },
    { name: "affiliates-new", path: "/affiliates" },
    { name: "affiliates", path: "/affiliates", prepare: earn },
    {
      name: "progress-evidence",
      path: "/progress",
      prepare: async (page) => {
        await page
          .getByRole("button", { name: /^Message engagements/ })
          .first()
          .click();
        await page.getByRole("dialog").getByRole("listitem").first().waitFor();
      },
    },
    { name: "submissions", path: "/learning/submissions" },
    {
      name: "submissions-comments",
      path: "/learning/submissions?type=success",
      prepare: async (page) => {
        const comments = page.getByRole("button", { name: /^Comments/ }).first();
        await comments.click();
        await page.getByLabel("Your comment").fill("What did the first one cost you?");
      },
    },
    { name: "submission-missing", path: `/learning/submissions?submission=${unknownUserId}` },
    { name: "new-submission", path: "/learning/create" },
    { name: "pacts", path: "/learning/pacts" },
    { name: "new-pact", path: "/learning/pacts/new" },
    {
      name: "new-submission-refused",
      path: "/learning/create",
      prepare: async (page) => {
        await page.getByLabel("Title").fill("x".repeat(300));
        await page.getByRole("button", { name: "Submit" }).click();
        await page.getByText("Please fill in all required fields.").waitFor();
      },
    },
  ]),
  ...as(wealthy, [
    { name: "studentdash-level-4", path: "/studentdash" },
    { name: "account-picture", path: "/account" },
    { name: "account-picture-chosen", path: "/account", prepare: choosePicture },
    ...libraryShots,
    {
      name: "notifications",
      path: "/studentdash",
      prepare: async (page) => {
        await page.getByRole("button", { name: "Notifications" }).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    { name: "search", path: "/studentdash", prepare: searchFor("habits") },
    { name: "chats-level-4", path: "/chats" },
    { name: "chat-room-empty", path: "/chats/operations" },
  ]),
  ...as(student, [
    { name: "chats", path: "/chats" },
    { name: "chat-room", path: "/chats/general", prepare: talk },
    {
      name: "chat-room-menu",
      path: "/chats/general",
      prepare: async (page) => {
        await press(page, "More");
        await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
      },
    },
    {
      name: "chat-room-reply",
      path: "/chats/general",
      prepare: async (page) => {
        await press(page, "Reply");
        await page.getByRole("textbox").fill("The last one, always. ".repeat(180));
      },
    },
    {
      name: "chat-room-offline",
      path: "/chats/accountability",
      prepare: async (page) => {
        await page.context().setOffline(true);
        await page.getByRole("textbox").fill("First club called. They said yes.");
        await page.keyboard.press("Enter");
        await page.getByText("Waiting for a connection").waitFor();
      },
    },
    ...roomShots,
    { name: "chat-room-not-found", path: "/chats/nowhere" },
  ]),
  ...as(mentor, [
    { name: "mentordash", path: "/mentordash" },
    ...studioShots,
    { name: "level-up", path: "/mentordash", prepare: (page, owner) => rise(page, owner, mentor) },
  ]),
  ...as(admin, [
    { name: "admindash", path: "/admindash" },
    {
      name: "admin-recovery-codes",
      path: "/account",
      prepare: async (page) => {
        await page.getByRole("button", { name: "New recovery codes" }).click();
        await page.getByLabel("I have saved them").waitFor();
      },
    },
    {
      name: "admin-reports",
      path: "/admindash/queues?queue=reports&kind=message",
      prepare: reportSomething,
    },
    {
      name: "admin-review",
      path: "/admindash/queues?queue=identity",
      prepare: async (page) => {
        await page.getByRole("button", { name: /Priya Raman/ }).click();
        await page.getByRole("img", { name: /^Identity document of/ }).waitFor();
      },
    },
  ]),
  ...consoleShots,
  ...guaranteeShots,
  ...mentionShots,
];
