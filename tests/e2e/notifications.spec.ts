import { randomUUID } from "node:crypto";
import { runAsOwner, type Account } from "./support/accounts.ts";
import { waitForWebhooks } from "./support/card-provider.ts";
import { createMember, createRoom } from "./support/chat.ts";
import { openWindow } from "./support/open-window.ts";
import { createSubmission } from "./support/progress-events.ts";
import { running } from "./support/running-product.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** Runs scheduled functions, as the host does. */
async function runSchedules(...names: string[]): Promise<void> {
  const { url, serviceRoleKey } = running().host;
  const headers = { authorization: `Bearer ${serviceRoleKey}`, apikey: serviceRoleKey };
  for (const name of names) {
    const answer = await fetch(`${url}/functions/v1/${name}`, { method: "POST", headers });
    expect(answer.status, name).toBe(200);
  }
}

/** The digests that an account was sent. */
async function digestsTo({ email }: Account): Promise<string[]> {
  const inbox = await fetch(`${running().host.url}/dev/inbox.json`);
  const caught = (await inbox.json()) as { to: string; subject: string; text: string }[];
  return caught
    .filter(({ to, subject }) => to === email && subject.endsWith(" you missed"))
    .map(({ text }) => text);
}

test("a like reaches the bell live, and what is opened on one device is read on the other", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const id = await createSubmission(ada, "My first client");
  await openAs(ada, "/chats");
  const phone = await openWindow(browser, ada, "/progress");
  await phone.setViewportSize({ width: 390, height: 844 });
  const bell = page.getByRole("button", { name: "Notifications" });
  const theirs = phone.getByRole("button", { name: "Notifications" });
  await expect(bell).toHaveAccessibleName("Notifications");
  await expect(theirs).toHaveAccessibleName("Notifications");

  const like = { user_id: tom.id, submission_id: id };
  expect((await tom.client.from("learning_submission_likes").insert(like)).error).toBeNull();
  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await expect(page).toHaveTitle(/^\(1\) Chats · Fourfold$/);
  await expect(theirs).toHaveAccessibleName("Notifications, 1 unread");

  await bell.press("Enter");
  const popover = page.getByRole("dialog", { name: "Notifications" });
  await expect(popover.getByRole("link")).toContainText("Tom Whitfield liked your submission");
  await expectAccessible(page);
  await theirs.click();
  const sheet = phone.getByRole("dialog", { name: "Notifications" });
  await expect(sheet.getByRole("link")).toContainText("My first client");
  await expectAccessible(phone);

  await popover.getByRole("link").press("Enter");
  await expect(page).toHaveURL(`/learning/submissions?submission=${id}`);
  await expect(page.getByRole("article", { name: "My first client" })).toBeVisible();
  await expect(bell).toHaveAccessibleName("Notifications");
  await expect(sheet.getByRole("button", { name: "Mark all as read" })).toBeHidden();
  await expect(phone).toHaveTitle(/^[^(]+ · Fourfold$/);
});

