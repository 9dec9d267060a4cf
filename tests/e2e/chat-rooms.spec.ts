import type { Locator, Page } from "@playwright/test";
import {
  countParticipants,
  createMember,
  createQuietRoom,
  createRoom,
  expectRoom,
  fillRoom,
  quietRooms,
  row,
  rows,
  sendChatMessage,
  setVisible,
  visit,
} from "./support/chat.ts";
import { expect, test } from "./support/test.ts";

function listHeading(page: Page): Locator {
  return page.getByRole("heading", { level: 1, name: "Chat rooms" });
}

test.describe("the list of rooms", () => {
  test("shows the level, what is open and what is locked", async ({ page, openAs }) => {
    const ada = await createMember("Ada");
    await createQuietRoom(ada);
    await openAs(ada, "/chats");
    await expect(listHeading(page)).toBeVisible();
    await expect(page.getByRole("region", { name: "Level Advancements" })).toBeVisible();
    const main = page.getByRole("main");
    await main.getByRole("button", { name: quietRooms }).click();
    for (const name of ["General", "Accountability", "Motivation", "Productivity", "Success"]) {
      await expect(main.getByRole("link", { name: new RegExp(`^${name}`) })).toBeVisible();
    }
    for (const [level, name] of [
      [2, "Reading Circle"],
      [3, "First Clients"],
      [4, "Investing"],
    ] as const) {
      const locked = main.locator("[data-locked]").filter({ hasText: name });
      await expect(locked).toContainText(`Unlock at Level ${level}`);
      await expect(main.getByRole("link", { name: new RegExp(`^${name}`) })).toHaveCount(0);
    }
    await expect(main.getByText(/to unlock more rooms/)).toBeVisible();
  });

  test("at level 4 everything is open and nothing is left to unlock", async ({ page, openAs }) => {
    await openAs(await createMember("Tom", 4), "/chats");
    await expect(page.getByRole("main").getByRole("link", { name: /^Investing/ })).toBeVisible();
    await expect(page.getByText(/Unlock at Level/)).toHaveCount(0);
    await expect(page.getByText(/to unlock more rooms/)).toHaveCount(0);
  });

  test("counts what is unread, until it was read", async ({ page, openAs }) => {
    const room = await createRoom();
    const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
    await openAs(ada, `/chats/${room.id}`);
    await expectRoom(page, room.name);
    await sendChatMessage(page, "I was here");
    // The switcher beside the conversation has the same links.
    const list = page.getByRole("link", { name: "All chat rooms" });
    await list.click();
    await expect(listHeading(page)).toBeVisible();
    const entry = page.getByRole("link", { name: new RegExp(`^${room.name}`) });
    await expect(entry).toBeVisible();
    await expect(entry).not.toContainText("unread");
    for (const content of ["One", "Two"]) {
      const { error } = await ben.client
        .from("chat_messages")
        .insert({ user_id: ben.id, chat_room_id: room.id, content });
      expect(error).toBeNull();
    }
    await page.reload();
    await expect(entry).toContainText("2 unread");
    await entry.click();
    await expectRoom(page, room.name);
    await expect(page.getByText("New since your last visit")).toBeVisible();
    await expect(row(page, "Two")).toBeVisible();
    await list.click();
    await expect(listHeading(page)).toBeVisible();
    await expect(entry).not.toContainText("unread");
  });
});

test.describe("an address one may not open", () => {
  test("a room above the level redirects to the list", async ({ page, openAs }) => {
    const room = await createRoom(2);
    await openAs(await createMember("Ada"), `/chats/${room.id}`);
    await expect(page.getByRole("heading", { name: "Chat rooms" })).toBeVisible();
    await expect(page).toHaveURL(/\/chats$/);
  });

  test("an unknown room shows a message and a way back", async ({ page, openAs }) => {
    await openAs(await createMember("Ada"), "/chats/no-such-room");
    await expect(page.getByRole("heading", { name: "Room not found" })).toBeVisible();
    await page.getByRole("link", { name: "Back to Chat Rooms" }).click();
    await expect(page.getByRole("heading", { name: "Chat rooms" })).toBeVisible();
    await expect(page).toHaveURL(/\/chats$/);
  });

  test("a room that fails to load redirects to the list", async ({ page, openAs }) => {
    await page.route("**/rest/v1/chat_rooms?**", (route) => route.abort());
    await openAs(await createMember("Ada"), "/chats/general");
    await expect(page.getByRole("heading", { name: "Chat rooms" })).toBeVisible();
    await expect(page).toHaveURL(/\/chats$/);
  });
});

