import {
  createMember,
  createRoom,
  expectRoom,
  row,
  sendChatMessage,
  visit,
} from "./support/chat.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("on wide screens the member's rooms stand beside the conversation", async ({ browser }) => {
  const [first, second, locked] = [await createRoom(), await createRoom(), await createRoom(2)];
  const ben = await createMember("Ben");
  const ada = await visit(browser, await createMember("Ada"), `/chats/${first.id}`);
  const { page } = ada;
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectRoom(page, first.name);
  const switcher = page.getByRole("navigation", { name: "Your rooms" });
  const link = ({ name }: { name: string }) =>
    switcher.getByRole("link", { name: new RegExp(`^${name}`) });
  await expect(link(first)).toHaveAttribute("aria-current", "page");
  await expect(link(first)).toContainText("No messages yet");
  await expect(link(second)).not.toHaveAttribute("aria-current");
  await expect(link(locked)).toHaveCount(0);
  await expectAccessible(page);
  // With the system's colours, where backgrounds are gone, the current place and room are still told apart.
  await page.emulateMedia({ forcedColors: "active" });
  const mark = "border-inline-start-width";
  await expect(link(first)).toHaveCSS(mark, "4px");
  await expect(link(second)).toHaveCSS(mark, "0px");
  await expect(page.getByRole("link", { name: /^Chats/ }).first()).toHaveCSS(mark, "4px");
  await page.emulateMedia({ forcedColors: "none" });

  const { error } = await ben.client
    .from("chat_messages")
    .insert({ user_id: ben.id, chat_room_id: second.id, content: "Who **reads** this?" });
  expect(error).toBeNull();
  // As on the way back to the tab, when the list is read before its time.
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(link(second)).toContainText("1 unread");
  await expect(link(second)).toContainText("Ben: Who reads this?");

  await expect(switcher.locator("a[tabindex='0']")).toHaveCount(1);
  await link(first).focus();
  await page.keyboard.press("Home");
  await expect(switcher.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(switcher.getByRole("link").nth(1)).toBeFocused();
  await page.keyboard.press("End");
  await expect(switcher.getByRole("link").last()).toBeFocused();
  await link(second).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/chats/${second.id}$`));
  await expectRoom(page, second.name);
  await expect(row(page, "Who reads this?")).toBeVisible();
  await expect(link(second)).toHaveAttribute("aria-current", "page");
  await expect(link(second)).not.toContainText("unread");
  await expect(link(first)).not.toHaveAttribute("aria-current");
  await sendChatMessage(page, "I do");
  await link(first).click();
  await expectRoom(page, first.name);
  await expect(link(second)).toContainText("You: I do");
  await expect(link(second)).not.toContainText("unread");

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(switcher).toHaveCount(0);
  await expectRoom(page, first.name);
  await ada.close();
});
