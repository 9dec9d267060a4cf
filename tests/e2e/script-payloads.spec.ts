import type { Browser, Page } from "@playwright/test";
import { createAccount, createAdmin, seedSession, type Account } from "./support/accounts.ts";
import { createRoom } from "./support/chat.ts";
import { plantPayloads, printable, type PlantedPayloads } from "./support/plant-payloads.ts";
import { running, runningProductVariable } from "./support/running-product.ts";
import { scriptPayloads } from "./support/script-payloads.ts";
import { expect, test } from "./support/test.ts";
import { startTestProduct } from "../support/backend-setup.ts";

/* A product of its own, so that other tests do not see these accounts. */
test.describe.configure({ mode: "serial" });

const submissionCount = scriptPayloads.length;

let stop: (() => Promise<void>) | undefined;
let shared: string | undefined;
let reader: Account;
let admin: Account;
let room: { id: string; name: string };
let planted: PlantedPayloads;

test.beforeAll(async () => {
  const own = await startTestProduct();
  stop = own.stop;
  shared = process.env[runningProductVariable];
  process.env[runningProductVariable] = JSON.stringify({ host: own.running, sandbox: own.sandbox });
  [reader, admin] = await Promise.all([createAccount("onboarded"), createAdmin()]);
  room = await createRoom();
  planted = await plantPayloads(reader.id, admin.id, room.id);
});

test.afterAll(async () => {
  if (shared !== undefined) process.env[runningProductVariable] = shared;
  await stop?.();
});

