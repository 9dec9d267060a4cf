import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "./demo/accounts.ts";
import { payForPlan } from "./demo/join.ts";
import { startProduct, type Product } from "./product.ts";

const FOLDER = fileURLToPath(new URL("../screenshots", import.meta.url));
const WIDTHS = [390, 1440] as const;
const SCHEMES = ["light", "dark"] as const;
const QUIET = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

/** A screen: its file name, its address, who looks at it, and what must be there before the picture. */
interface Shot {
  name: string;
  path: string;
  viewer?: string;
  prepare?: (page: Page) => Promise<void>;
}

const [student, wealthy, mentor, admin] = DEMO_ACCOUNTS.map(({ email }) => email);
const UNPAID = "screens-unpaid@demo.fourfold.test";
const PAID = "screens-paid@demo.fourfold.test";

function as(viewer: string | undefined, shots: Shot[]): Shot[] {
  return shots.map((shot) => (viewer === undefined ? shot : { ...shot, viewer }));
}

/** Opens the first article or course of a shelf. */
async function openFirst(page: Page): Promise<void> {
  await page.getByRole("article").first().getByRole("link").click();
  await page.waitForURL(/[0-9a-f-]{36}/);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy]") === null);
}

/** Opens the first course of a shelf and its first lesson. */
async function takeFirst(page: Page): Promise<void> {
  await openFirst(page);
  const enroll = page.getByRole("button", { name: "Enroll in This Course" });
  if (await enroll.isVisible()) await enroll.click();
  await page.locator(".reading").waitFor();
}

function searchFor(words: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("combobox").fill(words);
    await page.getByText(/^\d+ results?$/).waitFor();
  };
}

/** The room with the demo conversation, once its newest message is there. */
async function talk(page: Page): Promise<void> {
  await page.getByText(/what-an-hour-costs/).waitFor();
}

/** Opens the deeds of a message, as somebody who points at it sees them. */
async function pointAt(page: Page, text: string): Promise<void> {
  await talk(page);
  await page.locator("article").filter({ hasText: text }).hover();
}

const SHOTS: Shot[] = [
  { name: "landing", path: "/" },
  { name: "auth", path: "/auth" },
  { name: "signup", path: "/signup" },
  {
    name: "signup-filled",
    path: "/signup",
    prepare: async (page) => {
      await page.getByLabel("Email").fill("amara@example.com");
      await page.getByLabel("Password", { exact: true }).fill("Correct-Horse");
      await page.getByLabel("Confirm password").fill("Correct-Hors");
      await page.keyboard.press("Enter");
    },
  },
  { name: "signin", path: "/signin" },
  { name: "adminlogin", path: "/adminlogin" },
  { name: "reset-password", path: "/reset-password" },
  { name: "update-password-stale", path: "/update-password" },
  ...as(UNPAID, [
    {
      name: "paywall",
      path: "/paywall",
      prepare: async (page) => {
        const frame = page.locator('iframe[name^="__privateStripeFrame"]').first();
        await frame.contentFrame().locator("input:enabled").first().waitFor();
        await frame.scrollIntoViewIfNeeded();
      },
    },
  ]),
  ...as(PAID, [
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => ({
      name: `onboarding-${step}`,
      path: `/onboarding?step=${step}`,
    })),
    { name: "onboarding-unknown", path: "/onboarding?step=12" },
    { name: "success", path: "/success" },
  ]),
  ...as(student, [
    { name: "studentdash", path: "/studentdash" },
    { name: "subscriptions", path: "/subscriptions" },
    { name: "verification", path: "/verification" },
    { name: "account", path: "/account" },
    { name: "update-password", path: "/update-password" },
    {
      name: "error-page",
      path: "/subscriptions",
      prepare: async (page) => {
        const unreadable = [{ status: "active", current_period_end: "soon" }];
        await page.route("**/rest/v1/stripe_subscriptions*", (route) =>
          route.fulfill({ json: unreadable }),
        );
        await page.reload();
        await page.getByText("Unexpected Application Error!").waitFor();
      },
    },
    { name: "progress", path: "/progress" },
    { name: "submissions", path: "/learning/submissions" },
    { name: "new-submission", path: "/learning/create" },
  ]),
  ...as(wealthy, [
    { name: "studentdash-level-4", path: "/studentdash" },
    { name: "library-home", path: "/knowledge/foundations" },
    { name: "library-courses", path: "/business/courses" },
    { name: "library-articles", path: "/knowledge/foundations/learning" },
    { name: "library-shelf-courses", path: "/knowledge/courses/learning" },
    { name: "library-reader", path: "/knowledge/foundations/learning", prepare: openFirst },
    { name: "library-enroll", path: "/knowledge/courses/learning", prepare: openFirst },
    { name: "library-player", path: "/knowledge/courses/learning", prepare: takeFirst },
    { name: "library-missing", path: "/knowledge/foundations/nowhere" },
    { name: "search", path: "/studentdash", prepare: searchFor("habits") },
    { name: "chats-level-4", path: "/chats" },
  ]),
  ...as(student, [
    { name: "chats", path: "/chats" },
    { name: "chat-room", path: "/chats/general", prepare: talk },
    {
      name: "chat-room-menu",
      path: "/chats/general",
      prepare: async (page) => {
        await pointAt(page, "Good. So five paying hours");
        await page
          .locator("article")
          .filter({ hasText: "Good. So five paying hours" })
          .getByRole("button", { name: "More" })
          .click();
        await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
      },
    },
    {
      name: "chat-room-reply",
      path: "/chats/general",
      prepare: async (page) => {
        await pointAt(page, "Good. So five paying hours");
        await page
          .locator("article")
          .filter({ hasText: "Good. So five paying hours" })
          .getByRole("button", { name: "Reply", exact: true })
          .click();
        await page.getByRole("textbox").fill("The last one, always. ".repeat(180));
      },
    },
    {
      name: "chat-room-offline",
      path: "/chats/accountability",
      prepare: async (page) => {
        await page.context().setOffline(true);
        await page.getByRole("textbox").fill("First club called. They said yes.");
        await page.keyboard.press("Enter");
        await page.getByText("Waiting for the network").waitFor();
      },
    },
    { name: "chat-room-empty", path: "/chats/motivation" },
    { name: "chat-room-not-found", path: "/chats/nowhere" },
  ]),
  ...as(mentor, [{ name: "mentordash", path: "/mentordash" }]),
  ...as(admin, [
    { name: "admindash", path: "/admindash" },
    {
      name: "admin-review",
      path: "/admindash",
      prepare: async (page) => {
        await page.getByRole("button", { name: /Priya Raman/ }).click();
        await page.getByRole("img", { name: /^Identity document of/ }).waitFor();
      },
    },
  ]),
];

