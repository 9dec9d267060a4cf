import { randomUUID } from "node:crypto";
import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { asOwner, carrySession, makeAccount, type Account } from "./accounts.ts";
import { running } from "./running.ts";

/** A paying, onboarded member with a name of their own. */
export async function makeMember(firstName: string, level: 1 | 2 | 3 | 4 = 1): Promise<Account> {
  const account = await makeAccount("onboarded");
  const { error } = await account.client
    .from("profiles")
    .update({ first_name: firstName })
    .eq("id", account.id);
  if (error) throw new Error(error.message);
  if (level > 1) {
    await asOwner(
      "update public.user_levels set current_level = $2, unlocked_levels = $3 where user_id = $1",
      [account.id, level, [0, 1, 2, 3, 4].slice(0, level + 1)],
    );
  }
  return account;
}

/** A room of this test's own, so that tests side by side do not talk into each other. */
export async function makeRoom(minLevel = 1): Promise<{ id: string; name: string }> {
  const id = `room-${randomUUID().slice(0, 8)}`;
  const name = `Room ${id.slice(5)}`;
  await asOwner(
    `insert into public.chat_rooms (id, name, description, min_level_required)
     values ($1, $2, 'Made for one test.', $3)`,
    [id, name, minLevel],
  );
  return { id, name };
}

/** Somebody at a window of their own. */
export interface Visitor {
  account: Account;
  page: Page;
  close: () => Promise<void>;
}

/** Opens a window as the account; what the page throws is thrown when it is closed. */
export async function visit(browser: Browser, account: Account, path: string): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: running().host.url });
  await carrySession(context, account);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(path);
  return {
    account,
    page,
    close: async () => {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

/** The messages of the room, as rows. */
export function rows(page: Page): Locator {
  return page.getByRole("log").locator("article");
}

/** The row that says exactly this. */
export function row(page: Page, text: string): Locator {
  return rows(page).filter({ has: page.locator("[data-words]").getByText(text, { exact: true }) });
}

export function field(page: Page): Locator {
  return page.getByRole("textbox", { name: /^Message in/ });
}

/** Says something and waits until the server has it. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press("Enter");
  await expect(row(page, text)).toHaveAttribute("data-delivery", "saved");
}

/** Waits until the room is on the screen and its live stream stands. */
export async function expectRoom(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("log")).toHaveAttribute("data-live", "live");
}