/** A page in which everything a payload could do is noticed. */
async function openTrapped(browser: Browser, account: Account, bypassCSP: boolean) {
  const context = await browser.newContext({ baseURL: running().host.url, bypassCSP });
  await seedSession(context, account);
  await context.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { trapped: said });
    Object.defineProperty(window, "__ran", {
      set: () => {
        said.push("wrote __ran");
      },
    });
    for (const name of ["alert", "confirm", "prompt", "print"] as const) {
      Object.defineProperty(window, name, { value: () => said.push(`called ${name}`) });
    }
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("dialog", (dialog) => errors.push(`dialog ${dialog.message()}`));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    if (request.url().includes("canary.invalid")) errors.push(`asked ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) errors.push(message.text());
  });
  const found = async () => [
    ...errors,
    ...(await page.evaluate(() => (window as unknown as { trapped: string[] }).trapped)),
  ];
  return { page, found, close: () => context.close() };
}

/** Brings every row of the room into the page once; answers with how many different ones were there. */
async function readWholeRoom(page: Page): Promise<number> {
  await page.goto(`/chats/${room.id}`);
  await expect(page.getByRole("log").locator("article").last()).toBeVisible();
  return await page.getByRole("log").evaluate(async (log, wanted) => {
    const seen = new Set<string>();
    const until = performance.now() + 60_000;
    while (seen.size < wanted && performance.now() < until) {
      for (const row of log.querySelectorAll<HTMLElement>("article")) {
        seen.add(row.dataset["message"] ?? "");
      }
      log.scrollTop -= log.clientHeight / 2;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    return seen.size;
  }, submissionCount);
}

/** Presses a button that brings more, until so many items are there. */
async function pressUntil(page: Page, name: string, items: string, wanted: number): Promise<void> {
  const found = page.locator(items);
  await expect(found.first()).toBeVisible();
  for (let count = await found.count(); count < wanted; count = await found.count()) {
    await page.getByRole("button", { name }).click();
    await expect.poll(() => found.count()).toBeGreaterThan(count);
  }
}

test("there are at least 300 payloads, all different", () => {
  expect(submissionCount).toBeGreaterThanOrEqual(300);
  expect(new Set(scriptPayloads).size).toBe(submissionCount);
});

for (const bypassCSP of [false, true]) {
  test.describe(`with the content security policy ${bypassCSP ? "off" : "on"}`, () => {
    test("nothing runs in a room: names, messages, quotes, reply banner, report, pictures", async ({
      browser,
    }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      expect(await readWholeRoom(page)).toBe(submissionCount);
      const row = page.getByRole("log").locator("article").nth(2);
      // By keyboard: bringing a row into view scrolls the list, and while it scrolls it takes no clicks.
      await row.getByRole("button", { name: "Reply", exact: true }).press("Enter");
      await expect(page.getByText("Replying to")).toBeVisible();
      await row.getByRole("button", { name: "More" }).press("Enter");
      await page.getByRole("menuitem", { name: "Report this message" }).click();
      await expect(page.getByRole("dialog", { name: "Report this message" })).toBeVisible();
      expect(await found()).toEqual([]);
      await page.goto(`/chats/${room.id}`);
      const picture = page.getByRole("button", { name: /^Open the picture/ });
      await expect(picture.getByRole("img").last()).toBeVisible();
      await picture.last().press("Enter");
      await expect(page.getByRole("dialog").getByRole("img")).toBeVisible();
      expect(await found()).toEqual([]);
      await close();
    });

    test("nothing runs in pins, found messages and the names of who reacted", async ({
      browser,
    }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      await page.goto(`/chats/${room.id}`);
      await page.getByRole("button", { name: "Show all 5" }).click();
      await page.getByRole("button", { name: "Funny: 150" }).click({ button: "right" });
      const names = page.getByRole("dialog", { name: "Who reacted" });
      await expect(names.getByRole("listitem")).toHaveCount(150);
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
      await close();
    });

    test("nothing runs in a member's own messages", async ({ browser }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      await page.goto("/chats/general");
      const field = page.getByRole("textbox", { name: /^Message in/ });
      for (const payload of scriptPayloads.filter((_each, place) => place % 31 === 0)) {
        const text = printable(payload);
        await field.fill(text);
        await field.press("Enter");
        await expect(
          page.locator("[data-words]").getByText(text, { exact: true }).last(),
        ).toBeVisible();
        await expect(page.locator("article").last()).toHaveAttribute("data-delivery", "saved");
      }
      expect(await found()).toEqual([]);
      await close();
    });

    test("nothing runs in submissions and comments", async ({ browser }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      await page.goto("/learning/submissions");
      await expect(page.locator("[data-mention] a").first()).toBeVisible();
      const articles = "ul[aria-label='Submissions'] > li";
      await pressUntil(page, "Show older submissions", articles, submissionCount);
      expect(await found()).toEqual([]);
      await page.reload();
      const first = page.locator(articles).first();
      await first.getByRole("button", { name: /comment/i }).click();
      await pressUntil(page, "Show earlier comments", `${articles} section li`, submissionCount);
      expect(await found()).toEqual([]);
      await close();
    });

    test("nothing runs in profiles, the directory and the card of a name", async ({ browser }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      await page.goto("/members");
      const members = "ul[aria-label='Members'] > li";
      await pressUntil(page, "Show more members", members, 240);
      await page.locator(`${members} h2 a`).nth(3).hover();
      await expect(page.getByRole("tooltip").getByRole("list")).toBeVisible();
      expect(await found()).toEqual([]);
      for (let place = 0; place < 24; place += 6) {
        await page.goto("/members");
        await page.locator(`${members} h2 a`).nth(place).click();
        await expect(page.getByRole("heading", { level: 2, name: "Ask about" })).toBeVisible();
        expect(await found()).toEqual([]);
      }
      await close();
    });

    test("nothing runs in direct messages and on Collaborate", async ({ browser }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      await page.goto("/messages");
      await pressUntil(page, "Show older conversations", "ul[aria-label=Conversations] > li", 240);
      expect(await found()).toEqual([]);
      const reading = page.getByRole("log").getByRole("article");
      await page.goto(`/messages/${planted.firstConversation}`);
      await expect(reading.last()).toBeVisible();
      expect(await reading.count()).toBeGreaterThan(3);
      await page.goto("/collaborate");
      await pressUntil(page, "Show more posts", "ul[aria-label=Posts] > li", 240);
      expect(await found()).toEqual([]);
      await close();
    });

    test("nothing runs on certificates, the pages that verify them, and shared cards", async ({
      browser,
    }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      await page.goto("/achievements");
      const certificates = page.getByRole("region", { name: "Certificates" });
      await expect(certificates.getByRole("listitem")).toHaveCount(submissionCount);
      const shared = certificates.getByRole("button", { name: /: shared$/ });
      const count = await shared.count();
      expect(count).toBeGreaterThanOrEqual(5);
      for (let place = 0; place < 4; place += 1) {
        await page.goto("/achievements");
        await shared.nth(place).press("Enter");
        await expect(page.getByRole("dialog").getByRole("img")).toBeVisible();
        const link = await page
          .getByRole("dialog")
          .getByText(/\/shared\//)
          .textContent();
        await page.goto(link ?? "");
        await expect(page.getByRole("article").getByRole("heading", { level: 1 })).toBeVisible();
        await page.goto("/achievements");
        await certificates
          .getByRole("listitem")
          .nth(place * 60)
          .getByRole("link")
          .click();
        await expect(page.getByRole("article", { name: /^Certificate for/ })).toBeVisible();
        await page.getByRole("link", { name: "open the public page" }).click();
        await expect(page.getByText("This certificate is valid")).toBeVisible();
        expect(await found()).toEqual([]);
      }
      await close();
    });

    test("nothing runs on the page of a course on sale, for visitors and within the app", async ({
      browser,
    }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      await page.goto(`/c/${planted.sale}`);
      await expect(page.locator("#lessons li")).toHaveCount(submissionCount);
      await expect(page.locator("#free-lesson .reading")).toContainText("alert(1)");
      await expect(page.locator("script")).toHaveCount(0);
      expect(await found()).toEqual([]);
      await page.goto("/affiliates");
      await page.locator(`a[href="/c/${planted.sale}"]`).click();
      await expect(page.locator("#lessons li")).toHaveCount(submissionCount);
      await expect(page.locator("#free-lesson .reading")).toContainText("alert(1)");
      expect(await found()).toEqual([]);
      await close();
    });

    test("nothing runs in the sentences of ratings", async ({ browser }) => {
      const { page, found, close } = await openTrapped(browser, admin, bypassCSP);
      let shown = 0;
      for (const article of planted.rated) {
        await page.goto(`/studio/analytics/articles/${article}`);
        const ratings = page.getByRole("region", { name: "Ratings" });
        await expect(ratings.getByRole("button", { name: "Take down" }).first()).toBeVisible();
        shown += await ratings.getByRole("button", { name: "Take down" }).count();
      }
      expect(shown).toBe(submissionCount);
      expect(await found()).toEqual([]);
      await close();
    });

    test("nothing runs in the moderation queue", async ({ browser }) => {
      const { page, found, close } = await openTrapped(browser, admin, bypassCSP);
      await page.goto("/admindash/queues?queue=messages");
      const queue = page.getByRole("region", { name: /^Reported messages/ });
      await expect(queue.getByRole("blockquote")).toHaveCount(submissionCount);
      await expect(queue.getByRole("img").last()).toBeAttached();
      await page.goto("/admindash/queues?queue=people");
      const people = page.getByRole("region", { name: /^Reported members/ });
      await expect(people.getByRole("blockquote")).toHaveCount(submissionCount);
      await page.goto("/admindash/queues?queue=texts");
      const texts = page.getByRole("region", { name: /^Reported direct messages/ });
      await expect(texts.getByRole("blockquote")).toHaveCount(submissionCount);
      await page.goto("/admindash/queues?queue=posts");
      const posts = page.getByRole("region", { name: /^Reported submissions/ });
      await expect(posts.getByRole("blockquote")).toHaveCount(submissionCount);
      expect(await found()).toEqual([]);
      await close();
    });
  });
}

test("the traps detect a script that does run", async ({ browser }) => {
  const { page, found, close } = await openTrapped(browser, reader, true);
  await page.goto("/chats");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const script of ["alert(1)", "window.__ran=1", "fetch('//canary.invalid/f')"]) {
    await page.evaluate((code) => {
      document.body.insertAdjacentHTML("beforeend", `<img src="/x" onerror="${code}">`);
    }, script);
  }
  await expect.poll(async () => (await found()).join()).toMatch(/called alert/);
  await expect.poll(async () => (await found()).join()).toMatch(/wrote __ran/);
  await expect.poll(async () => (await found()).join()).toMatch(/asked .*canary/);
  await close();
});
