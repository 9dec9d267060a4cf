import { createAccount, createSubscriber, seedSession } from "./support/accounts.ts";
import { waitForWebhooks } from "./support/card-provider.ts";
import { fillCard, testCards } from "./support/member-journey.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a member gives three months, and a friend redeems the code at the paywall without a card", async ({
  page,
  browser,
  openAs,
}) => {
  const giver = await createSubscriber();
  await openAs(giver, "/gifts");
  const main = page.getByRole("main");
  await expect(main.getByText("Gifts you buy appear here with their codes.")).toBeVisible();
  await main.getByLabel("Plan").selectOption("Mentor Access");
  await main.getByLabel("How long?").selectOption("3 months, £300");
  await expectAccessible(page);
  await fillCard(page, testCards.declined);
  await main.getByRole("button", { name: "Pay £300" }).click();
  await expect(main.getByText("Your card was declined.")).toBeVisible();
  await fillCard(page, testCards.good);
  await main.getByRole("button", { name: "Pay £300" }).click();
  await expect(main.getByText("Thank you. Your code is below")).toBeVisible();
  await waitForWebhooks();
  const gift = main.getByRole("listitem").filter({ hasText: "Gift: Mentor Access, 3 months" });
  await expect(gift.getByText("Unused")).toBeVisible();
  await expect(gift.getByRole("button", { name: "Copy code: Gift: Mentor Access" })).toBeVisible();
  await expectAccessible(page);
  const code = (await gift.locator("code").textContent()) ?? "";

  const friend = await createAccount("signed-up");
  const window = await browser.newContext({ baseURL: new URL(page.url()).origin });
  await seedSession(window, friend);
  const theirs = await window.newPage();
  await theirs.goto("/paywall");
  await theirs.getByRole("link", { name: "Gifts and gift codes" }).click();
  await theirs.getByRole("button", { name: "Redeem" }).click();
  await expect(theirs.getByText("Enter the code you were given.")).toBeVisible();
  await theirs.getByLabel("Gift code").fill("ABCDE-FGHJK-LMNPQ-RSTUV");
  await theirs.getByRole("button", { name: "Redeem" }).click();
  await expect(
    theirs.getByText("We don't recognise this code. Check it and try again."),
  ).toBeVisible();
  await theirs.getByLabel("Gift code").fill(code.toLowerCase());
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByText(/^Your Mentor Access membership is open until /)).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByRole("link", { name: "Continue" }).click();
  await expect(theirs).toHaveURL(/\/onboarding$/);
  await theirs.goto("/subscriptions");
  await expect(theirs.getByText("Complimentary")).toBeVisible();
  await window.close();

  await page.reload();
  await expect(gift.getByText(/^Used on /)).toBeVisible();
  await expect(gift.locator("code")).toHaveCount(0);
});
