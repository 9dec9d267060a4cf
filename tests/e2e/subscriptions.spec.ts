import { payForPlan } from "../../tools/demo/join.ts";
import { runAsOwner, createAccount, createSubscriber } from "./support/accounts.ts";
import {
  endMembership,
  expectSubscription,
  openCardProvider,
  waitForWebhooks,
  providerSubscriptionOf,
} from "./support/card-provider.ts";
import { fillCard, testCards } from "./support/member-journey.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const canceled = "Subscription will be canceled at the end of your current billing period";
const uncanceled = "Subscription has been reactivated and will continue to renew";

test("a member cancels after confirming, and resumes", async ({ page, openAs }) => {
  const account = await createSubscriber();
  await openAs(account, "/subscriptions");
  await expect(page.getByText("Student Access")).toBeVisible();
  await expect(page.getByText("£50 per month")).toBeVisible();
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
  await expect(page.getByText("Renews on")).toBeVisible();
  const badge = page.locator("[data-status]");
  await expect(badge).toHaveText("Active");

  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  const question = page.getByRole("alertdialog", { name: "Cancel your subscription?" });
  await question.getByRole("button", { name: "Keep my subscription" }).click();
  await expect(question).toBeHidden();
  await expect(badge).toHaveText("Active");

  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await question.getByRole("button", { name: "Yes, cancel" }).click();
  await expect(page.getByText(canceled, { exact: true })).toBeVisible();
  await expect(badge).toHaveText("Active, ending");
  await expect(page.getByText("Access until")).toBeVisible();
  const provider = openCardProvider();
  const id = await providerSubscriptionOf(account);
  expect((await provider.subscriptions.retrieve(id)).cancel_at_period_end).toBe(true);

  await page.getByRole("button", { name: "Keep My Subscription" }).click();
  await expect(page.getByText(uncanceled, { exact: true })).toBeVisible();
  await expect(badge).toHaveText("Active");
  expect((await provider.subscriptions.retrieve(id)).cancel_at_period_end).toBe(false);
});

test("Refresh status shows changes made elsewhere", async ({ page, openAs }) => {
  const account = await createSubscriber();
  await openAs(account, "/subscriptions");
  const badge = page.locator("[data-status]");
  await expect(badge).toHaveText("Active");
  const id = await providerSubscriptionOf(account);
  await openCardProvider().subscriptions.update(id, { cancel_at_period_end: true });
  await expectSubscription(account, { cancel_at_period_end: true });
  await expect(badge).toHaveText("Active");
  await page.getByRole("button", { name: "Refresh status" }).click();
  await expect(badge).toHaveText("Active, ending");
});

