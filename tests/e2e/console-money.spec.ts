import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import {
  createAccount,
  createAdmin,
  createAdminWithCodes,
  createAdminWithoutSecondFactor,
  createSubscriber,
  runAsOwner,
  seedSession,
  type Account,
} from "./support/accounts.ts";
import {
  decideDispute,
  openCardProvider,
  disputeLatestPayment,
  waitForWebhooks,
} from "./support/card-provider.ts";
import { expectNavigationThrough } from "./support/expect-briefly.ts";
import { fillCard, payByCard, testCards } from "./support/member-journey.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** The row of a table that opens what this text names. */
function row(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

/** A second window, signed in as another account. */
async function openBeside(page: Page, account: Account, path: string): Promise<Page> {
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error("no browser");
  await seedSession(context, account);
  const other = await context.newPage();
  await other.goto(new URL(path, page.url()).href);
  return other;
}

async function giveReason(page: Page, reason: string): Promise<void> {
  await page.getByLabel("Reason", { exact: true }).fill(reason);
}

test("an administrator finds a payment and refunds a part of it", async ({ page, openAs }) => {
  const member = await createSubscriber();
  await waitForWebhooks();
  const { admin, nextCode } = await createAdminWithCodes();
  await openAs(admin, "/admindash/money");
  await expect(page.getByText("Taken this month")).toBeVisible();
  await page.getByLabel("Search payments").fill(member.email);
  const payment = row(page, member.email);
  await expect(payment).toHaveCount(1);
  await expect(page).toHaveURL(/search=/);
  await expectAccessible(page);
  // By keyboard alone.
  await payment.getByRole("button").focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog");
  await expect(panel.getByText("First payment")).toBeVisible();
  await panel.getByRole("button", { name: "Refund" }).click();
  await panel.getByLabel("Amount in pounds").fill("60");
  await giveReason(page, "Asked by email");
  await panel.getByLabel("Code from your authenticator app").fill(nextCode());
  await panel.getByRole("button", { name: "Refund £60" }).click();
  await expect(panel.getByText("Enter an amount from £0.01 to £50.")).toBeVisible();
  await panel.getByLabel("Amount in pounds").fill("12.50");
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Refund £12.50" }).click();
  await expect(panel.getByText(/^Refunded £12\.50 on /)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  const state = payment.getByText("Partly refunded").filter({ visible: true });
  await expect(state).toHaveCount(1);
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(state).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  if (desk) await page.setViewportSize(desk);
  const { data } = await member.client.from("stripe_subscriptions").select("status");
  expect(data).toEqual([{ status: "active" }]);

  await page.getByLabel("Show", { exact: true }).selectOption("Refunds");
  await expect(row(page, "Asked by email").first()).toContainText("£12.50");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

/** A member's room leads back to the chats, which say why they are locked. */
async function expectLocked(theirs: Page, why: string): Promise<void> {
  await theirs.goto(new URL("/chats/general", theirs.url()).href);
  await expect(theirs).toHaveURL(/\/chats$/);
  const notice = theirs.getByRole("alert").filter({ hasText: why });
  await expect(notice).toContainText("Chat rooms are for active members.");
}

test("a dispute stands open with its deadline, holds the member's access, and leaves the queue when the bank decides", async ({
  page,
  openAs,
}) => {
  const winner = await createSubscriber("paid");
  const loser = await createSubscriber();
  const waiting = await createSubscriber("paid");
  const surname = `Whitfield ${randomUUID().slice(0, 8)}`;
  await runAsOwner("update public.profiles set last_name = $2 where id = $1", [loser.id, surname]);
  const [won, lost] = [await disputeLatestPayment(winner), await disputeLatestPayment(loser)];
  await disputeLatestPayment(waiting);
  await openAs(await createAdmin(), "/admindash/money?view=disputes");
  await expect(page.getByText("Open disputes")).toBeVisible();
  for (const shown of [winner.email, surname, waiting.email]) {
    await expect(row(page, shown)).toContainText("Needs evidence");
    await expect(row(page, shown)).toContainText("£50");
  }
  const panel = page.getByRole("dialog", { name: "£50 dispute" });
  const open = async (shown: string) => await row(page, shown).getByRole("button").click();
  await open(surname);
  await expect(panel.getByText("Suspended until the bank decides")).toBeVisible();
  await expect(panel.getByText("Evidence due")).toBeVisible();
  await expectAccessible(page);
  const theirs = await openBeside(page, loser, "/subscriptions");
  await expect(theirs.getByText(/Your bank has disputed a payment/)).toBeVisible();
  await expectLocked(theirs, "Your bank has disputed a payment");

  await decideDispute(won, "won");
  await decideDispute(lost, "lost");
  await page.reload();
  await expect(row(page, winner.email)).toContainText("Won");
  await expect(row(page, surname)).toContainText("Lost");
  await open(surname);
  await expect(panel.getByText("Ended, because the dispute was lost")).toBeVisible();
  await expect(panel.getByText("Evidence due")).toHaveCount(0);
  await theirs.goto(new URL("/subscriptions", page.url()).href);
  await expect(theirs.getByText(/Your bank reversed a payment/)).toBeVisible();
  await expectLocked(theirs, "Your bank reversed a payment");
  await page.keyboard.press("Escape");
  await open(winner.email);
  await expect(panel.getByText("Not affected")).toBeVisible();

  await page.goto(new URL("/admindash/queues?queue=disputes", page.url()).href);
  await expect(page.getByText(waiting.email)).toBeVisible();
  await expect(page.getByText(winner.email)).toHaveCount(0);
  await expect(page.getByText(surname)).toHaveCount(0);
});

test("an administrator makes a coupon, and a visitor joins with it", async ({ page, openAs }) => {
  const code = `E2E-${randomUUID().slice(0, 8).toUpperCase()}`;
  await openAs(await createAdmin(), "/admindash/money?view=codes");
  await page.getByRole("button", { name: "New code" }).click();
  await page.getByRole("button", { name: "Make code" }).click();
  await expect(page.getByText("Use 3 to 40 letters, digits or hyphens.")).toBeVisible();
  await expect(page.getByText("Say why. It is recorded with your name.")).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByLabel("Per cent off").fill("20");
  await page.getByLabel("Applies to").selectOption("repeating");
  await page.getByLabel("Months").fill("3");
  await giveReason(page, "Spring campaign");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make code" }).click();
  await expect(page.getByText(`${code} is ready to use.`)).toBeVisible();
  await expect(row(page, code)).toContainText("20% off for 3 months");

  const visitor = await createAccount("signed-up");
  const theirs = await openBeside(page, visitor, "/paywall");
  await theirs.getByRole("button", { name: "Add a promo code" }).click();
  await theirs.getByLabel("Code", { exact: true }).fill("NONSENSE");
  await theirs.getByRole("button", { name: "Apply" }).click();
  await expect(
    theirs.getByText("We don't recognise this code. Check it and try again."),
  ).toBeVisible();
  await theirs.getByLabel("Code", { exact: true }).fill(code.toLowerCase());
  await theirs.getByRole("button", { name: "Apply" }).click();
  const promise = "£40 each month for 3 months, then £50 each month.";
  await expect(theirs.getByText(promise).first()).toBeVisible();
  await expectAccessible(theirs);
  await fillCard(theirs, testCards.good);
  await expectNavigationThrough(theirs, /\/success$/, () => payByCard(theirs));
  await waitForWebhooks();
  const invoices = await visitor.client.from("invoices").select("amount_paid_pence");
  expect(invoices.data).toEqual([{ amount_paid_pence: 4000 }]);
  await theirs.context().close();

  await page.reload();
  await row(page, code).getByRole("button").click();
  await page.getByRole("button", { name: "Turn off" }).click();
  await giveReason(page, "The campaign is over");
  await page.getByRole("button", { name: `Turn off ${code}` }).click();
  await expect(row(page, code).getByText("Off", { exact: true })).toBeVisible();
  const [kept] = (await openCardProvider().promotionCodes.list({ code })).data;
  expect(kept).toMatchObject({ active: false, times_redeemed: 1 });
});

test("a complimentary membership is given, shown to its member, and revoked", async ({
  page,
  openAs,
}) => {
  const member = await createAccount("signed-up");
  const admin = await createAdmin();
  await openAs(admin, "/admindash/money?view=complimentary");
  await page.getByRole("button", { name: "Give a membership" }).click();
  await page.getByLabel("Email").fill("nobody@example.test");
  await page.getByLabel("Plan").selectOption("mentor-access");
  await giveReason(page, "Guest speaker");
  await page.getByRole("button", { name: "Give membership" }).click();
  await expect(page.getByText("No account has this e-mail address.")).toBeVisible();
  await page.getByLabel("Email").fill(member.email);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Give membership" }).click();
  await expect(row(page, member.email)).toContainText("Running");

  const theirs = await openBeside(page, member, "/subscriptions");
  await expect(theirs.getByRole("heading", { name: "Mentor Access" })).toBeVisible();
  await expect(theirs.getByText("You're not charged for it and it doesn't renew.")).toBeVisible();
  await expectAccessible(theirs);
  // The paywall has nothing to ask of them.
  await theirs.goto(new URL("/paywall", page.url()).href);
  await expect(theirs).toHaveURL(/\/onboarding$/);

  await row(page, member.email).getByRole("button").click();
  await page.getByRole("button", { name: "Revoke" }).click();
  await giveReason(page, "The talk is over");
  await page.getByRole("button", { name: "Revoke membership" }).click();
  await expect(row(page, member.email).getByText("Ended", { exact: true })).toBeVisible();
  await theirs.goto(new URL("/subscriptions", page.url()).href);
  await expect(theirs.getByText("You have no plan yet")).toBeVisible();
  await theirs.context().close();
});

test("money asks an administrator for the second factor, and shows itself to no member", async ({
  page,
  openAs,
}) => {
  await openAs(await createAdminWithoutSecondFactor(), "/admindash/money");
  await expect(page.getByRole("heading", { name: "Set up your second factor" })).toBeVisible();
  await expect(page.getByLabel("Show", { exact: true })).toHaveCount(0);
  await expectAccessible(page);
});

test("the page about money leads a member to their own dashboard", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded"), "/admindash/money");
  await expect(page).toHaveURL(/\/studentdash$/);
});
