import type { Page } from "@playwright/test";
import { createAccount } from "./support/accounts.ts";
import { builtCodeOf } from "./support/built-code.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

async function expectErrorPage(page: Page): Promise<void> {
  await expect(
    page.getByRole("heading", { level: 1, name: "Unexpected Application Error!" }),
  ).toBeVisible();
  await expect(page).toHaveTitle(/^Unexpected Application Error!/);
  await expect(page.getByRole("link", { name: /@/ })).toHaveAttribute("href", /^mailto:/);
}

test("a render failure shows the error page with a way home", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  let malformed = true;
  await page.route("**/rest/v1/stripe_subscriptions*", async (route) => {
    const answer = await route.fetch();
    const rows = (await answer.json()) as Record<string, unknown>[];
    const json = rows.map((row) => ({ ...row, current_period_end: "soon" }));
    await (malformed ? route.fulfill({ response: answer, json }) : route.continue());
  });
  await openAs(account, "/subscriptions");
  await expectErrorPage(page);
  await expectAccessible(page);

  await page.getByRole("link", { name: "Go home" }).click();
  await expect(page).toHaveURL(/\/studentdash$/);
  await expect(page.getByRole("heading", { name: /Amara/ }).first()).toBeVisible();

  malformed = false;
  await page.goto("/subscriptions");
  await expect(page.getByRole("heading", { name: "Membership" })).toBeVisible();
  await expect(page.getByText("Student Access")).toBeVisible();
});

test("a tab that was open during a release loads the next page in full", async ({
  page,
  openAs,
}) => {
  await openAs(await createAccount("onboarded"), "/studentdash");
  await page
    .getByRole("button", { name: /^Account of/ })
    .first()
    .click();
  let asked = 0;
  await page.route(await builtCodeOf("account/pages/account-page.tsx"), async (route) => {
    asked += 1;
    await (asked === 1 ? route.fulfill({ status: 404, body: "Not found" }) : route.continue());
  });
  await page.getByRole("menuitem", { name: "Account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Account" })).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
});

test("a window whose code a release replaced loads the page in full, with what was typed", async ({
  page,
  openAs,
}) => {
  await openAs(await createAccount("onboarded"), "/learning/create");
  await page.getByRole("radio", { name: /Success/ }).check();
  await page.getByLabel("Title", { exact: true }).fill("Half a title");
  await page.getByLabel("Content").fill("Half a text");
  let asked = 0;
  await page.route(await builtCodeOf("search/components/search-palette.tsx"), async (route) => {
    asked += 1;
    await (asked === 1 ? route.fulfill({ status: 404, body: "Not found" }) : route.continue());
  });
  const search = page.getByRole("banner").getByRole("button", { name: /^Search/ });
  const loaded = page.waitForEvent("load");
  await search.click();
  await loaded;
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Half a title");
  await expect(page.getByLabel("Content")).toHaveValue("Half a text");
  await search.click();
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
});

for (const [address, code, title] of [
  ["/account", "account/pages/account-page.tsx", "Account"],
  // Home is also asked for before it is known whether it opens.
  ["/studentdash", "dashboards/pages/member-dashboard.tsx", /^Welcome/],
] as const) {
  test(`${address} shows it too when its code is gone, and reloading helps`, async ({
    page,
    openAs,
  }) => {
    const account = await createAccount("onboarded");
    let gone = true;
    await page.route(await builtCodeOf(code), async (route) => {
      await (gone ? route.fulfill({ status: 404, body: "Not found" }) : route.continue());
    });
    await openAs(account, address);
    await expectErrorPage(page);
    gone = false;
    await page.getByRole("button", { name: "Reload the page" }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  });
}

test("a page that was never loaded waits offline for the connection and opens with it", async ({
  page,
  context,
  openAs,
}) => {
  await openAs(await createAccount("onboarded"), "/studentdash");
  await page
    .getByRole("button", { name: /^Account of/ })
    .first()
    .click();
  const account = page.getByRole("menuitem", { name: "Account" });
  await expect(account).toBeVisible();
  await context.setOffline(true);
  await account.click();
  await expect(page.getByRole("alert")).toContainText("This page opens when you're back online.");
  await expect(page).toHaveTitle(/^You're offline/);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Account" })).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
});