/** Sessions of everybody who looks, made once: signing in for each picture would meet the rate limits. */
async function makeSessions(product: Product): Promise<Map<string, string>> {
  const { anonKey } = product.host.context.keys.api;
  const sessions = new Map<string, string>();
  for (const email of [UNPAID, PAID, ...DEMO_ACCOUNTS.map((account) => account.email)]) {
    const client = createClient(product.url, anonKey, { auth: QUIET });
    const isNew = email.startsWith("screens-");
    const { data, error } = isNew
      ? await client.auth.signUp({ email, password: DEMO_PASSWORD })
      : await client.auth.signInWithPassword({ email, password: DEMO_PASSWORD });
    if (error || !data.user) throw error ?? new Error(`${email} has no session`);
    if (isNew) {
      const row = { id: data.user.id, onboarding_complete: false, role: "student" };
      await client.from("profiles").insert(row);
    }
    if (email === PAID) {
      await payForPlan(client, "student-access");
      await client.from("onboarding_progress").upsert({
        user_id: data.user.id,
        current_step: 9,
        completed_steps: [1, 2, 3, 4, 5, 6, 7, 8],
        data: { first_name: "Amara", last_name: "Whitfield", occupation: "Optician" },
      });
    }
    sessions.set(email, JSON.stringify(data.session));
  }
  return sessions;
}

async function openContext(
  browser: Browser,
  product: Product,
  width: number,
  scheme: "light" | "dark",
  session: string | undefined,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: scheme,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  if (session !== undefined) {
    const key = `sb-${new URL(product.url).hostname.split(".")[0]}-auth-token`;
    await context.addInitScript(([name, value]) => localStorage.setItem(name, value), [
      key,
      session,
    ] as const);
  }
  return context;
}

/** Makes the window as tall as its page, so that bars stay at its edges and frames are painted. */
async function growToContent(page: Page): Promise<void> {
  const size = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (size !== null && height > size.height) await page.setViewportSize({ ...size, height });
}

async function takeAll(product: Product, browser: Browser, wanted: Shot[]): Promise<void> {
  const sessions = await makeSessions(product);
  for (const shot of wanted) {
    for (const width of WIDTHS) {
      for (const scheme of SCHEMES) {
        const session = shot.viewer === undefined ? undefined : sessions.get(shot.viewer);
        const context = await openContext(browser, product, width, scheme, session);
        const page = await context.newPage();
        await page.goto(shot.path);
        await page.waitForLoadState("networkidle");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForFunction(() => document.querySelector("[aria-busy]") === null);
        await shot.prepare?.(page);
        await growToContent(page);
        await page.screenshot({ path: join(FOLDER, `${shot.name}-${width}-${scheme}.png`) });
        await context.close();
      }
    }
    process.stdout.write(`${shot.name}\n`);
  }
}

const names = process.argv.slice(2);
const wanted = names.length === 0 ? SHOTS : SHOTS.filter(({ name }) => names.includes(name));
await mkdir(FOLDER, { recursive: true });
const dataDir = await mkdtemp(join(tmpdir(), "fourfold-screens-"));
const product = await startProduct({
  env: { PORT: "0", DATA_DIR: join(dataDir, "data"), DEMO: "1" },
  log: pino({ level: "silent" }),
});
const browser = await chromium.launch({
  ...(process.env["CHROME_PATH"] ? { executablePath: process.env["CHROME_PATH"] } : {}),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  await takeAll(product, browser, wanted);
} finally {
  await browser.close();
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(`Pictures are in ${FOLDER}\n`);
