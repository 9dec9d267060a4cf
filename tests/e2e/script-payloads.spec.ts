import { createAccount, createAdmin, type Account } from "./support/accounts.ts";
import { createRoom } from "./support/chat.ts";
import { commonPayload, plantCommunity, plantPayloads } from "./support/plant-payloads.ts";
import { payloadRows, printable, scriptPayloads } from "./support/script-payloads.ts";
import { expect, test } from "./support/test.ts";
import {
  openTrapped,
  pressUntil,
  readWholeLog,
  startOwnProduct,
  type TrappedPage,
} from "./support/trapped-page.ts";

// One product, planted once, and one page for each account: in one worker, one test after the other.
test.describe.configure({ mode: "default" });

const rowCount = payloadRows.length;

let stop: (() => Promise<void>) | undefined;
let reader: Account;
let asReader: TrappedPage;
let asAdmin: TrappedPage;
const opened: TrappedPage[] = [];
let room: { id: string; name: string };
let firstConversation: string;

test.beforeAll(async ({ browser }) => {
  stop = await startOwnProduct();
  const [member, admin] = await Promise.all([createAccount("onboarded"), createAdmin()]);
  reader = member;
  room = await createRoom();
  ({ firstConversation } = await plantPayloads((owner) =>
    plantCommunity(owner, member.id, admin.id, room.id),
  ));
  asReader = await openTrapped(browser, member);
  asAdmin = await openTrapped(browser, admin);
  opened.push(asReader, asAdmin);
});

test.afterAll(async () => {
  for (const { close } of opened) await close();
  await stop?.();
});

test("there are at least 300 payloads, all different", () => {
  expect(scriptPayloads.length).toBeGreaterThanOrEqual(300);
  expect(new Set(scriptPayloads).size).toBe(scriptPayloads.length);
  const planted = payloadRows.map(({ text }) => text).join("\n\n");
  expect(scriptPayloads.filter((payload) => !planted.includes(payload))).toEqual([]);
  // The shortest field that takes a whole row is a question.
  expect(Math.max(...payloadRows.map(({ text }) => text.length))).toBeLessThan(900);
});

test("nothing runs in a room: names, messages, quotes, reply banner, report, pictures", async () => {
  const { page, found } = asReader;
  await page.goto(`/chats/${room.id}`);
  expect(await readWholeLog(page, rowCount)).toBe(rowCount);
  const row = page.getByRole("log").locator("article").nth(2);
  // By keyboard: bringing a row into view scrolls the list, and while it scrolls it takes no clicks.
  await row.getByRole("button", { name: "Reply", exact: true }).press("Enter");
  await expect(page.getByText("Replying to")).toBeVisible();
  await row.getByRole("button", { name: "More", exact: true }).press("Enter");
  await page.getByRole("menuitem", { name: "Report this message" }).click();
  await expect(page.getByRole("dialog", { name: "Report this message" })).toBeVisible();
  expect(await found()).toEqual([]);
  await page.goto(`/chats/${room.id}`);
  const picture = page.getByRole("button", { name: /^Open the picture/ });
  await expect(picture.getByRole("img").last()).toBeVisible();
  await picture.last().press("Enter");
  await expect(page.getByRole("dialog").getByRole("img")).toBeVisible();
  expect(await found()).toEqual([]);
});

test("nothing runs in pins, found messages and the names of who reacted", async () => {
  const { page, found } = asReader;
  await page.goto(`/chats/${room.id}`);
  await page.getByRole("button", { name: "Show all 5" }).click();
  await page.getByRole("button", { name: `Funny: ${rowCount}` }).click({ button: "right" });
  const names = page.getByRole("dialog", { name: "Who reacted" });
  await expect(names.getByRole("listitem")).toHaveCount(rowCount);
  expect(await found()).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Search messages" }).click();
  const sheet = page.getByRole("dialog", { name: "Search messages" });
  for (const words of ["alert", "script", "press example"]) {
    await sheet.getByRole("searchbox").fill(words);
    await expect(sheet.locator("mark").first()).toContainText(words.slice(0, 5), {
      ignoreCase: true,
    });
    expect(await found()).toEqual([]);
  }
});

