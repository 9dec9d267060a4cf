import { createMember, createRoom, expectRoom, fillRoom, rows, visit } from "./support/chat.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const lines = Array.from({ length: 80 }, (_, place) => `Line ${place + 1} of a long story.`);

test("a long message is folded, opens where it stands, and leads back to its beginning", async ({
  browser,
}) => {
  const room = await createRoom();
  const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
  await fillRoom(room.id, [ben], 30);
  const { error } = await ben.client
    .from("chat_messages")
    .insert({ user_id: ben.id, chat_room_id: room.id, content: lines.join("\n") });
  expect(error).toBeNull();
  const visitor = await visit(browser, ada, `/chats/${room.id}`, async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
  });
  const { page } = visitor;
  await expectRoom(page, room.name);
  const long = rows(page).filter({ hasText: "Line 1 of" });
  const more = long.getByRole("button", { name: "Show more" });
  const less = long.getByRole("button", { name: "Show less" });
  const top = async () => (await long.boundingBox())?.y ?? Number.NaN;

  // The newest message is in sight with all that is shown of it.
  await expect(more).toBeInViewport({ ratio: 1 });
  expect((await long.boundingBox())?.height).toBeLessThan(400);
  await expectAccessible(page);
  const before = await top();
  await more.click();
  await expect(less).toBeAttached();
  await expect(long.getByText(/Line 80 of/)).not.toBeInViewport({ ratio: 0.99 });
  expect(Math.abs((await top()) - before)).toBeLessThan(2);

  // Read to its end and folded again, its beginning is in sight.
  await less.scrollIntoViewIfNeeded();
  await less.click();
  await expect(more).toBeInViewport({ ratio: 1 });
  await expect(more).toBeFocused();

  // What was chosen is kept while the row is far away.
  await more.click();
  const log = page.getByRole("log");
  // Rows that are measured on the way up, right after the jump of folding, may move the list. One scrolls on until its beginning is there.
  await expect(async () => {
    await log.evaluate((element) => {
      element.scrollTop = 0;
    });
    const first = rows(page).filter({ hasText: "Message 1" }).first();
    await expect(first).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await log.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await expect(less).toBeAttached();

  // The list follows new messages again from its end.
  await expect(less).toBeInViewport();
  await ben.client
    .from("chat_messages")
    .insert({ user_id: ben.id, chat_room_id: room.id, content: "And you?" });
  await expect(rows(page).filter({ hasText: "And you?" })).toBeInViewport({ ratio: 1 });
  await visitor.close();
});

test("a long message above others opens without moving what is above it", async ({ browser }) => {
  const room = await createRoom();
  const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
  await ben.client
    .from("chat_messages")
    .insert({ user_id: ben.id, chat_room_id: room.id, content: lines.join("\n") });
  await fillRoom(room.id, [ada], 3);
  const visitor = await visit(browser, ada, `/chats/${room.id}`);
  const { page } = visitor;
  await expectRoom(page, room.name);
  const long = rows(page).filter({ hasText: "Line 1 of" });
  const top = async () => (await long.boundingBox())?.y ?? Number.NaN;
  const more = long.getByRole("button", { name: "Show more" });
  await expect(more).toBeInViewport({ ratio: 1 });
  const before = await top();
  await long.focus();
  await page.keyboard.press("Tab");
  await more.press("Enter");
  await expect(long.getByRole("button", { name: "Show less" })).toBeAttached();
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await visitor.close();
});
