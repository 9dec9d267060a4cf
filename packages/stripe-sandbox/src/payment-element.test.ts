import { existsSync } from "node:fs";
import { chromium, type Browser, type FrameLocator, type Page } from "@playwright/test";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { client } from "./testing/sandbox-fixture.ts";
import { openShop, type Shop } from "./testing/shop.ts";

const systemChromiums = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

let shop: Shop;
let browser: Browser;
let page: Page;
let payment: FrameLocator;
let complaints: string[];

beforeAll(async () => {
  shop = await openShop();
  const path = [process.env["CHROME_PATH"] ?? "", ...systemChromiums].find(existsSync);
  browser = await chromium.launch({
    args: ["--no-sandbox"],
    ...(path !== undefined && { executablePath: path }),
  });
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});

beforeEach(async () => {
  await open();
  return async () => await page.close();
});

/** The shop with the Payment Element, made with these options. */
async function open(options: object = {}, elementOptions: object = {}): Promise<void> {
  page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  page.setDefaultTimeout(60_000);
  complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(shop.url);
  await page.locator("#events").filter({ hasText: "ready" }).waitFor({ state: "attached" });
  await show(options, elementOptions);
}

async function show(options: object, elementOptions: object): Promise<void> {
  await page.evaluate(
    `shop.usePaymentElement(${JSON.stringify(options)}, ${JSON.stringify(elementOptions)})`,
  );
  await page.locator('body[data-ready="payment"]').waitFor();
  payment = page.frameLocator('iframe[title="Secure payment input frame"]');
}

async function fill(number: string): Promise<void> {
  await payment.getByLabel("Card number").fill(number);
  await payment.getByLabel("Expiry date").fill("12 / 40");
  await payment.getByLabel("Security code").fill("123");
}

async function result(): Promise<Record<string, unknown>> {
  const output = page.locator("#result");
  await output.filter({ hasText: "{" }).waitFor();
  return JSON.parse((await output.textContent()) ?? "") as Record<string, unknown>;
}

const pay = () => page.getByRole("button", { name: "PAY" }).click();
const wallet = (name: string) => page.frameLocator(`iframe[title="${name}"]`);
const change = async () =>
  JSON.parse((await page.locator("body").getAttribute("data-change")) ?? "{}") as object;
/** What a promise of the page rejects with. */
const refusal = (script: string) =>
  page.evaluate(`(async () => ${script})().then(() => "", (error) => error.message)`);

describe("a card in the Payment Element", () => {
  it("pays, under a strict content policy, and cannot be read by the page", async () => {
    await fill("4242424242424242");
    await expect.poll(change).toMatchObject({
      elementType: "payment",
      complete: true,
      empty: false,
      value: { type: "card" },
    });
    expect(await page.content()).not.toContain("4242");
    await pay();
    expect(await result()).toHaveProperty("active");
    expect(complaints).toEqual([]);
  });

  it("shows by itself what is missing, and makes no payment method of it", async () => {
    await fill("4242");
    await pay();
    const error = { type: "validation_error", code: "incomplete_number" };
    expect(await result()).toMatchObject({ error });
    expect(await payment.getByRole("alert").textContent()).toBe("Your card number is incomplete.");
    expect(await refusal("shop.stripe.createPaymentMethod({ elements: shop.elements })")).toMatch(
      /elements.submit\(\) must be called/,
    );
  });

  it("goes through the bank's challenge", async () => {
    await fill("4000002500003155");
    await pay();
    const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
    await challenge.getByRole("button", { name: "Complete authentication" }).click();
    expect(await result()).toMatchObject({ paymentIntent: { status: "succeeded" } });
  });
});

