import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { seedSession, testPassword } from "./support/accounts.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import {
  fillCard,
  fillSignUp,
  onboard,
  paidMessage,
  payByCard,
  payFor,
  testCards,
} from "./support/member-journey.ts";
import { expect, expectAccessible, test as base } from "./support/test.ts";

interface Shop {
  readonly billing: BillingFixture;
  readonly admin: Payer;
}

/** A product of its own: its clock, its prices and its VAT are everybody's. */
const test = base.extend<object, { shop: Shop }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a destructured first argument.
    async ({}, use) => {
      const { billing, stop } = await startOwnBilling();
      const admin = await billing.payer();
      await signInWithSecondFactor(admin.client, admin.email);
      await billing.sql("select private.make_admin($1)", [admin.id]);
      await use({ billing, admin });
      await stop();
    },
    { scope: "worker", timeout: timeLimitMs(120) },
  ],
  baseURL: async ({ shop }, use) => await use(shop.billing.host.url),
});

test.describe.configure({ mode: "serial" });

/** The signed-in account of the page, as its owner would use it elsewhere. */
async function payerOf(billing: BillingFixture, email: string): Promise<Payer> {
  const client = billing.client(billing.host.anonKey);
  const { data } = await client.auth.signInWithPassword({ email, password: testPassword });
  return { id: data.user?.id ?? "", email, client };
}

/** Lets the days since the first payment pass: the law counts by the database's clock, which a test does not move. */
async function paidDaysAgo(billing: BillingFixture, { id }: Payer, days: number): Promise<void> {
  await billing.sql(
    `alter table private.payment_records disable trigger payment_records__append_only;
     update private.payment_records r set happened_at = now() - interval '${days} days'
     from public.stripe_customers c where c.customer_id = r.customer_id and c.user_id = '${id}';
     alter table private.payment_records enable trigger payment_records__append_only`,
    [],
  );
}

/** Opens a document as a member on a phone and at a desk, reads it, and prints it: one sheet, nothing cut. */
async function readDocument(
  browser: Browser,
  { billing, member, path }: { billing: BillingFixture; member: Payer; path: string },
  read: (page: Page) => Promise<void>,
): Promise<void> {
  for (const width of [390, 1440]) {
    const context = await browser.newContext({
      baseURL: billing.host.url,
      viewport: { width, height: 900 },
    });
    await seedSession(context, member);
    const page = await context.newPage();
    await page.goto(path);
    await read(page);
    const overflows = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
    expect(await overflows()).toBe(false);
    await expectAccessible(page);
    await context.close();
  }
  const context = await browser.newContext({
    baseURL: billing.host.url,
    // The width of an A4 sheet between its margins.
    viewport: { width: 718, height: 1000 },
  });
  await seedSession(context, member);
  const page = await context.newPage();
  await page.goto(path);
  await read(page);
  await page.emulateMedia({ media: "print" });
  await read(page);
  expect(
    await page.evaluate(() =>
      [...document.querySelectorAll("main *")]
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
        .map((each) => each.textContent),
    ),
  ).toEqual([]);
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  const margin = "10mm";
  const pdf = await page.pdf({
    format: "A4",
    margin: { top: margin, right: margin, bottom: margin, left: margin },
  });
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  await context.close();
}

test("an owner says who sells and charges VAT, and a visitor reads it", async ({
  page,
  browser,
  shop: { billing, admin },
}) => {
  await seedSession(page.context(), admin);
  await page.goto("/admindash/settings?part=legal");
  await page.getByLabel("Legal name").fill("Fourfold Learning Ltd");
  await page.getByLabel("Address").fill("12 Canal Street\nLeeds LS1 4DY");
  await page.getByLabel("Company number").fill("09876543");
  await page.getByLabel("VAT number").fill("GB123456789");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved. Receipts and emails say it from now on.")).toBeVisible();
  await page.getByLabel("How VAT is charged").selectOption("A fixed rate, included in the price");
  await page.getByRole("button", { name: "Save VAT" }).click();
  await expect(page.getByText("Saved. It counts for payments from now on.")).toBeVisible();
  await expectAccessible(page);

  const visitor = await (await browser.newContext({ baseURL: billing.host.url })).newPage();
  await visitor.goto("/terms");
  const seller = visitor.getByRole("region", { name: "Who we are" });
  await expect(seller.getByText("Fourfold Learning Ltd")).toBeVisible();
  await expect(seller.getByText("VAT number GB123456789")).toBeVisible();
  await visitor.context().close();
});

test("free days ask the bank at sign-up, cost nothing until they end, and then pay by themselves", async ({
  page,
  shop: { billing, admin },
}) => {
  test.setTimeout(timeLimitMs(150));
  const made = await billing.call(admin.client, "admin-coupons", {
    action: "create_trial",
    code: "FORTNIGHT",
    days: 14,
    plan_id: null,
    expires_at: null,
    max_redemptions: null,
    reason: "Workshop",
  });
  expect(made.status).toBe(200);
  await page.goto("/signup?plan=student");
  const email = await fillSignUp(page);
  await page.getByRole("button", { name: "Add a promo code" }).click();
  await page.getByLabel("Code", { exact: true }).fill("FORTNIGHT");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText(/14 days free, then £50 each month\./).first()).toBeVisible();
  await expectAccessible(page);
  await fillCard(page, testCards.needsChallenge);
  await payByCard(page);
  const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
  // A refusal leaves the way open, and no membership.
  await challenge.getByRole("button", { name: "Fail authentication" }).click();
  await expect(page.getByText(/We are unable to authenticate your payment method/)).toBeVisible();
  const ada = await payerOf(billing, email);
  expect(await billing.isMember(ada)).toBe(false);
  await payByCard(page);
  await expectBriefly(page, paidMessage, () =>
    challenge.getByRole("button", { name: "Complete authentication" }).click(),
  );
  await expect(page).toHaveURL(/\/onboarding/);
  await onboard(page);
  expect(await billing.atProvider(ada)).toMatchObject({ paid: [] });
  await page.goto("/subscriptions");
  await expect(page.locator("[data-status]")).toHaveText("On trial");
  await expect(page.getByText(/^Nothing is charged until /)).toBeVisible();

  await billing.advanceClock({ days: 15 });
  await page.goto("/subscriptions");
  await expect(page.locator("[data-status]")).toHaveText("Active");
  expect(await billing.atProvider(ada)).toMatchObject({ paid: [5000] });
});

