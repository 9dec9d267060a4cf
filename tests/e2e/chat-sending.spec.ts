import {
  expectRoom,
  field,
  createNetworkSwitch,
  createMember,
  createRoom,
  row,
  rows,
  sendChatMessage,
  visit,
} from "./support/chat.ts";
import { expect, test } from "./support/test.ts";
import type { NetworkSwitch } from "./support/chat.ts";

const messages = "**/rest/v1/chat_messages**";

test("a failed send removes the message and restores the text and the reply", async ({
  page,
  openAs,
}) => {
  const room = await createRoom();
  await openAs(await createMember("Ada"), `/chats/${room.id}`);
  await expectRoom(page, room.name);
  await sendChatMessage(page, "What was asked");
  await row(page, "What was asked").hover();
  await row(page, "What was asked").getByRole("button", { name: "Reply", exact: true }).click();

  let failing = true;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(messages, async (route) => {
    if (!failing || route.request().method() !== "POST") return await route.continue();
    await held;
    await route.abort();
  });
  await field(page).fill("What is answered");
  await page.keyboard.press("Enter");
  await expect(row(page, "What is answered")).toHaveAttribute("data-delivery", "sending");
  await expect(field(page)).toHaveValue("");

  // While one is under way a second one waits in the box.
  await field(page).fill("Too early");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await expect(field(page)).toHaveValue("Too early");
  await field(page).fill("");

  release();
  await expect(row(page, "What is answered")).toHaveCount(0);
  await expect(field(page)).toHaveValue("What is answered");
  await expect(page.getByText("Replying to")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("Your message wasn't sent.");

  failing = false;
  await field(page).press("Enter");
  await expect(row(page, "What is answered")).toHaveAttribute("data-delivery", "saved");
  await expect(row(page, "What is answered")).toContainText("In reply to");
  await expect(rows(page)).toHaveCount(2);
});

test("a message whose answer was lost is stored once when it is sent again", async ({
  browser,
}) => {
  const room = await createRoom();
  const path = `/chats/${room.id}`;
  const [ada, ben] = await Promise.all([
    createMember("Ada").then((account) => visit(browser, account, path)),
    createMember("Ben").then((account) => visit(browser, account, path)),
  ]);
  await expectRoom(ada.page, room.name);
  await expectRoom(ben.page, room.name);
  let losing = true;
  await ada.page.route(messages, async (route) => {
    if (!losing || route.request().method() !== "POST") return await route.continue();
    losing = false;
    await route.fetch();
    await route.abort();
  });
  await field(ada.page).fill("Said once");
  await ada.page.keyboard.press("Enter");
  await expect(ada.page.getByRole("alert")).toContainText("Your message wasn't sent.");
  await expect(field(ada.page)).toHaveValue("Said once");
  await expect(row(ben.page, "Said once")).toBeVisible();
  await field(ada.page).press("Enter");
  await expect(field(ada.page)).toHaveValue("");
  await sendChatMessage(ada.page, "And then this");
  await expect(row(ben.page, "And then this")).toBeVisible();
  for (const { page } of [ada, ben]) await expect(rows(page)).toHaveCount(2);
  await Promise.all([ada.close(), ben.close()]);
});

test("a lost network loses and duplicates no message, in either direction", async ({ browser }) => {
  const room = await createRoom();
  const path = `/chats/${room.id}`;
  let line: NetworkSwitch | undefined;
  const [ada, ben] = await Promise.all([
    createMember("Ada").then((account) =>
      visit(browser, account, path, async (page) => {
        line = await createNetworkSwitch(page);
      }),
    ),
    createMember("Ben").then((account) => visit(browser, account, path)),
  ]);
  await expectRoom(ada.page, room.name);
  await expectRoom(ben.page, room.name);
  await sendChatMessage(ada.page, "Before the cut");
  await expect(row(ben.page, "Before the cut")).toBeVisible();

  await line?.disconnect();
  await expect(ada.page.getByText(/^You're offline/)).toBeVisible();
  for (const text of ["Written offline, one", "Written offline, two"]) {
    await field(ada.page).fill(text);
    await ada.page.keyboard.press("Enter");
    await expect(row(ada.page, text)).toHaveAttribute("data-delivery", "queued");
  }
  await sendChatMessage(ben.page, "Said while Ada was gone");
  await row(ben.page, "Before the cut").hover();
  await row(ben.page, "Before the cut").getByRole("button", { name: "Like", exact: true }).click();
  await expect(
    row(ben.page, "Before the cut").getByRole("button", { name: "1 like" }),
  ).toBeVisible();
  await expect(row(ada.page, "Said while Ada was gone")).toHaveCount(0);

  await line?.reconnect();
  await expect(ada.page.getByText(/^You're offline/)).toBeHidden();
  const everything = [
    "Before the cut",
    "Said while Ada was gone",
    "Written offline, one",
    "Written offline, two",
  ];
  for (const { page } of [ada, ben]) {
    for (const text of everything) {
      await expect(row(page, text)).toHaveAttribute("data-delivery", "saved");
    }
    await expect(page.locator("[data-words]")).toHaveText(everything);
    await expect(row(page, "Before the cut").getByRole("button", { name: "1 like" })).toBeVisible();
  }
  // The live stream is back as well.
  await expect(ada.page.getByRole("log")).toHaveAttribute("data-live", "live");
  await sendChatMessage(ben.page, "And on we go");
  await expect(row(ada.page, "And on we go")).toHaveCount(1);
  await Promise.all([ada.close(), ben.close()]);
});

test("a tab that slept loses and duplicates no message", async ({ browser }) => {
  const room = await createRoom();
  const path = `/chats/${room.id}`;
  let line: NetworkSwitch | undefined;
  const [ada, ben] = await Promise.all([
    createMember("Ada").then((account) =>
      visit(browser, account, path, async (page) => {
        line = await createNetworkSwitch(page);
      }),
    ),
    createMember("Ben").then((account) => visit(browser, account, path)),
  ]);
  await expectRoom(ada.page, room.name);
  await expectRoom(ben.page, room.name);
  await sendChatMessage(ben.page, "Good night");
  await expect(row(ada.page, "Good night")).toBeVisible();

  const devtools = await ada.page.context().newCDPSession(ada.page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await line?.disconnect();
  for (const text of ["One", "Two", "Three"]) await sendChatMessage(ben.page, text);
  await line?.reconnect();
  await devtools.send("Page.setWebLifecycleState", { state: "active" });

  await expect(ada.page.locator("[data-words]")).toHaveText(["Good night", "One", "Two", "Three"]);
  await sendChatMessage(ben.page, "Good morning");
  await expect(ada.page.locator("[data-words]")).toHaveText([
    "Good night",
    "One",
    "Two",
    "Three",
    "Good morning",
  ]);
  await Promise.all([ada.close(), ben.close()]);
});

test("long texts, lines, right-to-left text, emoji and invisible characters", async ({
  page,
  openAs,
}) => {
  const room = await createRoom();
  await openAs(await createMember("Ada"), `/chats/${room.id}`);
  await expectRoom(page, room.name);
  const send = page.getByRole("button", { name: "Send" });
  await expect(send).toBeDisabled();

  await field(page).fill("x".repeat(10_000));
  await expect(page.getByText("10,000 / 4,000")).toBeVisible();
  await expect(
    page.getByText("This is 6,000 characters too long. Messages can have up to 4,000."),
  ).toBeVisible();
  await expect(send).toBeDisabled();
  await field(page).press("Enter");
  await expect(field(page)).toHaveValue("x".repeat(10_000));

  const longest = "\u{1f600}".repeat(4000);
  await field(page).fill(longest);
  await expect(page.getByText("4,000 / 4,000")).toBeVisible();
  await field(page).press("Enter");
  await expect(row(page, longest)).toHaveAttribute("data-delivery", "saved");

  await field(page).fill("\u200b\u200d \ufeff");
  await expect(send).toBeDisabled();
  await field(page).fill("First line");
  await field(page).press("Shift+Enter");
  await field(page).pressSequentially("Second line");
  await expect(send).toBeEnabled();
  await field(page).press("Enter");
  await expect(page.locator("[data-words]").last()).toHaveText("First line\nSecond line", {
    useInnerText: true,
  });

  await sendChatMessage(page, "مرحبا بالجميع");
  const direction = await row(page, "مرحبا بالجميع")
    .locator("[data-words]")
    .evaluate((words) => getComputedStyle(words).direction);
  expect(direction).toBe("rtl");

  await sendChatMessage(page, "<b>bold</b> 2**3**4 [x](javascript:alert(1))");
  await expect(page.getByRole("log").locator("b, strong, [data-words] a")).toHaveCount(0);
  await sendChatMessage(
    page,
    "See https://example.com/a_(b), javascript:alert(1) and ftp://example.com",
  );
  const link = page.getByRole("log").locator("[data-words] a");
  await expect(link).toHaveText(["https://example.com/a_(b)"]);
  await expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow ugc");
  await expect(link).toHaveAttribute("target", "_blank");
});
