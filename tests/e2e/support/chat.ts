import { randomUUID } from "node:crypto";
import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { runAsOwner, seedSession, createAccount, type Account } from "./accounts.ts";
import { running } from "./running-product.ts";

/** A paying, onboarded member with a name of their own. */
export async function createMember(firstName: string, level: 1 | 2 | 3 | 4 = 1): Promise<Account> {
  const account = await createAccount("onboarded", "student-access", firstName);
  if (level > 1) {
    await runAsOwner(
      "update public.user_levels set current_level = $2, unlocked_levels = $3 where user_id = $1",
      [account.id, level, [0, 1, 2, 3, 4].slice(0, level + 1)],
    );
  }
  return account;
}

/** A room of this test's own, so that tests side by side do not talk into each other. */
export async function createRoom(minLevel = 1): Promise<{ id: string; name: string }> {
  const id = `room-${randomUUID().slice(0, 8)}`;
  const name = `Room ${id.slice(5)}`;
  await runAsOwner(
    `insert into public.chat_rooms (id, name, description, min_level_required)
     values ($1, $2, 'Made for one test.', $3)`,
    [id, name, minLevel],
  );
  return { id, name };
}

/** What opens the rooms of a level in which nobody has written. */
export const quietRooms = /^\d+ quiet rooms?/;

/** A room in which nobody has written, beside one in which the member has: it is folded away. */
export async function createQuietRoom(member: Account): Promise<void> {
  await createRoom();
  const { error } = await member.client
    .from("chat_messages")
    .insert({ user_id: member.id, chat_room_id: "general", content: "Good morning" });
  if (error) throw new Error(error.message);
}

/** A member and their own browser window. */
export interface Visitor {
  account: Account;
  page: Page;
  close: () => Promise<void>;
}

/** Opens a window as the account; what the page throws is thrown when it is closed. */
export async function visit(
  browser: Browser,
  account: Account,
  path: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: running().host.url });
  await seedSession(context, account);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await prepare?.(page);
  await page.goto(path);
  return {
    account,
    page,
    close: async () => {
      await context.close();
      expect(errors).toEqual([]);
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
export async function sendChatMessage(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  // One at a time: while another message is on its way, Enter does nothing.
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(row(page, text)).toHaveAttribute("data-delivery", "saved");
}

/** Waits until the room is on the screen and its live stream stands. */
export async function expectRoom(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("log")).toHaveAttribute("data-live", "live");
}

/** How many members the server counts in the room. */
export async function countParticipants(room: string, asker: Account): Promise<number> {
  const { data, error } = await asker.client
    .from("chat_rooms")
    .select("participant_count")
    .eq("id", room)
    .single<{ participant_count: number }>();
  if (error) throw new Error(error.message);
  return data.participant_count;
}

/** Puts messages into a room as its members would have, a minute apart, the last one a minute ago. */
export async function fillRoom(room: string, authors: Account[], count: number): Promise<void> {
  await runAsOwner(
    `insert into public.chat_messages (user_id, chat_room_id, content, created_at)
     select ($2::uuid[])[1 + g % cardinality($2::uuid[])], $1, 'Message ' || g,
       now() - make_interval(mins => ($3 - g + 1)::integer)
     from generate_series(1, $3::integer) g`,
    [room, authors.map(({ id }) => id), count],
  );
}

/** Tells the page that its tab was hidden or is seen again. */
export async function setVisible(page: Page, visible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    visible ? "visible" : "hidden",
  );
}

/** A network one can cut: requests fail and the live stream is closed until it is mended. */
export interface NetworkSwitch {
  disconnect: () => Promise<void>;
  reconnect: () => Promise<void>;
}

/** Must be laid before the page is opened. */
export async function createNetworkSwitch(page: Page): Promise<NetworkSwitch> {
  let whole = true;
  const sockets = new Set<{ close: () => Promise<void> }>();
  await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
    if (whole) {
      socket.connectToServer();
      sockets.add(socket);
    } else void socket.close();
  });
  return {
    disconnect: async () => {
      whole = false;
      await page.context().setOffline(true);
      for (const socket of sockets) await socket.close();
      sockets.clear();
    },
    reconnect: async () => {
      whole = true;
      await page.context().setOffline(false);
    },
  };
}