test("the plans can be compared, and there are links to the dashboard and to sign out", async ({
  page,
  openAs,
}) => {
  await openAs(await createSubscriber("onboarded", "mentor-access"), "/subscriptions");
  await page.getByRole("button", { name: "View plans" }).click();
  const plans = page.getByRole("dialog", { name: "Plans" });
  await expect(plans.getByRole("listitem").filter({ hasText: "Your plan" })).toContainText(
    "Mentor Access",
  );
  await expect(plans.getByText("£50")).toBeVisible();
  await plans.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Go to dashboard" }).click();
  await expect(page).toHaveURL(/\/mentordash$/);
  await page.goto("/subscriptions");
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test.describe("a status that asks something says what", () => {
  test("incomplete: the bank has not been answered", async ({ page, openAs }) => {
    const account = await createAccount("signed-up");
    await payForPlan(account.client, "student-access", "pm_card_threeDSecure2Required");
    await expectSubscription(account, { status: "incomplete" });
    await openAs(account, "/subscriptions");
    await expect(page.locator("[data-status]")).toHaveText("Incomplete");
    await expect(
      page.getByText("Your payment is still processing or requires further action."),
    ).toBeVisible();
    await page.getByRole("link", { name: "View plans" }).click();
    await expect(page).toHaveURL(/\/paywall$/);
  });

  test("past due: the last payment failed", async ({ page, openAs }) => {
    const account = await createSubscriber();
    await waitForWebhooks();
    await runAsOwner(
      "update public.stripe_subscriptions set status = 'past_due' where subscription_id = $1",
      [await providerSubscriptionOf(account)],
    );
    await openAs(account, "/subscriptions");
    await expect(page.locator("[data-status]")).toHaveText("Past due");
    await expect(
      page.getByText("Your last payment failed. Please update your payment method."),
    ).toBeVisible();
  });

  test("canceled: the membership is over", async ({ page, openAs }) => {
    const account = await createSubscriber();
    await endMembership(account);
    await openAs(account, "/subscriptions");
    await expect(page.locator("[data-status]")).toHaveText("Cancelled");
    await expect(page.getByText(/Your membership has ended/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel Subscription" })).toHaveCount(0);
  });

  test("none: nothing was ever bought", async ({ page, openAs }) => {
    await openAs(await createAccount("signed-up"), "/subscriptions");
    await expect(page.getByText("You have no plan yet")).toBeVisible();
    await page.getByRole("link", { name: "View plans" }).click();
    await expect(page).toHaveURL(/\/paywall$/);
  });
});

test.describe("when cancelling fails", () => {
  test("because the session ended meanwhile", async ({ page, openAs }) => {
    await openAs(await createSubscriber(), "/subscriptions");
    await page.getByRole("button", { name: "Cancel Subscription" }).click();
    await page.evaluate(() => localStorage.clear());
    await page.getByRole("button", { name: "Yes, cancel" }).click();
    await expect(page.getByText("No active session", { exact: true })).toBeVisible();
  });

  test("because nothing answers: it says so, both ways", async ({ page, openAs }) => {
    const account = await createSubscriber();
    await page.route("**/functions/v1/stripe-*cancel-subscription", (route) => route.abort());
    await openAs(account, "/subscriptions");
    await page.getByRole("button", { name: "Cancel Subscription" }).click();
    await page.getByRole("button", { name: "Yes, cancel" }).click();
    await expect(page.getByText("Failed to cancel subscription", { exact: true })).toBeVisible();
    await expect(page.locator("[data-status]")).toHaveText("Active");

    const id = await providerSubscriptionOf(account);
    await openCardProvider().subscriptions.update(id, { cancel_at_period_end: true });
    await expectSubscription(account, { cancel_at_period_end: true });
    await page.reload();
    await page.getByRole("button", { name: "Keep My Subscription" }).click();
    await expect(page.getByText("Failed to uncancel subscription", { exact: true })).toBeVisible();
  });

  test("because the server refuses: its own words are shown", async ({ page, openAs }) => {
    const account = await createSubscriber();
    await openAs(account, "/subscriptions");
    await page.getByRole("button", { name: "Cancel Subscription" }).click();
    await endMembership(account);
    const answered = page.waitForResponse("**/functions/v1/stripe-cancel-subscription");
    await page.getByRole("button", { name: "Yes, cancel" }).click();
    const { error } = (await (await answered).json()) as { error: string };
    expect(error).not.toBe("");
    await expect(page.getByRole("alert").filter({ hasText: error })).toBeVisible();
  });
});

test.describe("another card", () => {
  test("is approved by the bank and pays from now on", async ({ page, openAs }) => {
    const account = await createSubscriber();
    await openAs(account, "/subscriptions");
    await page.getByRole("button", { name: "Update Card" }).click();
    const form = page.getByRole("region", { name: "Update your card" });
    await fillCard(page, testCards.declined);
    await form.getByRole("button", { name: "Save Card" }).click();
    await expect(form.getByText("Your card was declined.")).toBeVisible();

    await fillCard(page, testCards.needsChallenge);
    await form.getByRole("button", { name: "Save Card" }).click();
    await page
      .frameLocator('iframe[name="stripe-challenge-frame"]')
      .getByRole("button", { name: "Complete authentication" })
      .click();
    await expect(page.getByText("Your new card is saved.")).toBeVisible();
    await expect(page.getByText("Visa ending in 3155")).toBeVisible();
    const held = await openCardProvider().subscriptions.retrieve(
      await providerSubscriptionOf(account),
      {
        expand: ["default_payment_method"],
      },
    );
    expect(held.default_payment_method).toMatchObject({ card: { last4: "3155" } });
  });
});

test.describe("switching plans", () => {
  test("up shows the amount, takes it, and lists its receipt", async ({ page, openAs }) => {
    const account = await createSubscriber();
    await openAs(account, "/subscriptions");
    await page.getByRole("button", { name: "View plans" }).click();
    await page
      .getByRole("dialog", { name: "Plans" })
      .getByRole("button", { name: "Switch to Mentor Access" })
      .click();
    const form = page.getByRole("region", { name: "Switch to Mentor Access" });
    await expect(form.getByText("Due now")).toBeVisible();
    const pay = form.getByRole("button", { name: /^Pay £[\d.]+ and Switch$/ });
    const amount = /£[\d.]+/.exec(await pay.innerText())?.[0] ?? "";
    await expectAccessible(page);
    await pay.click();
    await expect(page.getByText("You're on Mentor Access now.")).toBeVisible();
    await expect(page.getByText("£100 per month")).toBeVisible();
    await waitForWebhooks();
    await page.getByRole("button", { name: "Refresh status" }).click();
    const invoices = page.getByRole("region", { name: "Invoices" }).getByRole("listitem");
    await expect(invoices).toHaveCount(2);
    await expect(invoices.first()).toContainText(amount);

    await invoices
      .first()
      .getByRole("link", { name: /^Receipt/ })
      .click();
    await expect(page.getByRole("heading", { name: "Receipt" })).toBeVisible();
    await expect(page.getByText("Remaining time on Mentor Access")).toBeVisible();
    await expect(page.getByRole("row", { name: /^Paid/ })).toContainText(amount);
    await expect(page.getByText("Visa ending in 4242")).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
    await expect(page.getByRole("heading", { name: "Receipt" })).toBeVisible();
  });

  test("down waits for the period's end, and can be undone", async ({ page, openAs }) => {
    const account = await createSubscriber("onboarded", "mentor-access");
    await openAs(account, "/subscriptions");
    await page.getByRole("button", { name: "View plans" }).click();
    await page
      .getByRole("dialog", { name: "Plans" })
      .getByRole("button", { name: "Switch to Student Access" })
      .click();
    const form = page.getByRole("region", { name: "Switch to Student Access" });
    await expect(form.getByText(/pay nothing now/)).toBeVisible();
    await form.getByRole("button", { name: /^Switch on / }).click();
    await expect(page.getByText(/^You switch to Student Access on /)).toBeVisible();
    await expect(page.getByText("£100 per month")).toBeVisible();
    await page.getByRole("button", { name: "Undo the Switch" }).click();
    await expect(page.getByText(/^You switch to Student Access on /)).toBeHidden();
    const held = await openCardProvider().subscriptions.retrieve(
      await providerSubscriptionOf(account),
    );
    expect(held.schedule).toBeNull();
  });

  test("up asks the bank, and changes nothing when it refuses", async ({ page, openAs }) => {
    const account = await createSubscriber();
    const provider = openCardProvider();
    const id = await providerSubscriptionOf(account);
    const held = await provider.subscriptions.retrieve(id);
    const customer = typeof held.customer === "string" ? held.customer : held.customer.id;
    const card = await provider.paymentMethods.attach("pm_card_authenticationRequired", {
      customer,
    });
    await provider.subscriptions.update(id, { default_payment_method: card.id });
    await openAs(account, "/subscriptions");
    const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
    await page.getByRole("button", { name: "View plans" }).click();
    await page.getByRole("button", { name: "Switch to Mentor Access" }).click();
    const form = page.getByRole("region", { name: "Switch to Mentor Access" });
    await form.getByRole("button", { name: /^Pay / }).click();
    await challenge.getByRole("button", { name: "Fail authentication" }).click();
    await expect(form.getByText(/We are unable to authenticate/)).toBeVisible();
    expect(await provider.subscriptions.retrieve(id)).toMatchObject({ pending_update: null });
    await form.getByRole("button", { name: /^Pay / }).click();
    await challenge.getByRole("button", { name: "Complete authentication" }).click();
    await expect(page.getByText("You're on Mentor Access now.")).toBeVisible();
  });
});

test("the receipt of another member is not found", async ({ page, openAs }) => {
  const [ada, mallory] = [await createSubscriber(), await createSubscriber()];
  await waitForWebhooks();
  const { data } = await ada.client.from("invoices").select("invoice_id").single();
  await openAs(mallory, `/subscriptions/invoices/${String(data?.invoice_id)}`);
  await expect(page.getByText("Invoice not found")).toBeVisible();
});
