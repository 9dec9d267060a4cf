import type { Locator, Page } from "@playwright/test";
import type Stripe from "stripe";
import type { BillingFixture, Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { testPassword } from "./support/accounts.ts";
import { expectRoom, row, sendChatMessage } from "./support/chat.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import {
  fillCard,
  fillSignUp,
  onboard,
  paidMessage,
  payByCard,
  testCards,
} from "./support/member-journey.ts";
import { expect, test as base } from "./support/test.ts";

/** A product of its own, because the provider's clock moves for all customers and never back. */
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

/** A member in the browser, and everything around it that a test can move or look at. */
class MemberYear {
  readonly page: Page;
  readonly billing: BillingFixture;
  readonly ada: Payer;

  constructor(page: Page, billing: BillingFixture, ada: Payer) {
    this.page = page;
    this.billing = billing;
    this.ada = ada;
  }

  /** Lets this much time pass at the provider and opens the membership. */
  async pass(step: Record<string, number>): Promise<void> {
    await this.billing.advanceClock(step);
    await this.page.goto("/subscriptions");
  }

  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole("button", { name, exact: true }).click();
  }

  async expectMembership(plan: string, price: string, badge: string): Promise<void> {
    const main = this.page.getByRole("main");
    await expect(main.getByRole("heading", { name: plan })).toBeVisible();
    await expect(main.getByText(price, { exact: true })).toBeVisible();
    await expect(this.page.locator("[data-status]")).toHaveText(badge);
  }

  /** The amounts of the invoice list, newest first, and what they are. */
  async expectInvoices(...entries: RegExp[]): Promise<void> {
    const list = this.page.getByRole("region", { name: "Invoices" }).getByRole("listitem");
    for (const [index, entry] of entries.entries()) await expect(list.nth(index)).toHaveText(entry);
  }

  /** Sends what waits in the outbox. @returns text of the newest e-mail to the member with this subject. */
  async email(subject: string): Promise<string> {
    const { host } = this.billing;
    await this.billing.call(this.billing.client(host.serviceRoleKey), "send-emails");
    const inbox = await this.page.request.get("/dev/inbox.json");
    const caught = (await inbox.json()) as { to: string; subject: string; text: string }[];
    const email = caught.find((each) => each.to === this.ada.email && each.subject === subject);
    expect(caught.map((each) => each.subject)).toContain(subject);
    return email?.text ?? "";
  }

  /** Opens the address in an e-mail that continues like this. */
  async openLink(text: string, path: RegExp): Promise<void> {
    const links = text.match(/https?:\/\/\S+/g) ?? [];
    const link = links.find((each) => path.test(each));
    if (link === undefined) throw new Error(`no link to ${path.source} in: ${links.join(" ")}`);
    await this.page.goto(link);
  }

  async openSwitchTo(plan: string): Promise<Locator> {
    await this.press("View plans");
    await this.press(`Switch to ${plan}`, this.page.getByRole("dialog", { name: "Plans" }));
    return this.page.getByRole("region", { name: `Switch to ${plan}` });
  }

  /** Buys the mentor plan from the membership page on. */
  async rejoin(): Promise<void> {
    await this.page.getByRole("main").getByRole("link", { name: "View plans" }).click();
    await this.page.getByRole("radio", { name: /^Mentor Access/ }).check();
    await fillCard(this.page, testCards.good);
    await expectBriefly(this.page, paidMessage, () => payByCard(this.page));
    await expect(this.page).toHaveURL(/\/mentordash$/);
    await this.billing.deliverWebhooks();
    await this.page.goto("/subscriptions");
    await this.expectMembership("Mentor Access", "£100 per month", "Active");
  }

  /** The chats say what became of the membership, what is locked, and lead to the membership. */
  async expectLocked(why: string): Promise<void> {
    await this.page.goto("/chats/general");
    await expect(this.page).toHaveURL(/\/chats$/);
    const notice = this.page.getByRole("alert").filter({ hasText: why });
    await expect(notice).toContainText("Chat rooms are for active members.");
    expect(await this.billing.role(this.ada)).toBe("student");
    await this.page.getByRole("link", { name: "See your membership" }).click();
    await expect(this.page).toHaveURL(/\/subscriptions$/);
  }

  async subscriptionId(): Promise<string> {
    return String((await this.billing.subscription(this.ada))?.["subscription_id"]);
  }

  /** The latest payment at the provider. */
  async latestCharge(): Promise<Stripe.Charge | undefined> {
    const customer = await this.billing.customerId(this.ada);
    return (await this.billing.stripe.charges.list({ customer, limit: 1 })).data[0];
  }
}

