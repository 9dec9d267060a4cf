import type { Browser, Page } from "@playwright/test";
import pg from "pg";
import { createAccount, createAdmin, seedSession, type Account } from "./support/accounts.ts";
import { createRoom } from "./support/chat.ts";
import { running, runningProductVariable } from "./support/running-product.ts";
import { scriptPayloads } from "./support/script-payloads.ts";
import { expect, test } from "./support/test.ts";
import { startTestProduct } from "../support/backend-setup.ts";

/* A product of its own, so that other tests do not see these accounts. */
test.describe.configure({ mode: "serial" });

const printable = (text: string) => text.replaceAll(/\p{Cc}/gu, " ");
const submissionCount = scriptPayloads.length;

let stop: (() => Promise<void>) | undefined;
let shared: string | undefined;
let reader: Account;
let admin: Account;
let room: { id: string; name: string };

/**
 * One member for each payload, who carries it as name, occupation, bio and topic and says it in a message, an
 * answer, reports, a submission and a comment. Written behind the rules, as if they had failed.
 */
async function plant(): Promise<void> {
  const owner = new pg.Client({ connectionString: running().host.databaseUrl });
  await owner.connect();
  try {
    await owner.query("set session_replication_role = replica");
    await owner.query(
      `create temporary table planted as
         select gen_random_uuid() as member, gen_random_uuid() as message, gen_random_uuid() as submission,
           place, text, name from unnest($1::text[], $2::text[]) with ordinality as t (text, name, place)`,
      [scriptPayloads, scriptPayloads.map(printable)],
    );
    await owner.query(`insert into auth.users (id, aud, role, email)
      select member, 'authenticated', 'authenticated', 'payload' || place || '@example.test' from planted`);
    await owner.query(`insert into public.profiles (id, role, onboarding_complete, first_name, last_name, occupation, bio)
      select member, 'student', true, left(name, 100), left(name, 100), left(name, 150), left(text, 2000) from planted`);
    await owner.query(
      `insert into public.profile_choices (user_id, topics) select member, array[text] from planted`,
    );
    await owner.query(`insert into public.complimentary_memberships (user_id, plan_id, reason)
      select member, 'student-access', 'Planted' from planted`);
    await owner.query("select private.list_in_directory(member) from planted");
    await owner.query(
      `insert into private.member_reports (member_id, user_id, reason, profile)
      select member, $1, left(text, 500), jsonb_build_object('name', name, 'occupation', name, 'bio', text, 'topics', array[text])
      from planted`,
      [admin.id],
    );
    await owner.query(
      `insert into public.chat_messages (id, user_id, chat_room_id, content, message_type, parent_message_id, created_at)
       select message, member, $1, text, case when place > 1 then 'reply' else 'message' end,
         lag(message) over (order by place), now() - make_interval(mins => (1000 - place)::integer)
       from planted`,
      [room.id],
    );
    await owner.query(`insert into private.message_reports (message_id, user_id, reason, content)
      select message, member, left(text, 500), text from planted`);
    await owner.query(`insert into public.learning_submissions
        (id, user_id, submission_type, title, content, comment_count, created_at)
      select submission, member, 'success', left(text, 150), text, case when place = 1 then (select count(*) from planted) else 0 end,
        now() + make_interval(secs => -place) from planted`);
    await owner.query(`insert into public.learning_submission_comments (user_id, submission_id, content)
      select member, (select submission from planted where place = 1), text from planted order by place`);
  } finally {
    await owner.end();
  }
}

test.beforeAll(async () => {
  const own = await startTestProduct();
  stop = own.stop;
  shared = process.env[runningProductVariable];
  process.env[runningProductVariable] = JSON.stringify({ host: own.running, sandbox: own.sandbox });
  [reader, admin] = await Promise.all([createAccount("onboarded"), createAdmin()]);
  room = await createRoom();
  await plant();
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
    test("nothing runs in a room: names, messages, quotes, reply banner, report", async ({
      browser,
    }) => {
      const { page, found, close } = await openTrapped(browser, reader, bypassCSP);
      expect(await readWholeRoom(page)).toBe(submissionCount);
      const row = page.getByRole("log").locator("article").nth(2);
      // By keyboard: bringing a row into view scrolls the list, and while it scrolls it takes no clicks.
      await row.getByRole("button", { name: "Reply", exact: true }).press("Enter");
      await expect(page.getByText("Replying to")).toBeVisible();
      await row.getByRole("button", { name: "More" }).press("Enter");
      await page.getByRole("menuitem", { name: "Report to a moderator" }).click();
      await expect(page.getByRole("dialog", { name: "Report to a moderator" })).toBeVisible();
      expect(await found()).toEqual([]);
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

    test("nothing runs in the moderation queue", async ({ browser }) => {
      const { page, found, close } = await openTrapped(browser, admin, bypassCSP);
      await page.goto("/admindash/queues?queue=messages");
      const queue = page.getByRole("region", { name: /^Reported messages/ });
      await expect(queue.getByRole("blockquote")).toHaveCount(submissionCount);
      await page.goto("/admindash/queues?queue=people");
      const people = page.getByRole("region", { name: /^Reported members/ });
      await expect(people.getByRole("blockquote")).toHaveCount(submissionCount);
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
