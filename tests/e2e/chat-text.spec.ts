import { createMember, createRoom, expectRoom, field, row, rows, visit } from "./support/chat.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const typed = `**Plan** for _today_, 2*3*4 in \`snake_case\`:
- read [the guide](https://example.com/${"a".repeat(300)})
- **write**
Then:
\`\`\`sh
npm run ${"x".repeat(200)}
\`\`\``;

test("light Markdown shows in messages, is stored as typed, and quotes are plain", async ({
  browser,
}) => {
  const room = await createRoom();
  const ada = await visit(browser, await createMember("Ada"), `/chats/${room.id}`);
  const { page } = ada;
  await expectRoom(page, room.name);
  await field(page).fill(typed);
  await field(page).press("Enter");
  const message = rows(page).first();
  await expect(message).toHaveAttribute("data-delivery", "saved");
  await expect(message.locator("strong")).toHaveText(["Plan", "write"]);
  await expect(message.locator("em")).toHaveText(["today"]);
  await expect(message.getByRole("listitem")).toHaveText(["read the guide", "write"]);
  await expect(message.locator("p code")).toHaveText(["snake_case"]);
  await expect(message.locator("pre")).toHaveText(`npm run ${"x".repeat(200)}`);
  const { data: stored } = await ada.account.client
    .from("chat_messages")
    .select("content")
    .eq("chat_room_id", room.id);
  expect(stored).toEqual([{ content: typed }]);

  for (const [width, scheme] of [
    [390, "dark"],
    [1440, "light"],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 844 });
    await expectAccessible(page);
    const log = page.getByRole("log");
    expect(await log.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  }

  await message.getByRole("button", { name: "Reply", exact: true }).press("Enter");
  await expect(page.getByText("· Plan for today, 2*3*4 in snake_case:")).toBeVisible();
  await field(page).fill("Fine");
  await field(page).press("Enter");
  await expect(row(page, "Fine").getByRole("button", { name: /^In reply to/ })).toContainText(
    /Plan for today, 2\*3\*4 in snake_case:\s- read the guide$/,
  );
  await message.getByRole("button", { name: "More", exact: true }).press("Enter");
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(page.getByRole("textbox", { name: "Edit your message" })).toHaveValue(typed);
  await ada.close();
});