/** Signs up through the front page, pays for the mentor plan and does the nine steps. */
async function join(page: Page, billing: BillingFixture): Promise<MemberYear> {
  await page.goto("/");
  await page.getByRole("link", { name: "Start with Mentor" }).click();
  const email = await fillSignUp(page);
  await expect(page.getByText("Mentor Access, due today")).toBeVisible();
  await fillCard(page, testCards.good);
  await expectBriefly(page, "Payment Successful", () => payByCard(page));
  await expect(page).toHaveURL(/\/onboarding/);
  await onboard(page);
  await expect(page).toHaveURL(/\/mentordash$/);
  const client = billing.client(billing.host.anonKey);
  const { data } = await client.auth.signInWithPassword({ email, password: testPassword });
  return new MemberYear(page, billing, { id: data.user?.id ?? "", email, client });
}

/** Longer than any month, so that each step reaches one renewal on whatever day the year begins. */
const month = { days: 32 };

test("a year of a membership", async ({ page, billing }) => {
  test.setTimeout(timeLimitMs(240));
  const year = await test.step("joins as a mentor", () => join(page, billing));
  const { ada } = year;

  await test.step("takes part", async () => {
    await page.goto("/chats/general");
    await expectRoom(page, "General");
    await sendChatMessage(page, "Here for the whole year.");
  });

  await test.step("renews twice", async () => {
    await billing.deliverWebhooks();
    await year.pass(month);
    await year.pass(month);
    await year.expectMembership("Mentor Access", "£100 per month", "Active");
    await year.expectInvoices(/£100Paid/, /£100Paid/, /£100Paid/);
    await year.openLink(await year.email("Your receipt: £100.00"), /\/subscriptions\/invoices\//);
    await expect(page.getByRole("heading", { name: "Receipt" })).toBeVisible();
    await expect(page.getByRole("row", { name: /^Paid/ })).toContainText("£100");
  });

  await test.step("fails to pay, and pays with another card", async () => {
    const customer = await billing.customerId(ada);
    const card = await billing.stripe.paymentMethods.attach("pm_card_chargeCustomerFail", {
      customer,
    });
    await billing.stripe.subscriptions.update(await year.subscriptionId(), {
      default_payment_method: card.id,
    });
    await year.pass(month);
    await expect(page.locator("[data-status]")).toHaveText("Past due");
    await expect(
      page.getByText("Your last payment failed. Please update your payment method."),
    ).toBeVisible();
    await year.expectInvoices(/£100Not paid yet/, /£100Paid/);
    await year.expectLocked("Your last payment failed");
    const email = await year.email("Your payment didn't go through");
    expect(email).toContain("ending in 0341");
    // The link opens the card form.
    await year.openLink(email, /\/subscriptions\?card=update$/);
    await fillCard(page, testCards.good);
    await year.press("Save Card");
    await expect(
      page.getByText("Your new card is saved and the outstanding payment has gone through."),
    ).toBeVisible();
    await billing.deliverWebhooks();
    await year.press("Refresh status");
    await year.expectMembership("Mentor Access", "£100 per month", "Active");
    await year.expectInvoices(/£100Paid/, /£100Paid/);
  });

  await test.step("switches down when the period ends", async () => {
    const form = await year.openSwitchTo("Student Access");
    await expect(form).toContainText("pay nothing now");
    await year.press(/^Switch on /, form);
    await expect(page.getByText(/^You switch to Student Access on /)).toBeVisible();
    await year.expectMembership("Mentor Access", "£100 per month", "Active");
    expect(await billing.role(ada)).toBe("mentor");
    await year.pass(month);
    await year.expectMembership("Student Access", "£50 per month", "Active");
    await year.expectInvoices(/£50Paid/, /£100Paid/);
    expect(await billing.role(ada)).toBe("student");
    await year.email("Your plan is now Student Access");
  });

  await test.step("switches up with a coupon, for the amount shown", async () => {
    const { id: coupon } = await billing.stripe.coupons.create({
      percent_off: 20,
      duration: "repeating",
      duration_in_months: 2,
    });
    await billing.stripe.subscriptions.update(await year.subscriptionId(), {
      discounts: [{ coupon }],
    });
    await year.pass({ days: 10 });
    const form = await year.openSwitchTo("Mentor Access");
    await expect(form.getByText("Discount", { exact: true })).toBeVisible();
    await expect(form).toContainText(
      "we charge £80; without discounts or credit it's £100 per month.",
    );
    const pay = form.getByRole("button", { name: /^Pay £[\d.]+ and Switch$/ });
    const amount = /£[\d.]+/.exec(await pay.innerText())?.[0] ?? "";
    await pay.click();
    await expect(page.getByText("You're on Mentor Access now.")).toBeVisible();
    await billing.deliverWebhooks();
    await year.press("Refresh status");
    await year.expectInvoices(new RegExp(`${amount}Discount -£[\\d.]+Paid`), /£50Paid/);
    expect(((await year.latestCharge())?.amount ?? 0) / 100).toBe(Number(amount.slice(1)));
    expect(await billing.role(ada)).toBe("mentor");
    await year.pass(month);
    await year.expectInvoices(/£80Discount -£20Paid/);
  });

  await test.step("cancels, comes back, cancels and lapses", async () => {
    const dialog = page.getByRole("alertdialog", { name: "Cancel your subscription?" });
    await year.press("Cancel Subscription");
    await dialog
      .getByLabel("Why are you leaving? (optional)")
      .selectOption({ label: "I don't use it enough" });
    await year.press("Yes, cancel", dialog);
    await expect(page.locator("[data-status]")).toHaveText("Active, ending");
    await expect(page.getByText("Access until")).toBeVisible();
    await year.email("Your membership is cancelled");
    await year.press("Keep My Subscription");
    await expect(page.locator("[data-status]")).toHaveText("Active");
    await year.press("Cancel Subscription");
    await year.press("Yes, cancel", dialog);
    await expect(page.locator("[data-status]")).toHaveText("Active, ending");
    await year.pass(month);
    await year.expectMembership("Mentor Access", "£100 per month", "Cancelled");
    await expect(page.getByText("Access until")).toHaveCount(0);
    await expect(page.getByText(/Your membership has ended. Choose a plan/)).toBeVisible();
    await year.email("Your membership has ended");
    await year.expectLocked("Your membership has ended");
  });

  await test.step("rejoins with everything kept", async () => {
    await year.rejoin();
    expect(await billing.role(ada)).toBe("mentor");
    await page.goto("/chats/general");
    await expect(row(page, "Here for the whole year.")).toBeVisible();
  });

  await test.step("is refunded, which ends the membership at once", async () => {
    await billing.stripe.refunds.create({ charge: (await year.latestCharge())?.id ?? "" });
    await billing.deliverWebhooks();
    await page.goto("/subscriptions");
    await expect(page.getByText(/Your last payment was refunded/)).toBeVisible();
    await year.expectInvoices(/£100Refunded/);
    await year.expectLocked("Your last payment was refunded");
    await year.rejoin();
  });

  await test.step("is on hold while a payment is disputed, and back when it is won", async () => {
    const dispute = await billing.control("/disputes", {
      charge: (await year.latestCharge())?.id ?? "",
    });
    await year.pass({ seconds: 1 });
    await expect(page.locator("[data-status]")).toHaveText("On hold");
    await expect(page.getByText(/Your bank has disputed a payment/)).toBeVisible();
    await expect(page.getByRole("link", { name: "Contact support" })).toBeVisible();
    await year.expectLocked("Your bank has disputed a payment");
    await billing.control("/disputes/close", { dispute: dispute["id"], outcome: "won" });
    await year.pass({ seconds: 1 });
    await year.expectMembership("Mentor Access", "£100 per month", "Active");
    expect(await billing.role(ada)).toBe("mentor");
  });
});
