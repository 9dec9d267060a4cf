import type { Page } from "@playwright/test";
import { paths } from "../../supabase/functions/_shared/product/paths.ts";
import { createAccount, createAdmin, testPassword, type Account } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";
import { translatePage } from "./support/translate-page.ts";

test.beforeEach(async ({ page }) => await translatePage(page));

const failure = "Unexpected Application Error!";

/** The error page says it in the tab's title, which is not translated. */
async function expectNoFailure(page: Page): Promise<void> {
  expect(await page.title()).not.toContain(failure);
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(password);
  await page.locator("form button[type=submit]").click();
}

test("a translated sign-in says that the password is wrong, and takes the right one", async ({
  page,
}) => {
  const { email } = await createAccount("onboarded");
  await page.goto("/signin");
  await expect(page.locator("h1 font").first()).toBeVisible();
  await signIn(page, email, "Wrong-Horse-11!");
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expectNoFailure(page);
  await signIn(page, email, testPassword);
  await expect(page).toHaveURL(/\/studentdash$/);
  await expectNoFailure(page);
});

test("a translated sign-up says which field is wrong", async ({ page }) => {
  await page.goto("/signup");
  await expect(page.locator("h1 font").first()).toBeVisible();
  const email = page.locator("input[type=email]");
  await email.fill("x");
  await email.press("Enter");
  await email.fill("x@");
  await email.fill("x@example.test");
  await page.locator("input[type=password]").first().fill(testPassword);
  await page.locator("input[type=password]").last().fill("other");
  await page.locator("input[type=password]").last().fill(testPassword);
  await expect(page.locator("form button[type=submit]")).toBeEnabled();
  await expectNoFailure(page);
});

test("translated rooms can be changed, and a translated membership cancelled", async ({
  page,
  openAs,
}) => {
  await openAs(await createAccount("onboarded"), "/chats/general");
  for (const room of ["motivation", "success", "general"]) {
    await page.locator(`a[href="/chats/${room}"]`).first().click();
    await expect(page).toHaveURL(new RegExp(`/chats/${room}$`));
    await expect(page.locator("textarea").first()).toBeVisible();
    await expectNoFailure(page);
  }
  await page.locator("textarea").first().fill("Guten Morgen");
  await page.locator("textarea").first().press("Enter");
  await expect(page.getByRole("log").getByText(/G.ten Morgen/)).toBeVisible();
  await page.goto("/subscriptions");
  await expect(page.locator("[data-status]")).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("button")
    .filter({ hasText: /S.bscription$/ })
    .first()
    .click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.getByRole("alertdialog").getByRole("button").last().click();
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await expect(page.locator("[data-status]")).toBeVisible();
  await expectNoFailure(page);
});

/** Errors that React caught and recovered from, or that ended a page. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (/NotFoundError|React Router caught|Failed to execute '/.test(text)) errors.push(text);
  });
  return errors;
}

/** Leads from page to page without loading anew, as links do, and waits until each has all it asked for. */
async function walk(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await test.step(address, async () => {
      await page.evaluate((path) => {
        document.querySelector("h1")?.setAttribute("data-left", "");
        // As the browser does it: the app's own calls go through a history that it watches.
        History.prototype.pushState.call(history, null, "", path);
        dispatchEvent(new PopStateEvent("popstate"));
      }, address);
      await expect(page.locator("h1:not([data-left])").first()).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expectNoFailure(page);
    });
  }
}

const everybody = [paths.chats, "/chats/general", paths.messages, paths.submissions];
const viewers: readonly {
  readonly who: string;
  readonly make: () => Promise<Account>;
  readonly home: string;
  readonly addresses: readonly string[];
}[] = [
  {
    who: "a student",
    make: () => createAccount("onboarded"),
    home: paths.studentDashboard,
    addresses: [
      ...everybody,
      paths.newSubmission,
      paths.pacts,
      paths.newPact,
      paths.collaborate,
      paths.members,
      paths.progress,
      paths.achievements,
      paths.affiliates,
      paths.account,
      paths.subscriptions,
      paths.yourCourses,
      paths.verification,
      paths.guarantee,
      paths.verify,
      paths.studentDashboard,
    ],
  },
  {
    who: "a mentor",
    make: () => createAccount("onboarded", "mentor-access"),
    home: paths.mentorDashboard,
    addresses: [
      ...everybody,
      paths.studio,
      paths.studioImport,
      paths.studioAnalytics,
      paths.training,
      paths.studioSelling,
      paths.account,
      paths.mentorDashboard,
    ],
  },
  {
    who: "an administrator",
    make: () => createAdmin(),
    home: paths.adminDashboard,
    addresses: [
      paths.adminQueues,
      paths.adminMembers,
      paths.adminContent,
      paths.adminMoney,
      paths.adminSettings,
      paths.adminAudit,
      "/knowledge/foundations",
      "/knowledge/courses",
      paths.adminDashboard,
    ],
  },
  {
    who: "a new account",
    make: () => createAccount("signed-up"),
    home: paths.paywall,
    addresses: [paths.guarantee, paths.verify, paths.paywall],
  },
];

for (const { who, make, home, addresses } of viewers) {
  test(`${who} walks through all pages translated, there and back`, async ({ page, openAs }) => {
    const errors = watchErrors(page);
    await openAs(await make(), home);
    await expect(page.locator("h1").first()).toBeVisible();
    await walk(page, addresses);
    await walk(page, addresses.toReversed().slice(1));
    expect(errors).toEqual([]);
  });
}

test("a visitor walks through all pages translated", async ({ page }) => {
  const errors = watchErrors(page);
  await page.goto(paths.auth);
  await expect(page.locator("h1 font").first()).toBeVisible();
  const addresses = [paths.signUp, paths.signIn, paths.adminSignIn, paths.resetPassword];
  await walk(page, [...addresses, paths.guarantee, paths.verify, paths.auth, ...addresses]);
  expect(errors).toEqual([]);
});
