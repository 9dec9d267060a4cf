import type { Page } from "@playwright/test";
import { createAdmin, testPassword } from "./support/accounts.ts";
import { createMember, visit } from "./support/chat.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** What the page shows fits the width of a phone, in both colour schemes, and breaks no rule of axe. */
async function expectFits(page: Page): Promise<void> {
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    // The smallest phone has the rules of the next one, in less width.
    for (const colorScheme of width === 320 ? [] : (["dark", "light"] as const)) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow(), `${width} px`).toBeLessThanOrEqual(0);
  }
}

test("an administrator finds a member, suspends and readmits them, and reads it in the audit log", async ({
  page,
  openAs,
  browser,
}) => {
  test.slow();
  const name = `Quill${Date.now().toString(36)}`;
  const ada = await createMember(name);
  const admin = await createAdmin();
  const theirs = await visit(browser, ada, "/chats");
  await expect(theirs.page.getByRole("heading", { level: 1, name: /chat/i })).toBeVisible();

  await openAs(admin, "/admindash/members");
  await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeVisible();
  await page.getByLabel("Search").fill(name.slice(1).toUpperCase());
  const row = page.getByRole("button", { name: `${name} Whitfield ${ada.email}` });
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(row).toBeVisible();
  await expectFits(page);
  // A phone's first screen is for the members; a desk has the filters beside the search.
  await page.setViewportSize({ width: 390, height: 844 });
  const [role, more] = [
    page.getByLabel("Role"),
    page.getByRole("button", { name: "More filters" }),
  ];
  await expect(role).toBeHidden();
  await more.click();
  await expect(role).toBeVisible();
  await more.click();
  await expect(role).toBeHidden();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(more).toBeHidden();
  await expect(role).toBeVisible();

  // By keyboard alone: open, close, open again.
  await row.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: `${name} Whitfield` });
  await expect(panel.getByText("Student Access")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(row).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel.getByText("Student Access")).toBeVisible();
  await expectFits(page);

  await panel.getByRole("button", { name: "Suspend" }).click();
  await expect(panel.getByText(/renews on .* and is paid/)).toBeVisible();
  await panel.getByLabel("Reason").fill("Sold a course in every room");
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Suspend member" }).click();
  await expect(panel.getByText("Suspended until it is lifted")).toBeVisible();

  // The member's next step ends at the door, which says why.
  await theirs.page.goto("/chats");
  await expect(theirs.page).toHaveURL(/\/auth$/);
  await theirs.page.goto("/signin");
  await theirs.page.getByLabel("Email").fill(ada.email);
  await theirs.page.getByLabel("Password", { exact: true }).fill(testPassword);
  await theirs.page.getByRole("button", { name: "Sign in" }).click();
  await expect(theirs.page.getByText(/Your account is suspended/)).toBeVisible();

  await panel.getByRole("button", { name: "Lift suspension" }).click();
  await panel.getByLabel("Reason").fill("It was a mistake");
  await panel.getByRole("button", { name: "Lift suspension" }).click();
  await expect(panel.getByText("Suspended until it is lifted")).toHaveCount(0);
  await theirs.page.getByRole("button", { name: "Sign in" }).click();
  await expect(theirs.page.getByText("Successfully signed in!")).toBeVisible();
  await theirs.close();

  await panel.getByRole("link", { name: /Everything about this member/ }).click();
  await expect(page).toHaveURL(new RegExp(`/admindash/audit\\?about=${ada.id}$`));
  const log = page.getByRole("table", { name: "Audit log" });
  await expect(log.locator("[data-row]")).toHaveText(["Suspension lifted", "Suspended"]);
  await expectFits(page);
  await log.locator("[data-row]").nth(1).click();
  const entry = page.getByRole("dialog", { name: "Suspended" });
  await expect(entry.getByText("Sold a course in every room")).toBeVisible();
  await expect(entry.getByRole("row", { name: "Suspended no yes" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  expect((await saving).suggestedFilename()).toMatch(/^fourfold-audit-log-[\d-]+\.csv$/);
  await log
    .getByRole("link", { name: `${name} Whitfield` })
    .first()
    .click();
  await expect(panel.getByText("Student Access")).toBeVisible();
});
