import { Stripe } from "stripe";
import { createAccount, createSubscriber } from "./support/accounts.ts";
import { running } from "./support/running-product.ts";
import { expectBriefly, expectNavigationThrough } from "./support/expect-briefly.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { testCards, fillCard, paidMessage, payByCard } from "./support/member-journey.ts";

const failures = [
  ["declined", testCards.declined, "Your card was declined."],
  ["short of funds", testCards.insufficient, "Your card has insufficient funds."],
  ["expired", testCards.expired, "Your card has expired."],
  ["sent with a wrong code", testCards.wrongCvc, "Your card's security code is incorrect."],
] as const;

for (const [title, number, message] of failures) {
  test(`a card that is ${title} is refused, and another one works`, async ({ page, openAs }) => {
    const account = await createAccount("signed-up");
    await openAs(account, "/paywall");
    await fillCard(page, number);
    await payByCard(page);
    await expect(page.getByText(`${message} You haven't been charged.`)).toBeVisible();
    await expect(page).toHaveURL(/\/paywall$/);
    // The card field is the frame of the provider's script.
    await expect(page.getByRole("group", { name: "Card details" }).locator("iframe")).toBeFocused();
    await fillCard(page, testCards.good);
    await expectNavigationThrough(page, /\/success$/, () => payByCard(page));
    const { data } = await account.client.from("stripe_subscriptions").select("status");
    expect(data?.filter(({ status }) => status === "active")).toHaveLength(1);
  });
}

test("an incomplete card never leaves the page", async ({ page, openAs }) => {
  await openAs(await createAccount("signed-up"), "/paywall");
  await fillCard(page, "4242");
  await payByCard(page);
  await expect(page.getByText("Please complete your card information.")).toBeVisible();
});

test("on a phone PAY is in reach from the first screen on, and hides nothing at the end", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(await createAccount("signed-up"), "/paywall");
  const button = page.getByRole("button", { name: /^PAY £/ });
  await expect(button).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("Student Access, due today")).toBeInViewport();
  // Before the provider's script has come PAY says so, until it is there.
  await expect(page.getByRole("group", { name: "Card details" }).locator("iframe")).toBeVisible();
  await button.click();
  const problem = page.getByText("Please complete your card information.");
  await expect(problem).toBeInViewport();
  const last = page.getByRole("link", { name: "Gifts and gift codes" });
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const foot = await last.boundingBox();
  const bar = await page.locator("[data-pay-bar]").boundingBox();
  expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
});

test("on a phone only the chosen plan's list stands above the card, and what was asked for", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(await createAccount("signed-up"), "/paywall");
  const [student, mentor] = [
    page.getByText("Everything members get:"),
    page.getByText("Everything in Student Access, plus:"),
  ];
  await expect(student).toBeVisible();
  await expect(mentor).toBeHidden();
  await expect(page.getByText("£100", { exact: true })).toBeVisible();
  const ask = page.getByRole("button", { name: "What's included in Mentor Access" });
  await ask.click();
  await expect(mentor).toBeVisible();
  await expect(page.getByRole("radio", { name: /^Student Access/ })).toBeChecked();
  await ask.click();
  await expect(mentor).toBeHidden();
  await page.getByRole("radio", { name: /^Mentor Access/ }).check();
  await expect(mentor).toBeVisible();
  await expect(student).toBeHidden();
  await expectAccessible(page);
  await page.setViewportSize({ width: 800, height: 844 });
  await expect(student).toBeVisible();
});

test("3-D Secure: the accepted challenge ends in a membership", async ({ page, openAs }) => {
  await openAs(await createAccount("signed-up"), "/paywall");
  await fillCard(page, testCards.needsChallenge);
  await payByCard(page);
  const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
  await expectBriefly(page, paidMessage, () =>
    challenge.getByRole("button", { name: "Complete authentication" }).click(),
  );
  await expect(page).toHaveURL(/\/onboarding/);
});

test("3-D Secure: the refused challenge says so and leaves the way open", async ({
  page,
  openAs,
}) => {
  await openAs(await createAccount("signed-up"), "/paywall");
  await fillCard(page, testCards.needsChallenge);
  await payByCard(page);
  const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
  await challenge.getByRole("button", { name: "Fail authentication" }).click();
  await expect(page.getByText(/We are unable to authenticate your payment method/)).toBeVisible();
  await fillCard(page, testCards.good);
  await expectNavigationThrough(page, /\/success$/, () => payByCard(page));
});

test("two clicks on PAY make one subscription and one charge", async ({ page, openAs }) => {
  const account = await createAccount("signed-up");
  await openAs(account, "/paywall");
  await fillCard(page, testCards.good);
  await expectNavigationThrough(page, /\/success$/, () =>
    page.getByRole("button", { name: /^PAY/ }).dblclick(),
  );
  const { data } = await account.client.from("stripe_subscriptions").select();
  expect(data).toHaveLength(1);
});

test.describe("when something is missing", () => {
  test("the provider's script does not load: Retry brings the form back", async ({
    page,
    openAs,
  }) => {
    let blocked = true;
    await page.route("**/sandbox/stripe/v3/**", async (route) => {
      await (blocked ? route.abort() : route.continue());
    });
    await openAs(await createAccount("signed-up"), "/paywall");
    await expect(page.getByText("Payment System Error")).toBeVisible();
    await expect(
      page.getByText(
        "Failed to load the payment library. Please check your publishable key and try again.",
      ),
    ).toBeVisible();
    blocked = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await fillCard(page, testCards.good);
  });

  test("the script loads but is not the library", async ({ page, openAs }) => {
    await page.route("**/sandbox/stripe/v3/", async (route) => {
      await route.fulfill({ contentType: "text/javascript", body: "" });
    });
    await openAs(await createAccount("signed-up"), "/paywall");
    await expect(page.getByText("Payment library not available")).toBeVisible();
    await expect(
      page.getByText("It failed to initialize. Please refresh the page and try again."),
    ).toBeVisible();
  });

  test("the server fails: its text is shown and nothing is charged", async ({ page, openAs }) => {
    await page.route("**/functions/v1/stripe-create-subscription-direct", async (route) => {
      await route.fulfill({ status: 500, json: { error: "The payment service is resting." } });
    });
    await openAs(await createAccount("signed-up"), "/paywall");
    await fillCard(page, testCards.good);
    await payByCard(page);
    await expect(page.getByText("The payment service is resting.")).toBeVisible();
  });

  test("the session ended meanwhile", async ({ page, openAs }) => {
    await openAs(await createAccount("signed-up"), "/paywall");
    await fillCard(page, testCards.good);
    await page.evaluate(() => localStorage.clear());
    await payByCard(page);
    await expect(page.getByText("No active session. Please sign in again.")).toBeVisible();
  });
});

test("a lapsed member is led back to the paywall", async ({ page, openAs }) => {
  const account = await createSubscriber();
  const { data } = await account.client
    .from("stripe_customers")
    .select("customer_id")
    .single<{ customer_id: string }>();
  const { apiBase, secretKey } = running().sandbox;
  const { hostname, port } = new URL(apiBase);
  const provider = new Stripe(secretKey, { host: hostname, port, protocol: "http" });
  const bought = await provider.subscriptions.list({ customer: data?.customer_id ?? "" });
  await provider.subscriptions.cancel(bought.data[0]?.id ?? "");
  await expect
    .poll(async () => {
      const rows = await account.client.from("stripe_subscriptions").select("status");
      return rows.data?.[0]?.status as string | undefined;
    })
    .toBe("canceled");
  await openAs(account, "/studentdash");
  await expect(page).toHaveURL(/\/paywall$/);
});