test.describe("the count of members goes down once", () => {
  /** Every request of the page that gives a place up. */
  function watchLeaving(page: Page): string[] {
    const seen: string[] = [];
    page.on("request", (request) => {
      if (/decrement[-_]participant[-_]count$/.test(request.url())) seen.push(request.url());
    });
    return seen;
  }

  test("when a member leaves the room, and up when they return", async ({ page, openAs }) => {
    const room = await createRoom();
    const ada = await createMember("Ada");
    const leaving = watchLeaving(page);
    await openAs(ada, `/chats/${room.id}`);
    await expect(page.getByRole("button", { name: "1 here now" })).toBeVisible();
    await sendChatMessage(page, "Good morning");
    await page.getByRole("link", { name: "All chat rooms" }).click();
    await expect(page.getByRole("heading", { name: "Chat rooms" })).toBeVisible();
    await expect.poll(() => countParticipants(room.id, ada)).toBe(0);
    await page.getByRole("link", { name: new RegExp(`^${room.name}`) }).click();
    await expect(page.getByRole("button", { name: "1 here now" })).toBeVisible();
    expect(leaving).toHaveLength(1);
  });

  test("when the tab is hidden, and not again when it is then closed", async ({
    page,
    openAs,
    browser,
  }) => {
    const room = await createRoom();
    const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
    const watcher = await visit(browser, ben, `/chats/${room.id}`);
    const leaving = watchLeaving(page);
    await openAs(ada, `/chats/${room.id}`);
    await expectRoom(page, room.name);
    await expect(watcher.page.getByRole("button", { name: "2 here now" })).toBeVisible();
    await setVisible(page, false);
    await expect.poll(() => countParticipants(room.id, ben)).toBe(1);
    await setVisible(page, true);
    await expect.poll(() => countParticipants(room.id, ben)).toBe(2);
    await setVisible(page, false);
    await expect.poll(() => countParticipants(room.id, ben)).toBe(1);
    await page.goto("/healthz");
    expect(leaving).toHaveLength(2);
    expect(leaving[0]).toMatch(/\/functions\/v1\/decrement-participant-count$/);
    expect(await countParticipants(room.id, ben)).toBe(1);
    await watcher.close();
  });

  test("when the page is closed", async ({ browser }) => {
    const room = await createRoom();
    const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
    const watcher = await visit(browser, ben, `/chats/${room.id}`);
    const leaver = await visit(browser, ada, `/chats/${room.id}`);
    await expectRoom(leaver.page, room.name);
    await expect(watcher.page.getByRole("button", { name: "2 here now" })).toBeVisible();
    await leaver.page.close({ runBeforeUnload: true });
    await expect.poll(() => countParticipants(room.id, ben)).toBe(1);
    await expect(watcher.page.getByRole("button", { name: "1 here now" })).toBeVisible();
    await Promise.all([leaver.close(), watcher.close()]);
  });
});