test("a mention reaches bell, badge, title and digest, and nobody who may not be told", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom, blocking, lapsed, demoted, blocked, ended] = [
    await createMember("Ada", 2),
    await createMember("Tom", 2),
    await createMember("Bea", 2),
    await createMember("Col", 2),
    await createMember("Dee", 2),
    await createMember("Eve", 2),
    await createMember("Flo", 2),
  ];
  const room = await createRoom(2);
  await openAs(tom, "/progress");
  const phone = await openWindow(browser, tom, "/members");
  await phone.setViewportSize({ width: 390, height: 844 });
  const bell = page.getByRole("button", { name: "Notifications" });
  const theirs = phone.getByRole("button", { name: "Notifications" });
  await expect(theirs).toHaveAccessibleName(/^Notifications/);
  const read = await tom.client.rpc("mark_notifications_read", { up_to: "2100-01-01" });
  expect(read.error).toBeNull();
  expect((await blocking.client.rpc("block_member", { member_id: ada.id })).error).toBeNull();
  const lapse = `update public.stripe_subscriptions s set status = 'canceled'
    from public.stripe_customers c where c.customer_id = s.customer_id and c.user_id = $1`;
  // A webhook that is late would read the provider's status again.
  await waitForWebhooks();
  await runAsOwner(lapse, [lapsed.id]);

  // A member whom Tom has blocked and one whose membership has ended reply to him and name him first: none of it counts below.
  const say = async (by: Account, content: string, parent?: string) => {
    const message = { id: randomUUID(), user_id: by.id, chat_room_id: room.id, content };
    const reply = parent ? { parent_message_id: parent, message_type: "reply" } : {};
    const sent = await by.client.from("chat_messages").insert({ ...message, ...reply });
    return { id: message.id, error: sent.error };
  };
  const naming = async (by: Account, message: string) =>
    await by.client.rpc("mention_members", { message, members: [tom.id] });
  const own = await say(tom, "Who has a bookkeeper?");
  const before = await say(ended, "Thank you @Tom Whitfield");
  await runAsOwner(lapse, [ended.id]);
  expect((await tom.client.rpc("block_member", { member_id: blocked.id })).error).toBeNull();
  const ignored = await say(blocked, "I have, @Tom Whitfield", own.id);
  expect([own.error, before.error, ignored.error]).toEqual([null, null, null]);
  expect((await naming(blocked, ignored.id)).error).toBeNull();
  expect((await say(ended, "So have I", own.id)).error).not.toBeNull();
  expect((await naming(ended, before.id)).error).not.toBeNull();
  const { data: rooms } = await tom.client.rpc("chat_room_overview").eq("id", room.id);
  expect(rooms).toMatchObject([{ unread_count: 1 }]);

  const id = randomUUID();
  const members = [tom, blocking, lapsed, demoted].map((each) => each.id);
  const said = {
    id,
    user_id: ada.id,
    chat_room_id: room.id,
    content: "Secret words for @Tom Whitfield @Bea Whitfield @Col Whitfield @Dee Whitfield",
  };
  expect((await ada.client.from("chat_messages").insert(said)).error).toBeNull();
  const mention = await ada.client.rpc("mention_members", { message: id, members });
  expect(mention.error).toBeNull();
  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(theirs).toHaveAccessibleName("Notifications, 1 unread");
  // The rooms with something unread stand at Chats, on a phone in its bar, and Home has no number: the bell has it.
  for (const window of [page, phone]) {
    const frame = window.getByRole("navigation", { name: "Main" }).filter({ visible: true });
    await expect(frame.getByRole("link", { name: /unread/ })).toContainText("Chats");
    await expect(frame.getByRole("link", { name: "Home", exact: true })).toBeVisible();
  }

  // The digest's time comes, and one of them has lost the level of the room by then.
  await runAsOwner("update public.user_levels set current_level = 1 where user_id = $1", [
    demoted.id,
  ]);
  const pass = `update public.notifications set created_at = private.digest_moment('weekly', now()) - interval '1 minute'
    where subject_id = $1`;
  await runAsOwner(pass, [id]);
  await runSchedules("queue-reminders", "send-emails", "queue-reminders", "send-emails");
  await expect.poll(async () => await digestsTo(tom)).toHaveLength(1);
  const [text = ""] = await digestsTo(tom);
  expect(text).toContain(`Ada Whitfield mentioned you in ${room.name}`);
  expect(text).toContain(`/chats/${room.id}`);
  expect(text).toContain("/account#notifications");
  expect(text).not.toContain("Secret words");
  for (const nobody of [blocking, lapsed, demoted]) {
    expect((await digestsTo(nobody)).join()).not.toContain(room.name);
    const { data } = await nobody.client.rpc("my_notifications");
    expect(JSON.stringify(data)).not.toContain(room.id);
  }

  await theirs.click();
  const sheet = phone.getByRole("dialog", { name: "Notifications" });
  await sheet.getByRole("link", { name: /mentioned you/ }).click();
  await expect(phone).toHaveURL(new RegExp(`/chats/${room.id}#${id}$`));
  await expect(theirs).toHaveAccessibleName("Notifications");
  await expect(bell).toHaveAccessibleName("Notifications");
  await expect(page).toHaveTitle(/^[^(]+ · Fourfold$/);
});
