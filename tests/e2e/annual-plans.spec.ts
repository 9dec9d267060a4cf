import { invoicesOf, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { seedSession } from "./support/accounts.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import {
  fillCard,
  fillSignUp,
  paidMessage,
  payByCard,
  testCards,
} from "./support/member-journey.ts";
import { expect, expectAccessible, test as base } from "./support/test.ts";

/** A product of its own, because a yearly price changes what every paywall shows, and the provider's clock moves. */
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

async function administrator(billing: BillingFixture): Promise<Payer> {
  const admin = await billing.payer();
  await signInWithSecondFactor(admin.client, admin.email);
  await billing.sql("select private.make_admin($1)", [admin.id]);
  return admin;
}

async function onboarded(billing: BillingFixture): Promise<Payer> {
  const ada = await billing.memberWith(studentPlan);
  await billing.sql("update public.profiles set onboarding_complete = true where id = $1", [
    ada.id,
  ]);
  return ada;
}

test("an owner sells a year, a member switches for the amount that was shown, and a newcomer joins for it", async ({
  page,
  context,
  browser,
  billing,
}) => {
  test.setTimeout(timeLimitMs(180));
  const ada = await onboarded(billing);
  await billing.advanceClock({ days: 10 });

  await test.step("the owner adds a yearly price", async () => {
    await seedSession(context, await administrator(billing));
    await page.goto("/admindash/settings?part=plans");
    const plan = page.getByRole("listitem").filter({ hasText: "Student Access" }).first();
    await plan.getByRole("button", { name: "Add a yearly price" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a yearly price to Student Access" });
    await dialog.getByLabel("Price for a year").fill("500");
    await expect(dialog.getByText("members who join or switch pay £500 a year")).toBeVisible();
    await dialog.getByLabel("Reason").fill("For those who stay");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Sell for £500 a year" }).click();
    await expect(dialog).toBeHidden();
    await expect(plan.getByText("£500 a year")).toBeVisible();
  });

  await test.step("a member switches, and the next invoice has the amount shown", async () => {
    const window = await browser.newContext({ baseURL: billing.host.url });
    await seedSession(window, ada);
    const member = await window.newPage();
    await member.goto("/subscriptions");
    await expect(member.getByText("£50 per month")).toBeVisible();
    await member.getByRole("button", { name: "View plans" }).click();
    const plans = member.getByRole("dialog", { name: "Plans" });
    await expect(plans.getByText("Save £100 a year")).toBeVisible();
    await plans.getByRole("button", { name: "Switch to Student Access (yearly)" }).click();
    const form = member.getByRole("region", { name: "Switch to Student Access (yearly)" });
    const pay = form.getByRole("button", { name: /^Pay £[\d.]+ and Switch$/ });
    const shown = /£([\d.]+)/.exec((await pay.textContent()) ?? "")?.[1] ?? "";
    await expectAccessible(member);
    await pay.click();
    await expect(member.getByText("You're on Student Access (yearly) now.")).toBeVisible();
    await expect(member.getByText("£500 per year")).toBeVisible();
    await billing.deliverWebhooks();
    const paid = Math.round(Number(shown) * 100);
    expect(paid).toBeGreaterThan(46_000);
    expect(await invoicesOf(ada)).toMatchObject([
      { amount_paid_pence: 5000 },
      { amount_paid_pence: paid, status: "paid" },
    ]);

    await member.getByRole("button", { name: "View plans" }).click();
    await plans.getByRole("button", { name: "Switch to Student Access (monthly)" }).click();
    await expect(member.getByText("we charge £50 per month")).toBeVisible();
    await member.getByRole("button", { name: /^Switch on / }).click();
    await expect(member.getByText(/^You switch to Student Access \(monthly\) on /)).toBeVisible();
    await billing.advanceClock({ months: 12, hours: 2 });
    await billing.deliverWebhooks();
    expect((await invoicesOf(ada)).at(2)).toMatchObject({ amount_paid_pence: 5000 });
    await member.goto("/subscriptions");
    await expect(member.getByText("£50 per month")).toBeVisible();
    await window.close();
  });

  await test.step("what visitors read names the year", async () => {
    const window = await browser.newContext({ baseURL: billing.host.url });
    const visitor = await window.newPage();
    // The front page is made anew within seconds.
    await expect
      .poll(async () => {
        await visitor.goto("/");
        return await visitor.getByText("Or £500 a year.").count();
      })
      .toBe(1);
    await expect(visitor.getByText("instead of £117")).toHaveCount(1);
    await visitor.goto("/terms");
    await expect(visitor.getByText("Memberships can also be paid by the year.")).toBeVisible();
    await window.close();
  });

  await test.step("a newcomer whose link names the year pays for the year", async () => {
    const window = await browser.newContext({ baseURL: billing.host.url });
    const visitor = await window.newPage();
    await visitor.goto("/signup?plan=student-yearly");
    await fillSignUp(visitor);
    await expect(visitor.getByRole("radio", { name: "Yearly" })).toBeChecked();
    await expect(visitor.getByText("Save £100 a year")).toBeVisible();
    await expect(visitor.getByRole("button", { name: "PAY £500" })).toBeVisible();
    // The mentor plan is sold by the month alone.
    await expect(visitor.getByRole("radio", { name: /Mentor Access/ })).toHaveCount(0);
    await visitor.getByText("Monthly", { exact: true }).click();
    await expect(visitor.getByRole("button", { name: "PAY £50" })).toBeVisible();
    await visitor.getByText("Yearly", { exact: true }).click();
    await expectAccessible(visitor);
    await fillCard(visitor, testCards.good);
    await expectBriefly(visitor, paidMessage, () => payByCard(visitor));
    await expect(visitor).toHaveURL(/\/onboarding/);
    await window.close();
  });
});
