import { createAccount, createAdminWithCodes, newEmail, runAsOwner } from "./support/accounts.ts";
import { waitForWebhooks } from "./support/card-provider.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import { fillCard, fillSignUp, paidMessage, payByCard } from "./support/member-journey.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** No other test pays with it: a card that another account used before earns nothing. */
const cardOfThisTest = "5555555555554444";

test("a link brings a member, earns a commission, and an administrator marks its payout", async ({
  page,
  browser,
}) => {
  const affiliate = await createAccount("onboarded");
  const mine = await openWindow(browser, affiliate, "/affiliates");
  const link = await mine.getByRole("textbox", { name: "Your link" }).inputValue();
  await expect(mine.getByRole("img", { name: "QR code of your link" })).toBeVisible();
  await expect(mine.getByText("Nothing earned yet")).toBeVisible();
  await expectAccessible(mine);

  // Without consent nothing is remembered.
  await page.goto(link);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Continue without" }).click();
  await expect(page).toHaveURL(/\/$/);
  expect(await page.evaluate(() => localStorage.getItem("affiliate-visit"))).toBeNull();

  await page.goto(link);
  await page.getByRole("button", { name: "Remember and continue" }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/signup");
  const email = newEmail();
  await fillSignUp(page, email);
  await expect(page.getByRole("heading", { name: "Choose Your Plan" })).toBeVisible();
  await expect
    .poll(async () => await page.evaluate(() => localStorage.getItem("affiliate-visit")))
    .toBeNull();
  await fillCard(page, cardOfThisTest);
  await expectBriefly(page, paidMessage, () => payByCard(page));
  await waitForWebhooks();

  await mine.reload();
  const figures = mine.getByRole("definition");
  await expect(figures).toHaveText(["1", "1", "1", "£10", "£0", "£0"]);
  const line = mine.getByRole("table", { name: "Commissions" }).getByRole("row").nth(1);
  await expect(line).toContainText("Pending");
  await expect(line).toContainText("£10");
  await expect(mine.getByText(email)).toHaveCount(0);

  await runAsOwner(
    `update private.commissions k set payable_at = now() from private.affiliates a
     where a.affiliate_id = k.affiliate_id and a.user_id = $1`,
    [affiliate.id],
  );
  await runAsOwner("select private.release_commissions()", []);
  const { admin, nextCode } = await createAdminWithCodes();
  const office = await openWindow(browser, admin, "/admindash/money?view=payouts");
  const owed = office.getByRole("row").filter({ hasText: "£10" });
  await owed.getByRole("button").click();
  const panel = office.getByRole("dialog");
  await expect(panel.getByText(affiliate.email)).toBeVisible();
  await expectAccessible(office);
  await panel.getByLabel("Reference of the transfer").fill("FPS 20261123-1");
  await panel.getByLabel("Code from your authenticator app").fill(nextCode());
  await panel.getByRole("button", { name: "Mark £10 as paid" }).click();
  await expect(office.getByText(/£10 to .* is marked as paid\./)).toBeVisible();

  await mine.reload();
  await expect(figures).toHaveText(["1", "1", "1", "£0", "£0", "£10"]);
  await expect(mine.getByText("FPS 20261123-1")).toBeVisible();
  // On paper: whose it is, the months and the transfers, and nothing else of the page.
  const onScreenOnly = [
    mine.getByRole("button", { name: "Print the statement" }),
    mine.getByRole("textbox", { name: "Your link" }),
    mine.getByRole("table", { name: "Commissions" }),
    mine.getByRole("heading", { level: 1 }),
    mine.getByRole("navigation").first(),
  ];
  const head = mine.getByText("Fourfold affiliate statement");
  for (const each of onScreenOnly) await expect(each).toBeVisible();
  await expect(head).toBeHidden();
  await mine.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(head).toBeVisible();
  await expect(mine.getByRole("table", { name: "Monthly statement" })).toBeVisible();
  await expect(mine.getByText("FPS 20261123-1")).toBeVisible();
  for (const each of onScreenOnly) await expect(each).toBeHidden();
  await expect(mine.locator(":root")).toHaveCSS("color-scheme", "light");
  await mine.emulateMedia({ media: "screen", colorScheme: "light" });
  await mine.goto("/studentdash");
  const own = mine.getByLabel("Your figures", { exact: true });
  await expect(own).toContainText("Affiliate links1");
  await expect(own).toContainText("Profits£10");
});
