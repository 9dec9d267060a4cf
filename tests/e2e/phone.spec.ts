import type { Locator, Page } from "@playwright/test";
import { createAccount } from "./support/accounts.ts";
import { fillRoom } from "./support/chat.ts";
import { createSubmission, recordProgressOf } from "./support/progress-events.ts";
import { expect, test } from "./support/test.ts";

test.use({ viewport: { width: 390, height: 844 } });

/** Opens something, closes it by Back, and asserts that the page is still the same. */
async function expectBackCloses(page: Page, opener: Locator, window: Locator): Promise<void> {
  const address = page.url();
  await opener.click();
  await expect(window).toBeVisible();
  // The entry is there when Back would stay on the page.
  await page.waitForFunction(() => JSON.stringify(history.state).includes("openWindows"));
  await page.goBack();
  await expect(window).toBeHidden();
  await expect(page).toHaveURL(address);
}

test("Back on a phone closes what is open, and then leaves the page", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  // A room in which nobody has written may be folded away.
  await fillRoom("general", [account], 1);
  await openAs(account, "/studentdash");
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: /Chats$/ }).click();
  // Home leads to the room too, past the list of rooms.
  await expect(page).toHaveURL("/chats");
  await page
    .getByRole("link", { name: /General/ })
    .first()
    .click();
  await expect(page).toHaveURL("/chats/general");
  const field = page.getByRole("textbox", { name: /General/ });
  await field.fill("Half a thought");
  await expectBackCloses(
    page,
    page.getByRole("button", { name: /here/i }),
    page.getByRole("dialog", { name: "Who's here" }),
  );
  await expect(field).toHaveValue("Half a thought");
  await expectBackCloses(
    page,
    page.getByRole("button", { name: /^Notifications/ }),
    page.getByRole("dialog", { name: "Notifications" }),
  );
  await expectBackCloses(
    page,
    page.getByRole("banner").getByRole("button", { name: /^Search/ }),
    page.getByRole("dialog", { name: "Search" }),
  );

  // A room has no tabs below it; its list has. A menu in a sheet: first the menu closes, then the sheet.
  await page.goBack();
  await expect(page).toHaveURL("/chats");
  const more = page.getByRole("dialog", { name: "More" });
  await main.getByRole("button", { name: "More", exact: true }).click();
  await expectBackCloses(
    page,
    more.getByRole("button", { name: /^Account of/ }),
    page.getByRole("menu"),
  );
  await expect(more).toBeVisible();
  await page.goBack();
  await expect(more).toBeHidden();
  await expect(page).toHaveURL("/chats");

  // A link in it leads on, and one Back returns.
  await main.getByRole("button", { name: "More", exact: true }).click();
  await more.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("heading", { name: "Account", level: 1 })).toBeVisible();
  // As long as the sheet is there, Back closes the sheet.
  await expect(more).toBeHidden();
  await page.waitForFunction(() => !JSON.stringify(history.state).includes("openWindows"));
  await page.goBack();
  await expect(page).toHaveURL("/chats");

  // Loaded anew with the sheet open, the page comes without the sheet, and no Back is spent on it.
  await main.getByRole("button", { name: "More", exact: true }).click();
  await page.waitForFunction(() => JSON.stringify(history.state).includes("openWindows"));
  await page.reload();
  await expect(main.getByRole("button", { name: "More", exact: true })).toBeVisible();
  await page.waitForFunction(() => !JSON.stringify(history.state).includes("openWindows"));
  await expect(more).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL("/studentdash");
});

test("a level is celebrated in one tab, and Back puts that aside", async ({
  page,
  openAs,
  context,
}) => {
  const account = await createAccount("onboarded");
  await recordProgressOf(account, "room_opened", 1, 5);
  await recordProgressOf(account, "message", 1, 49);
  await createSubmission(account, "Week one");
  await createSubmission(account, "Week two");
  await createSubmission(account, "Week three");
  await openAs(account, "/studentdash");
  const tabs = [page, await context.newPage()];
  for (const tab of tabs) {
    await tab.goto("/studentdash");
    await expect(tab.getByText("1 more towards Level 2")).toBeVisible();
    await tab
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /Chats$/ })
      .click();
    await tab
      .getByRole("navigation", { name: "Chats" })
      .getByRole("link", { name: /^Messages/ })
      .click();
    await expect(tab).toHaveURL("/messages");
  }
  await recordProgressOf(account, "like", 1, 1);
  const moments = tabs.map((tab) => tab.getByRole("region", { name: "Level up" }));
  const celebrating = async () => {
    const shown = await Promise.all(moments.map(async (moment) => await moment.isVisible()));
    return tabs.filter((_tab, index) => shown[index]);
  };
  for (const tab of tabs) await expect(tab.getByText("Level 2:").first()).toBeAttached();
  await expect.poll(async () => (await celebrating()).length).toBe(1);
  const [tab = page] = await celebrating();
  await tab.waitForFunction(() => JSON.stringify(history.state).includes("openWindows"));
  await tab.goBack();
  await expect.poll(async () => (await celebrating()).length).toBe(0);
  await expect(tab).toHaveURL("/messages");
});

test("messages stay readable beside a keyboard on a phone's side, two keys from the message field", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 844, height: 220 });
  const account = await createAccount("onboarded");
  await fillRoom("general", [account], 1);
  await openAs(account, "/chats");
  await page
    .getByRole("link", { name: /General/ })
    .first()
    .click();
  const field = page.getByRole("textbox", { name: /General/ });
  await expect(field).toBeVisible();
  for (const height of [220, 180]) {
    await page.setViewportSize({ width: 844, height });
    const list = await page.getByRole("log").boundingBox();
    expect(list?.height ?? 0).toBeGreaterThan(height / 4);
    const box = await field.boundingBox();
    expect((box?.y ?? height) + (box?.height ?? height)).toBeLessThanOrEqual(height);
  }
  await expect(page.locator("#main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Skip to the message field" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
});
