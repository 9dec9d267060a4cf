import { createAdmin } from "./support/accounts.ts";
import {
  createMember,
  createRoom,
  expectRoom,
  row,
  rows,
  sendChatMessage,
  visit,
} from "./support/chat.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("reactions and pins reach the others at once, and a search leads back to the message", async ({
  browser,
}) => {
  const [room, locked] = [await createRoom(), await createRoom(2)];
  const [ada, ben, admin] = [
    await createMember("Ada"),
    await createMember("Ben"),
    await createAdmin(),
  ];
  const path = `/chats/${room.id}`;
  // Of two authors, because of the rate of each.
  for (const [{ id, client }, first, last] of [
    [ben, 0, 39],
    [admin, 40, 69],
  ] as const) {
    const lines = Array.from({ length: last - first + 1 }, (_, place) => ({
      user_id: id,
      chat_room_id: room.id,
      content: first + place === 0 ? "The **quarterly** plan" : `Line ${first + place}`,
    }));
    expect((await client.from("chat_messages").insert(lines)).error).toBeNull();
  }
  const hers = await visit(browser, ada, path);
  const theirs = await visit(browser, admin, path);
  await expectRoom(hers.page, room.name);
  await sendChatMessage(hers.page, "Who is in?");

  const seen = row(theirs.page, "Who is in?");
  await seen.hover();
  await seen.getByRole("button", { name: "React" }).click();
  await theirs.page.getByRole("menuitemcheckbox", { name: "Well done" }).click();
  const chip = row(hers.page, "Who is in?").getByRole("button", { name: "Well done: 1" });
  await expect(chip).toBeVisible();
  await expect(chip).toHaveAttribute("aria-pressed", "false");
  await chip.hover();
  await expect(hers.page.getByRole("tooltip")).not.toBeEmpty();
  await chip.click();
  await expect(seen.getByRole("button", { name: "Well done: 2" })).toBeVisible();

  await seen.hover();
  await seen.getByRole("button", { name: "More", exact: true }).click();
  await theirs.page.getByRole("menuitem", { name: "Pin to the top of the room" }).click();
  const strip = hers.page.getByRole("region", { name: "Pinned messages" });
  await expect(strip.getByRole("link", { name: /Who is in\?/ })).toBeVisible();

  await hers.page.getByRole("log").locator("article").last().focus();
  await hers.page.keyboard.press("/");
  const sheet = hers.page.getByRole("dialog", { name: "Search messages" });
  await sheet.getByRole("searchbox").fill("quarterly");
  const found = sheet.getByRole("list", { name: "Messages found" }).getByRole("link");
  await expect(found).toHaveCount(1);
  await expectAccessible(hers.page);
  await found.click();
  await expect(rows(hers.page).filter({ hasText: "The quarterly plan" })).toBeInViewport();
  await strip.getByRole("link", { name: /Who is in\?/ }).click();
  await expect(row(hers.page, "Who is in?")).toBeInViewport();
  await expectAccessible(hers.page);
  expect(
    (await ada.client.rpc("search_messages", { query: "plan", room_id: locked.id })).error,
  ).toMatchObject({ code: "FF311" });
  await hers.close();
  await theirs.close();
});
