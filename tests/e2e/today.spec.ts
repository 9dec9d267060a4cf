import type { Page } from "@playwright/test";
import { createMember, createRoom, row } from "./support/chat.ts";
import { createAccount, runAsOwner } from "./support/accounts.ts";
import { addArticle, addCourse, makeShelf } from "./support/library.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const part = (page: Page, name: string | RegExp) => page.getByRole("region", { name });

test("a phone shows what waits, what was left open and the rooms first, and leads to each", async ({
  page,
  openAs,
}) => {
  const [ada, tom] = [await createMember("Ada", 2), await createMember("Tom", 2)];
  const [room, other] = [await createRoom(), await createRoom()];
  const shelf = await makeShelf("general");
  const course = await addCourse(shelf, "Pricing", [
    { title: "Know your costs" },
    { title: "Ask for more" },
  ]);
  const article = await addArticle(shelf, "A plan for Monday");
  const enrolled = { user_id: ada.id, course_id: course };
  expect((await ada.client.from("course_enrollments").insert(enrolled)).error).toBeNull();
  const opened = ada.client.from("articles").update({ read_count: 1 }).eq("id", article);
  expect((await opened).error).toBeNull();
  const say = async (account: typeof ada, content: string, differs: object = {}) => {
    const message = { user_id: account.id, chat_room_id: room.id, content, ...differs };
    const { data, error } = await account.client
      .from("chat_messages")
      .insert(message)
      .select("id")
      .single<{ id: string }>();
    expect(error).toBeNull();
    return data?.id;
  };
  const parent_message_id = await say(ada, "Did anyone raise a price?");
  const reply = await say(tom, "Yes, by a tenth", { parent_message_id, message_type: "reply" });
  await say(tom, "Three orders this week", { chat_room_id: other.id });
  // Later than what the tests beside this one say.
  await runAsOwner(
    "update public.chat_messages set created_at = now() + interval '1 day' where chat_room_id = $1",
    [other.id],
  );

  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(ada, "/studentdash");
  await expect(
    page.getByText("Read 25 more Knowledge articles on your way to Level 3."),
  ).toBeVisible();
  await expectAccessible(page);

  await part(page, "Waiting for you · 1")
    .getByRole("link", { name: /^Unread: Tom/ })
    .click();
  await expect(page).toHaveURL(`/chats/${room.id}#${reply}`);
  await expect(row(page, "Yes, by a tenth")).toBeVisible();
  await page.goBack();
  await expect(part(page, "Waiting for you")).toContainText("Nothing is waiting for you.");

  const left = part(page, "Continue");
  await left.getByRole("link", { name: /^Know your costs/ }).click();
  await expect(page).toHaveURL(`/knowledge/courses/${shelf.slug}/${course}?module=module-1`);
  await expect(page.getByRole("heading", { level: 2, name: "Know your costs" })).toBeVisible();
  await page.goBack();
  await left.getByRole("link", { name: /^A plan for Monday/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "A plan for Monday" })).toBeVisible();
  await page.goBack();

  const line = part(page, "In your rooms").getByRole("link", { name: new RegExp(other.name) });
  await expect(line).toContainText("Tom Whitfield: Three orders this week");
  await expect(line).toContainText("1 unread");
  await line.click();
  await expect(page).toHaveURL(`/chats/${other.id}`);
  await expect(row(page, "Three orders this week")).toBeVisible();
});

test("a new student says hello on Home, and reads it in General", async ({ page, openAs }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await openAs(await createAccount("onboarded"), "/studentdash");
  const first = part(page, "Your first days");
  await expect(first.getByRole("listitem").first()).toContainText("Say hello in General");
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const words = `Hello from ${crypto.randomUUID()}`;
  await first.getByRole("textbox", { name: "Say hello in General" }).fill(words);
  const next = first.getByRole("listitem").nth(1);
  const top = async () =>
    await next.evaluate(
      (row) =>
        row.getBoundingClientRect().top - (row.parentElement?.getBoundingClientRect().top ?? 0),
    );
  const before = await top();
  await first.getByRole("button", { name: "Send" }).click();
  const hello = first.getByRole("link", { name: /^Done: Say hello in General/ });
  await expect(hello).toBeVisible();
  expect(await top(), "what stands below the form stays where it is").toBe(before);
  await hello.click();
  await expect(page).toHaveURL("/chats/general");
  await expect(row(page, words)).toBeVisible();
  await page.goBack();
  await expect(first.getByRole("link", { name: /^Done: Say hello in General/ })).toBeVisible();
  await expect(first.getByRole("link", { name: /^Open your rooms/ })).toContainText("1 of 5");
});

for (const words of [
  "Hello, I am Nadia.",
  "Hello, I am Nadia, a pharmacist in Leeds. ".repeat(2),
]) {
  test(`a greeting of ${words.length} characters leaves no hole on Home`, async ({
    page,
    openAs,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openAs(await createAccount("onboarded"), "/studentdash");
    const first = part(page, "Your first days");
    await first.getByRole("textbox", { name: "Say hello in General" }).fill(words);
    await first.getByRole("button", { name: "Send" }).click();
    await expect(first.getByRole("link", { name: /^Done: Say hello/ })).toBeVisible();
    const said = await first.getByText(words.trim()).boundingBox();
    const next = await first
      .getByRole("link", { name: "See the answers", exact: true })
      .boundingBox();
    expect((next?.y ?? 0) - (said?.y ?? 0) - (said?.height ?? 0)).toBeLessThan(48);
    expect(said?.height).toBeLessThan(140);
  });
}

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`nothing on Home moves when its news arrive, ${width} px wide`, async ({ page, openAs }) => {
    const [ada, tom] = [await createMember("Ada", 2), await createMember("Tom", 2)];
    const room = await createRoom();
    const said = { user_id: tom.id, chat_room_id: room.id, content: "Three orders this week" };
    expect((await tom.client.from("chat_messages").insert(said)).error).toBeNull();
    const answer = Promise.withResolvers<void>();
    await page.route("**/rest/v1/rpc/my_today", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.addInitScript(() => {
      const shifts: string[] = [];
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(JSON.stringify(entry));
      });
      observer.observe({ type: "layout-shift", buffered: true });
      Object.assign(window, { shifts });
    });
    await page.setViewportSize({ width, height });
    await openAs(ada, "/studentdash");
    await expect(page.getByText("Loading what is new for you")).toBeAttached();
    answer.resolve();
    await expect(part(page, "In your rooms")).toBeVisible();
    await expect(part(page, "Sections")).toBeVisible();
    // Entries come with the frame after the one that was drawn.
    const shifts = await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let count = 0; count < 3; count += 1) await frame();
      return (window as unknown as { shifts: string[] }).shifts;
    });
    const values = shifts.map((each) => (JSON.parse(each) as { value: number }).value);
    expect(
      values.reduce((sum, value) => sum + value, 0),
      shifts.join("\n"),
    ).toBeLessThanOrEqual(0.02);
  });
}