test.describe("a room with a long history", () => {
  test("opens at the newest message, loads older ones without a jump, and returns to the newest", async ({
    page,
    openAs,
  }) => {
    const room = await createRoom();
    const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
    await fillRoom(room.id, [ben, ada], 400);
    // From the start: the room may ask for a second page while its first is being laid out.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked: string[] = [];
    await page.route("**/rpc/room_page", async (route) => {
      const body = route.request().postData() ?? "";
      if (body.includes("before_id")) {
        asked.push(body);
        await held;
      }
      await route.continue();
    });
    await openAs(ada, `/chats/${room.id}`);
    await expectRoom(page, room.name);
    await expect(row(page, "Message 400")).toBeInViewport();
    expect(await rows(page).count()).toBeLessThanOrEqual(150);

    // Upwards, page by page: what is in the window stays where it is while more arrives above it.
    const log = page.getByRole("log");
    // In the frame in which the room opens, a move of the list is not yet told from its being placed at the end.
    await expect(async () => {
      await log.evaluate(async (element) => {
        element.scrollTop = 300;
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      });
      await expect(row(page, "Message 400")).not.toBeInViewport({ timeout: 100 });
    }).toPass();
    const loading = page.getByRole("status").filter({ hasText: "Loading earlier messages…" });
    await expect(loading).toBeAttached();
    // It lies over no words, however low the window.
    expect((await loading.boundingBox())?.height).toBeLessThanOrEqual(2);
    const words = await log.evaluate(async (element) => {
      for (;;) {
        const from = element.getBoundingClientRect().top + 100;
        const found = [...element.querySelectorAll("[data-words]")].find(
          (each) =>
            each.getBoundingClientRect().top > from &&
            getComputedStyle(each).visibility === "visible",
        );
        if (found) return found.textContent;
        await new Promise(requestAnimationFrame);
      }
    });
    const anchor = row(page, words);
    // A row that came while the list moved has its toolbar once the list is idle.
    await expect(anchor.getByRole("button", { name: "Reply" })).toBeAttached();
    const before = await anchor.boundingBox();
    // The page says that it is asking before the request has reached this process.
    await expect.poll(() => asked).toHaveLength(1);
    release();
    await expect(loading).toHaveCount(0);
    const moved = async () => Math.abs(((await anchor.boundingBox())?.y ?? 0) - (before?.y ?? 0));
    await expect.poll(moved).toBeLessThanOrEqual(2);

    await expect(async () => {
      await log.evaluate((element) => {
        element.scrollTop = 0;
      });
      await expect(page.getByText(`This is the start of ${room.name}.`)).toBeVisible({
        timeout: 500,
      });
    }).toPass();
    await expect(row(page, "Message 1")).toBeVisible();
    expect(await rows(page).count()).toBeLessThanOrEqual(150);
    expect(new Set(asked).size, "no page is asked for twice").toBe(asked.length);

    // What is said meanwhile is counted, and does not pull one away.
    const { error } = await ben.client
      .from("chat_messages")
      .insert({ user_id: ben.id, chat_room_id: room.id, content: "News" });
    expect(error).toBeNull();
    const jump = page.getByRole("button", { name: /^Jump to newest/ });
    await expect(jump).toContainText("1 new");
    await expect(row(page, "Message 1")).toBeVisible();
    await jump.click();
    await expect(row(page, "News")).toBeInViewport();
    await expect(jump).toBeHidden();
  });

  test("a link opens its message anywhere in the history, and newer ones below it", async ({
    page,
    openAs,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const room = await createRoom();
    const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
    await fillRoom(room.id, [ben], 300);
    const { data } = await ada.client
      .from("chat_messages")
      .select("id")
      .eq("chat_room_id", room.id)
      .eq("content", "Message 100")
      .single<{ id: string }>();
    await openAs(ada, `/chats/${room.id}#${data?.id}`);
    await expectRoom(page, room.name);
    const named = row(page, "Message 100");
    await expect(named).toBeInViewport();
    await expect(named).toHaveAttribute("aria-current", "location");

    await named.getByRole("button", { name: "More", exact: true }).press("Enter");
    await page.getByRole("menuitem", { name: "Copy link" }).click();
    await expect(page.getByText("Link copied.")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`/chats/${room.id}#${data?.id}$`),
    );

    await page.getByRole("button", { name: /^Jump to newest/ }).click();
    await expect(row(page, "Message 300")).toBeInViewport();
  });

  test("a message sent while far back in the history is shown at the end", async ({
    page,
    openAs,
  }) => {
    const room = await createRoom();
    const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
    await fillRoom(room.id, [ben], 300);
    const early = ada.client.from("chat_messages").select("id").eq("content", "Message 20");
    const { data } = await early.eq("chat_room_id", room.id).single<{ id: string }>();
    await openAs(ada, `/chats/${room.id}#${data?.id}`);
    await expect(row(page, "Message 20")).toBeInViewport();
    await sendChatMessage(page, "Read it all, and here I am");
    await expect(row(page, "Read it all, and here I am")).toBeInViewport();
    await expect(row(page, "Message 300")).toBeInViewport();
    await expect(page.getByRole("button", { name: /^Jump to newest/ })).toBeHidden();
  });

  test("the keyboard alone can read, like and reply", async ({ page, openAs }) => {
    const room = await createRoom();
    const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
    await fillRoom(room.id, [ben], 30);
    await openAs(ada, `/chats/${room.id}`);
    await expectRoom(page, room.name);
    await row(page, "Message 30").focus();
    await page.keyboard.press("ArrowUp");
    await expect(row(page, "Message 29")).toBeFocused();
    await page.keyboard.press("Home");
    await expect(row(page, "Message 1")).toBeFocused();
    await expect(row(page, "Message 1")).toBeInViewport();
    await page.keyboard.press("Tab");
    await expect(row(page, "Message 1").getByRole("link", { name: /^Ben/ })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(row(page, "Message 1").getByRole("button", { name: "Like" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(row(page, "Message 1").getByRole("button", { name: "1 like" })).toBeVisible();
    await row(page, "Message 1").getByRole("button", { name: "Reply", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: /^Message in/ })).toBeFocused();
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    await expect(row(page, "By keyboard")).toContainText("In reply to");
  });
});
