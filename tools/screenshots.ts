import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import { pino } from "pino";
import { demoAccounts, demoAuthenticatorKey, demoPassword } from "./demo/accounts.ts";
import { payForPlan } from "./demo/join.ts";
import { startProduct, type Product } from "./product.ts";
import type { Shot } from "./screenshots/shot.ts";
import { paidEmail, shots, unpaidEmail } from "./screenshots/shots.ts";
import { takeTourPicture, tourShots, tourWindow } from "./screenshots/tour.ts";

const screenshotsFolder = fileURLToPath(new URL("../screenshots", import.meta.url));
const tourFolder = fileURLToPath(new URL("../docs/images", import.meta.url));
const viewportWidths = [390, 1440] as const;
const colorSchemes = ["light", "dark"] as const;
const authOptions = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

/** One session per account, because signing in for every screenshot would exceed the rate limits. */
async function makeSessions(product: Product): Promise<Map<string, string>> {
  const { anonKey } = product.host.context.keys.api;
  const sessions = new Map<string, string>();
  for (const email of [unpaidEmail, paidEmail, ...demoAccounts.map((account) => account.email)]) {
    const client = createClient(product.url, anonKey, { auth: authOptions });
    const isNew = email.startsWith("screens-");
    const { data, error } = isNew
      ? await client.auth.signUp({ email, password: demoPassword })
      : await client.auth.signInWithPassword({ email, password: demoPassword });
    if (error || !data.user) throw error ?? new Error(`${email} has no session`);
    if (isNew) {
      const row = { id: data.user.id, onboarding_complete: false, role: "student" };
      await client.from("profiles").insert(row);
    }
    if (email === paidEmail) {
      await payForPlan(client, "student-access");
      await client.from("onboarding_progress").upsert({
        user_id: data.user.id,
        current_step: 9,
        completed_steps: [1, 2, 3, 4, 5, 6, 7, 8],
        data: { first_name: "Amara", last_name: "Whitfield", occupation: "Optician" },
      });
    }
    if (demoAccounts.some((account) => account.email === email && account.role === "admin")) {
      await showSecondFactor(client);
    }
    const { data: current } = await client.auth.getSession();
    sessions.set(email, JSON.stringify(current.session));
  }
  return sessions;
}

/** Enters the code of the administrator's authenticator app. */
async function showSecondFactor(client: SupabaseClient): Promise<void> {
  const { data, error } = await client.auth.mfa.listFactors();
  if (error) throw error;
  const code = new TOTP({ secret: demoAuthenticatorKey }).generate();
  const factorId = data.totp[0]?.id ?? "";
  const verified = await client.auth.mfa.challengeAndVerify({ factorId, code });
  if (verified.error) throw verified.error;
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

/** Makes the window as tall as its page, so that sticky bars stay at the edges and iframes are painted. */
async function growToContent(page: Page): Promise<void> {
  const size = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (size !== null && height > size.height) await page.setViewportSize({ ...size, height });
}

/** Opens the page of a shot and waits until all of it is there. */
async function openShot(context: BrowserContext, product: Product, shot: Shot): Promise<Page> {
  const page = await context.newPage();
  await page.goto(shot.path);
  await page.waitForLoadState("networkidle");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await shot.prepare?.(page, product.host.context.db.admin);
  return page;
}

type Sessions = ReadonlyMap<string, string>;
const sessionFor = (sessions: Sessions, { viewer }: Shot) =>
  viewer === undefined ? undefined : sessions.get(viewer);

async function takeAll(product: Product, browser: Browser, wanted: readonly Shot[]): Promise<void> {
  const sessions = await makeSessions(product);
  for (const shot of wanted) {
    for (const width of viewportWidths) {
      for (const scheme of colorSchemes) {
        const session = sessionFor(sessions, shot);
        const context = await openContext(browser, product, width, scheme, session);
        const page = await openShot(context, product, shot);
        await growToContent(page);
        // A colour transition must have ended.
        const path = join(screenshotsFolder, `${shot.name}-${width}-${scheme}.png`);
        await page.screenshot({ path, animations: "disabled" });
        await context.close();
      }
    }
    process.stdout.write(`${shot.name}\n`);
  }
}

async function takeTour(product: Product, browser: Browser): Promise<void> {
  const sessions = await makeSessions(product);
  for (const name of tourShots) {
    const shot = shots.find((each) => each.name === name);
    if (!shot) throw new Error(`There is no shot called ${name}.`);
    const { width } = tourWindow;
    const session = sessionFor(sessions, shot);
    const context = await openContext(browser, product, width, "light", session);
    await takeTourPicture(await openShot(context, product, shot), tourFolder, name);
    await context.close();
    process.stdout.write(`${name}\n`);
  }
}

const isTour = process.argv.includes("--tour");
const names = process.argv.slice(2);
const wanted = names.length === 0 ? shots : shots.filter(({ name }) => names.includes(name));
await mkdir(screenshotsFolder, { recursive: true });
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
  if (isTour) await takeTour(product, browser);
  else await takeAll(product, browser, wanted);
} finally {
  await browser.close();
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(`Pictures are in ${isTour ? tourFolder : screenshotsFolder}\n`);
