import type { FrameLocator, Page } from "@playwright/test";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { seedSession } from "./support/accounts.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import { paidMessage, payByCard, testCards } from "./support/member-journey.ts";
import { expect, expectAccessible, test as base } from "./support/test.ts";

/** A product of its own: the form is the same for everybody. */
const test = base.extend<object, { billing: BillingFixture }>({
  billing: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a destructured first argument.
    async ({}, use) => {
      const { billing, stop } = await startOwnBilling();
      await use(billing);
      await stop();
    },
    { scope: "worker", timeout: timeLimitMs(120) },
  ],
  baseURL: async ({ billing }, use) => await use(billing.host.url),
});

const paymentFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Secure payment input frame"]');

async function enterCard(page: Page, number: string): Promise<void> {
  const frame = paymentFrame(page);
  await frame.getByLabel("Card number").fill(number);
  await frame.getByLabel("Expiry date").fill("12 / 34");
  await frame.getByLabel("Security code").fill("123");
}

const wallet = (page: Page, name: string) => page.frameLocator(`iframe[title="${name}"]`);

async function administrator(billing: BillingFixture): Promise<Payer> {
  const admin = await billing.payer();
  await signInWithSecondFactor(admin.client, admin.email);
  await billing.sql("select private.make_admin($1)", [admin.id]);
  return admin;
}

async function open(page: Page, member: Payer, path: string): Promise<void> {
  await seedSession(page.context(), member);
  await page.goto(path);
}

const statusOf = async (member: Payer) =>
  (await member.client.from("stripe_subscriptions").select("status, payment_method_last4")).data;

test.describe.configure({ mode: "serial" });

test("the owner turns wallets on, and a member joins with one", async ({
  page,
  browser,
  billing,
}) => {
  const ada = await billing.payer();
  const window = await browser.newContext({ baseURL: billing.host.url });
  const paywall = await window.newPage();
  await test.step("before, the paywall has the card field", async () => {
    await open(paywall, ada, "/paywall");
    await expect(paywall.getByRole("group", { name: "Card details" })).toBeVisible();
  });

  await open(page, await administrator(billing), "/admindash/settings?part=plans");
  const setting = page.getByRole("checkbox", { name: "Apple Pay, Google Pay and Link" });
  await expect(setting).not.toBeChecked();
  await setting.check();
  await page.getByRole("button", { name: "Save how members pay" }).click();
  await expect(page.getByText("Members can pay with a wallet from now on.")).toBeVisible();
  await expectAccessible(page);

  await paywall.reload();
  await expect(paywall.getByRole("group", { name: "How you pay" })).toBeVisible();
  await paymentFrame(paywall).getByLabel("Google Pay (test)").check();
  await expectAccessible(paywall);
  await payByCard(paywall);
  await wallet(paywall, "Google Pay").getByRole("button", { name: "Cancel" }).click();
  await expect(
    paywall.getByText("The payment was cancelled before it was confirmed."),
  ).toBeVisible();
  await payByCard(paywall);
  await expectBriefly(paywall, paidMessage, () =>
    wallet(paywall, "Google Pay").getByRole("button", { name: "Confirm" }).click(),
  );
  await expect(paywall).toHaveURL(/\/onboarding/);
  expect(await statusOf(ada)).toEqual([{ status: "active", payment_method_last4: "4242" }]);
  await window.close();
});

test("a card in the new form: what is missing is shown, the bank asks, a refusal says so", async ({
  page,
  billing,
}) => {
  const ben = await billing.payer();
  await open(page, ben, "/paywall");
  const frame = paymentFrame(page);
  await enterCard(page, "4242");
  await payByCard(page);
  await expect(frame.getByRole("alert")).toHaveText("Your card number is incomplete.");
  await expect(page.getByText("Please complete your card information.")).toBeVisible();
  await enterCard(page, testCards.declined);
  await payByCard(page);
  await expect(page.getByText("Your card was declined.")).toBeVisible();
  await enterCard(page, testCards.needsChallenge);
  await payByCard(page);
  const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
  await expectBriefly(page, paidMessage, () =>
    challenge.getByRole("button", { name: "Complete authentication" }).click(),
  );
  await expect(page).toHaveURL(/\/onboarding/);
  expect((await statusOf(ben))?.filter(({ status }) => status === "active")).toHaveLength(1);
});

test("a member changes the card to the one of Link", async ({ page, billing }) => {
  const cleo = await billing.memberWith(studentPlan);
  await open(page, cleo, "/subscriptions?card=update");
  const form = page.getByRole("region", { name: "Update your card" });
  await paymentFrame(page).getByLabel("Link (test)").check();
  await form.getByRole("button", { name: "Save Card" }).click();
  await wallet(page, "Link").getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Your new card is saved.")).toBeVisible();
});