test("a member withdraws on the third day, and reads and prints the VAT invoice and the credit note", async ({
  page,
  browser,
  shop: { billing },
}) => {
  test.setTimeout(timeLimitMs(180));
  await page.goto("/signup");
  const email = await fillSignUp(page);
  await expect(page.getByText("including 20% VAT").first()).toBeVisible();
  await payFor(page, "Student");
  await expect(page).toHaveURL(/\/onboarding/);
  await onboard(page);
  const ben = await payerOf(billing, email);
  await billing.deliverWebhooks();
  await paidDaysAgo(billing, ben, 2);

  await page.goto("/subscriptions");
  await page.getByText("Buying for a business?").click();
  await page.getByLabel("Business name").fill("Ben & Daughters");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Withdraw from my membership" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Withdraw and refund £50" }).click();
  await expect(page.getByText("You have withdrawn. £50 is on its way back")).toBeVisible();
  await billing.deliverWebhooks();
  expect(await billing.isMember(ben)).toBe(false);
  expect(await billing.atProvider(ben)).toMatchObject({ live: [] });

  await page.reload();
  const list = page.getByRole("region", { name: "VAT invoices and credit notes" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  const pathOf = async (name: RegExp) =>
    (await list.getByRole("link", { name }).getAttribute("href")) ?? "";
  const [invoice, note] = [await pathOf(/VAT invoice/), await pathOf(/Credit note/)];

  await readDocument(browser, { billing, member: ben, path: invoice }, async (shown) => {
    await expect(shown.getByRole("heading", { name: "VAT invoice" })).toBeVisible();
    for (const text of ["Fourfold Learning Ltd", "12 Canal Street", "VAT number GB123456789"]) {
      await expect(shown.getByText(text)).toBeVisible();
    }
    await expect(shown.getByRole("row", { name: /^Net/ })).toContainText("£41.67");
    await expect(shown.getByRole("row", { name: /^VAT at 20%/ })).toContainText("£8.33");
    await expect(shown.getByRole("row", { name: /^Total/ })).toContainText("£50.00");
  });
  await readDocument(browser, { billing, member: ben, path: note }, async (shown) => {
    await expect(shown.getByRole("heading", { name: "Credit note" })).toBeVisible();
    await expect(shown.getByText(invoice.split("/").at(-1) ?? "")).toBeVisible();
    await expect(shown.getByRole("row", { name: /^VAT at 20%/ })).toContainText("£8.33");
    await expect(shown.getByRole("row", { name: /^Credited/ })).toContainText("£50.00");
  });
});

test("an owner changes a price, which members keep and visitors read, and exports the month", async ({
  page,
  browser,
  shop: { billing, admin },
}) => {
  test.setTimeout(timeLimitMs(150));
  const cleo = await billing.memberWith(studentPlan);
  await seedSession(page.context(), admin);
  await page.goto("/admindash/settings?part=plans");
  const plan = page.getByRole("listitem").filter({ hasText: "Student Access" }).first();
  await plan.getByRole("button", { name: "New monthly price" }).click();
  const dialog = page.getByRole("dialog", { name: "New monthly price of Student Access" });
  await dialog.getByLabel("Price for a month").fill("45");
  await dialog.getByLabel("Reason").fill("Spring");
  await dialog.getByRole("button", { name: "Sell for £45 a month" }).click();
  await expect(dialog).toBeHidden();
  await expect(plan.getByText("£45 a month")).toBeVisible();

  const window = await browser.newContext({ baseURL: billing.host.url });
  const visitor = await window.newPage();
  await expect
    .poll(async () => {
      await visitor.goto("/");
      return await visitor.getByText("From £45 a month").count();
    })
    .toBeGreaterThan(0);
  await expect(visitor.getByText("£117")).toHaveCount(0);
  await expect(visitor.getByText("instead of £227")).toHaveCount(1);
  await visitor.getByRole("link", { name: "Start with Student Access" }).click();
  await fillSignUp(visitor);
  await expect(visitor.getByRole("button", { name: "PAY £45" })).toBeVisible();
  await expect(visitor.getByText("Join now and you pay £45 a month")).toBeVisible();
  await window.close();

  const members = await browser.newContext({ baseURL: billing.host.url });
  await seedSession(members, cleo);
  const membership = await members.newPage();
  await membership.goto("/subscriptions");
  await expect(membership.getByText("£50 per month")).toBeVisible();
  await members.close();

  await page.goto("/admindash/money?view=months");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const file = await (await download).path();
  const lines = (await readFile(file, "utf8")).trim().split(/\r?\n/);
  expect(lines[0]).toContain("Charged");
  expect(lines[0]).toContain("VAT");
  expect(lines.length).toBeGreaterThan(1);
});