test("nothing runs in the names and last words of rooms", async () => {
  const { page, found } = asReader;
  const rooms = page.locator('a[href*="/chats/planted-"]');
  await page.goto("/chats");
  await expect(rooms).toHaveCount(Math.floor(rowCount / 4));
  expect(await found()).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await rooms.first().click();
  const switcher = page.getByRole("navigation", { name: "Your rooms" });
  await expect(switcher.locator('a[href*="/chats/planted-"]')).toHaveCount(
    Math.floor(rowCount / 4),
  );
  await expect(page.getByRole("log").locator("article").last()).toBeVisible();
  expect(await found()).toEqual([]);
});

test("nothing runs in a member's own messages", async () => {
  const { page, found } = asReader;
  await page.goto("/chats/general");
  const field = page.getByRole("textbox", { name: /^Message in/ });
  for (const payload of scriptPayloads.filter((_each, place) => place % 31 === 0)) {
    const text = printable(payload);
    await field.fill(text);
    // The message before may have been seen live before the answer to it came.
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
    await field.press("Enter");
    await expect(
      page.locator("[data-words]").getByText(text, { exact: true }).last(),
    ).toBeVisible();
    await expect(page.locator("article").last()).toHaveAttribute("data-delivery", "saved");
  }
  expect(await found()).toEqual([]);
});

test("nothing runs in submissions, pacts and comments of the feed", async () => {
  const { page, found } = asReader;
  await page.goto("/learning/submissions");
  await expect(page.locator("[data-mention] a").first()).toBeVisible();
  const articles = "ul[aria-label='Submissions'] > li";
  // The reader's own pacts come last.
  await pressUntil(page, "Show older submissions", articles, rowCount + Math.floor(rowCount / 2));
  await expect(page.getByText("The outcome of the pact").first()).toBeVisible();
  await expect(page.getByText("Witnessed by").first()).toBeVisible();
  expect(await found()).toEqual([]);
  await page.reload();
  const first = page.locator(articles).first();
  await first.getByRole("button", { name: /comment/i }).click();
  await pressUntil(page, "Show earlier comments", `${articles} section li`, rowCount);
  expect(await found()).toEqual([]);
});

test("nothing runs in one's own pacts, those one witnesses, and the form of an outcome", async () => {
  const { page, found } = asReader;
  await page.goto("/learning/pacts");
  for (const name of ["You're asked to be a witness", "You were a witness", "Your open pacts"]) {
    const titles = page.getByRole("region", { name }).getByRole("heading", { level: 3 });
    await expect(titles.nth(20)).toBeAttached();
  }
  expect(await found()).toEqual([]);
  await page.getByRole("link", { name: "Record how it went" }).first().click();
  await expect(page.getByText(commonPayload?.name ?? "", { exact: false }).first()).toBeVisible();
  expect(await found()).toEqual([]);
});

test("nothing runs in profiles, the directory and the card of a name", async () => {
  const { page, found } = asReader;
  await page.goto("/members");
  const members = "ul[aria-label='Members'] > li";
  await pressUntil(page, "Show more members", members, rowCount);
  await page.locator(`${members} h2 a`).nth(3).hover();
  await expect(page.getByRole("tooltip").getByRole("list")).toBeVisible();
  expect(await found()).toEqual([]);
  const names = page.locator(`${members} h2 a`);
  const profiles = await names.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  for (let place = 0; place < profiles.length; place += 24) {
    await page.goto(profiles[place] ?? "");
    await expect(page.getByRole("heading", { level: 2, name: "Ask me about" })).toBeVisible();
    expect(await found()).toEqual([]);
  }
});

test("nothing runs in direct messages and on Collaborate", async () => {
  const { page, found } = asReader;
  await page.goto("/messages");
  await pressUntil(page, "Show older conversations", "ul[aria-label=Conversations] > li", rowCount);
  expect(await found()).toEqual([]);
  await page.goto(`/messages/${firstConversation}`);
  expect(await readWholeLog(page, rowCount + 1)).toBe(rowCount + 1);
  expect(await found()).toEqual([]);
  await page.goto("/collaborate");
  await pressUntil(page, "Show more posts", "ul[aria-label=Posts] > li", rowCount);
  expect(await found()).toEqual([]);
});