describe("a wallet in the Payment Element", () => {
  it.each([
    ["Google Pay", "google_pay"],
    ["Link", "link"],
  ])("%s asks in its own window and pays as a card", async (name, type) => {
    await payment.getByLabel(`${name} (test)`).check();
    await expect.poll(change).toMatchObject({ complete: true, value: { type } });
    await pay();
    await wallet(name).getByRole("button", { name: "Confirm" }).click();
    expect(await result()).toHaveProperty("active");
    const [method] = (await client(shop.sandbox).paymentMethods.list({ limit: 1 })).data;
    expect(method).toMatchObject({ type: "card", card: { last4: "4242", wallet: { type } } });
    // Not the card's own: a device has its own number, and Link tells none.
    const own = await client(shop.sandbox).paymentMethods.retrieve("pm_card_visa");
    expect(method?.card?.fingerprint).not.toBe(own.card?.fingerprint);
    expect(complaints).toEqual([]);
  });

  it("is cancelled, and nothing is made", async () => {
    await payment.getByLabel("Google Pay (test)").check();
    await pay();
    await wallet("Google Pay").getByRole("button", { name: "Cancel" }).click();
    expect(await result()).toMatchObject({ error: { code: "payment_cancelled" } });
    expect(await page.locator("dialog").count()).toBe(0);
  });

  it("is left out where the page says so, and reached by keyboard where not", async () => {
    await payment.getByLabel("Card", { exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await payment.getByLabel("Google Pay (test)").isChecked()).toBe(true);
    await page.close();
    await open({}, { wallets: { googlePay: "never", link: "never" } });
    expect(await payment.getByLabel("Google Pay (test)").isVisible()).toBe(false);
    expect(await payment.getByLabel("Link (test)").isVisible()).toBe(false);
    await payment.getByLabel("Card number").waitFor();
  });
});

describe("confirming in the browser", () => {
  const secrets = "await (await fetch('/intents', { method: 'POST' })).json()";

  it("stays on the page where that is asked for", async () => {
    await fill("4242424242424242");
    const intent = await page.evaluate(`(async () => {
      const { payment } = ${secrets};
      await shop.elements.submit();
      return await shop.stripe.confirmPayment({
        elements: shop.elements, clientSecret: payment, redirect: "if_required",
      });
    })()`);
    expect(intent).toMatchObject({ paymentIntent: { status: "succeeded" } });
  });

  it.each([
    ["Payment", "payment_intent", "payment"],
    ["Setup", "setup_intent", "setup"],
  ])("confirm%s leads to the return address otherwise", async (kind, name, secret) => {
    await fill("4242424242424242");
    void page
      .evaluate(
        `(async () => {
        const secrets = ${secrets};
        await shop.elements.submit();
        await shop.stripe.confirm${kind}({
          elements: shop.elements,
          clientSecret: secrets.${secret},
          confirmParams: { return_url: location.origin + "/?back=1" },
        });
      })()`,
      )
      .catch(() => undefined);
    await page.waitForURL(/back=1/);
    const back = new URL(page.url()).searchParams;
    expect(back.get("redirect_status")).toBe("succeeded");
    expect(back.get(name)).toMatch(/^(pi|seti)_/);
    expect(back.get(`${name}_client_secret`)).toContain("_secret_");
  });

  it("needs a return address, a submitted form, and a way to pay that was announced", async () => {
    const confirm = (more: string) =>
      refusal(
        `shop.stripe.confirmPayment({ elements: shop.elements, clientSecret: "pi_1_secret_2", ${more} })`,
      );
    expect(await confirm("")).toMatch(/return_url/);
    expect(await confirm('redirect: "if_required"')).toMatch(/elements.submit\(\)/);
    const make = (options: string) => refusal(`shop.stripe.elements(${options}).create("payment")`);
    expect(await make("{}")).toMatch(/clientSecret, or a mode/);
    expect(await make('{ mode: "payment", currency: "gbp" }')).toMatch(/amount/);
    expect(await make('{ mode: "setup", currency: "GBP" }')).toMatch(/currency/);
  });

  it("makes a payment method by itself only where that was announced", async () => {
    await page.close();
    await open({ paymentMethodCreation: null });
    expect(await refusal("shop.stripe.createPaymentMethod({ elements: shop.elements })")).toMatch(
      /paymentMethodCreation: "manual"/,
    );
  });
});
