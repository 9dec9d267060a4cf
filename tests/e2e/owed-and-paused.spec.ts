import type { BrowserContext, Page } from "@playwright/test";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { seedSession } from "./support/accounts.ts";
import { untilWindowsClosed } from "./support/close-window.ts";
import { fillCard, testCards } from "./support/member-journey.ts";
import { expect, expectAccessible, test as base } from "./support/test.ts";

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

const nextMonth = { months: 1, hours: 2 };

async function onboarded(billing: BillingFixture, name: string, card?: string): Promise<Payer> {
  const ada = await billing.memberWith(studentPlan, card);
  await billing.sql(
    "update public.profiles set onboarding_complete = true, first_name = $2, last_name = 'Quist' where id = $1",
    [ada.id, name],
  );
  return ada;
}

async function openAs(context: BrowserContext, who: Payer, path: string): Promise<Page> {
  await seedSession(context, who);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

/** Sends what waits in the outbox. @returns text of the newest e-mail to this address with this subject. */
async function emailTo(billing: BillingFixture, page: Page, to: string, subject: string) {
  await billing.call(billing.client(billing.host.serviceRoleKey), "send-emails");
  const inbox = await page.request.get("/dev/inbox.json");
  const caught = (await inbox.json()) as { to: string; subject: string; text: string }[];
  const email = caught.find((each) => each.to === to && each.subject === subject);
  expect(caught.map((each) => `${each.to} ${each.subject}`)).toContain(`${to} ${subject}`);
  return email?.text ?? "";
}

test("an owner sees who owes, retries, sends the link, and the member mends the card from the mail", async ({
  page,
  context,
  browser,
  billing,
}) => {
  test.setTimeout(timeLimitMs(120));
  const ada = await onboarded(billing, "Mabel", "pm_card_chargeCustomerFail");
  await billing.advanceClock(nextMonth);
  const admin = await billing.payer();
  await signInWithSecondFactor(admin.client, admin.email);
  await billing.sql("select private.make_admin($1)", [admin.id]);

  await test.step("the owner finds the member, and the card is refused again", async () => {
    await seedSession(context, admin);
    await page.goto("/admindash/money");
    await page.getByLabel("Show").selectOption("failed");
    const list = page.getByRole("region", { name: "Failed payments" });
    await expect(list.getByText("Mabel Quist")).toBeVisible();
    await expect(list.getByText("£50", { exact: true })).toBeVisible();
    await expect(list.getByText(/tried 1 time/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Retry now: Mabel Quist's payment" }).click();
    await expect(page.getByText(/^Declined: /).first()).toBeVisible();
    await page.getByRole("button", { name: "Send link to Mabel Quist" }).click();
    await expect(page.getByText("The email with the link is on its way.")).toBeVisible();
  });

  await test.step("the member mends the card from the mail's link", async () => {
    const window = await browser.newContext({ baseURL: billing.host.url });
    const text = await emailTo(billing, page, ada.email, "Your payment didn't go through");
    const link = /https?:\/\/\S+\/subscriptions\?card=update/.exec(text)?.[0] ?? "";
    const member = await openAs(window, ada, link);
    await expect(member.locator("[data-status]")).toHaveText("Past due");
    const form = member.getByRole("region", { name: "Update your card" });
    await expect(form).toBeVisible();
    await fillCard(member, testCards.good);
    await form.getByRole("button", { name: "Save Card" }).click();
    await expect(
      member.getByText("Your new card is saved and the outstanding payment has gone through."),
    ).toBeVisible();
    await expect(member.locator("[data-status]")).toHaveText("Active");
    await window.close();
  });

  await test.step("nothing is owed any more", async () => {
    await billing.deliverWebhooks();
    await page.reload();
    await expect(page.getByText("Nothing is owed")).toBeVisible();
  });
});

test("a member pauses, is away without a charge, and comes back with two clicks", async ({
  page,
  context,
  billing,
}) => {
  test.setTimeout(timeLimitMs(120));
  const ada = await onboarded(billing, "Nora");
  await seedSession(context, ada);
  const pause = page.getByRole("region", { name: "Need a break?" });

  await test.step("plans a pause and calls it off", async () => {
    await page.goto("/subscriptions");
    await pause.getByRole("button", { name: "Pause my membership" }).click();
    const question = page.getByRole("alertdialog", { name: "Pause your membership?" });
    await expect(question).toContainText("because you've paid for it");
    await expect(question).toContainText("doesn't count towards the guarantee");
    await question.getByLabel("How long?").selectOption({ index: 1 });
    await expectAccessible(page);
    await question.getByRole("button", { name: "Pause it" }).click();
    const planned = page.getByRole("region", { name: "A pause is planned" });
    await expect(planned).toBeVisible();
    await expect(page.getByText("Pauses on", { exact: true })).toBeVisible();
    await planned.getByRole("button", { name: "Don't pause" }).click();
    await expect(pause).toBeVisible();
    await expect(page.getByText("Renews on", { exact: true })).toBeVisible();
  });

  await test.step("pauses when the paid month is over", async () => {
    await pause.getByRole("button", { name: "Pause my membership" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Pause it" }).click();
    await expect(page.getByRole("region", { name: "A pause is planned" })).toBeVisible();
    await untilWindowsClosed(page);
    await page.goto("/chats");
    await expect(page.getByText("Chat rooms are for active members.")).toHaveCount(0);
    await billing.advanceClock(nextMonth);
    await page.goto("/paywall");
    await expect(page.getByText("Your membership is paused and nothing is charged.")).toBeVisible();
    await expect(page.getByRole("button", { name: /^PAY/ })).toHaveCount(0);
    const mail = await emailTo(billing, page, ada.email, "Your membership is paused");
    expect(mail).toContain("It continues automatically on");
    await page.getByRole("link", { name: "Resume my membership" }).click();
    await expect(page).toHaveURL(/\/subscriptions$/);
    await expect(page.locator("[data-status]")).toHaveText("Paused");
    await expectAccessible(page);
  });

  await test.step("comes back for the price there was", async () => {
    await page.getByRole("button", { name: "Resume my membership" }).click();
    const question = page.getByRole("alertdialog", { name: "Resume your membership now?" });
    await expect(question).toContainText("We charge £50 per month");
    await question.getByRole("button", { name: "Resume and pay" }).click();
    await expect(page.locator("[data-status]")).toHaveText("Active");
    const invoices = page.getByRole("region", { name: "Invoices" }).getByRole("listitem");
    await expect(invoices).toHaveText([/£50Paid/, /£50Paid/]);
  });
});