test("nothing runs on Today and in the bell", async () => {
  const { page, found } = asReader;
  await page.goto("/studentdash");
  const part = (name: RegExp) => page.getByRole("region", { name }).getByRole("listitem");
  await expect(part(/^Your pact/).first()).toContainText(commonPayload?.name ?? "");
  await expect(part(/^In your rooms/)).toHaveCount(3);
  await expect(part(/^Waiting for you/).nth(2)).toBeVisible();
  expect(await found()).toEqual([]);
  await page.getByRole("button", { name: /^Notifications, \d+/ }).click();
  await pressUntil(page, "Show older", "[role=dialog] li", rowCount);
  expect(await found()).toEqual([]);
});

test("nothing runs in what the search of everything finds", async () => {
  const { page, found } = asReader;
  await page.goto("/progress");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  const field = palette.getByRole("combobox");
  for (const words of ["script", "alert", "javascript", "onerror", "svg", "press"]) {
    await field.fill(words);
    await expect(palette.getByText(/^\d+ results?$/)).toBeVisible();
    await expect(palette.getByRole("option", { name: /[<(]/ }).first()).toBeVisible();
    await expect(palette.getByText("Members", { exact: true })).toBeVisible();
    expect(await found()).toEqual([]);
    await field.fill("");
    await expect(palette.getByText("Type at least two letters")).toBeVisible();
  }
});

test("nothing runs in the moderation queue", async () => {
  const { page, found } = asAdmin;
  const kinds = [
    ["message", /^Reported messages/],
    ["profile", /^Reported profiles/],
    ["direct_message", /^Reported direct messages/],
    ["submission", /^Reported submissions/],
  ] as const;
  for (const [kind, name] of kinds) {
    await page.goto(`/admindash/queues?queue=reports&kind=${kind}`);
    const rows = page.getByRole("region", { name }).getByRole("listitem").getByRole("button");
    await expect(rows).toHaveCount(rowCount);
    const panel = page.getByRole("region", { name: "The open report" });
    let hasPicture = false;
    for (let at = 0; at < rowCount; at++) {
      const row = rows.nth(at);
      if ((await row.getAttribute("aria-expanded")) === "false") await row.click();
      await expect(row).toHaveAttribute("aria-expanded", "true");
      await expect(panel.getByRole("blockquote")).toBeVisible();
      if ((await panel.getByRole("figure").count()) === 0) continue;
      await expect(panel.getByRole("img")).toBeAttached();
      hasPicture = true;
    }
    if (kind === "message") expect(hasPicture).toBe(true);
    expect(await found()).toEqual([]);
  }
});

test("the traps detect a script that does run", async ({ browser }) => {
  const { page, found, close } = await openTrapped(browser, reader);
  await page.goto("/chats");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await found()).toEqual([]);
  const noticed = new Set<string>();
  const expectNoticed = async (what: RegExp) => {
    await expect
      .poll(async () => {
        for (const each of await found()) noticed.add(each);
        return [...noticed].join("\n");
      })
      .toMatch(what);
  };
  const insert = async (html: string) => {
    await page.evaluate((markup) => {
      document.body.insertAdjacentHTML("beforeend", markup);
    }, html);
  };
  for (const script of ["alert(1)", "window.__ran=1", "fetch('//canary.invalid/f')"]) {
    await insert(`<img src="/x" onerror="${script}">`);
  }
  await expectNoticed(/called alert/);
  await expectNoticed(/wrote __ran/);
  await expectNoticed(/asked .*canary/);
  await expectNoticed(/would have broken script-src-attr with inline/);
  await expectNoticed(/would have broken connect-src with .*canary/);
  await expectNoticed(/onerror of <IMG>/);
  await insert(`<a href="java\tscript:alert(1)">press</a><img src="https://canary.invalid/p.png">`);
  await expectNoticed(/href of <A> leads to/);
  await expectNoticed(/a picture from https:\/\/canary/);
  await insert(`<iframe srcdoc="x"></iframe><form action="/x"></form>`);
  await expectNoticed(/a <IFRAME>/);
  await expectNoticed(/a <FORM>/);
  await close();
});
