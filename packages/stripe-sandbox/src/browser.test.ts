import { existsSync } from "node:fs";
import { chromium, type Browser, type FrameLocator, type Page } from "@playwright/test";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openShop, type Shop } from "./testing/shop.ts";

const systemChromiums = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

let shop: Shop;
let browser: Browser;
let page: Page;
let isOpen = false;
let card: FrameLocator;
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

async function open(options: Parameters<Browser["newPage"]>[0] = {}): Promise<void> {
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, ...options });
  page.setDefaultTimeout(60_000);
  complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(shop.url);
  await page.locator("#events").filter({ hasText: "ready" }).waitFor({ state: "attached" });
  isOpen = true;
  card = page.frameLocator('iframe[name^="__privateStripeFrame"]');
}

/** One page serves many tests; its card is emptied between them. */
beforeEach(async () => {
  if (!isOpen) return await open();
  await page.evaluate("shop.card.clear(); document.querySelector('#result').textContent = ''");
  complaints.length = 0;
});

async function fill(number: string, expiry = "12 / 40", cvc = "123"): Promise<void> {
  await card.locator('[name="cardnumber"]').fill(number);
  await card.locator('[name="exp-date"]').fill(expiry);
  await card.locator('[name="cvc"]').fill(cvc);
}

async function result(): Promise<Record<string, unknown>> {
  const output = page.locator("#result");
  await output.filter({ hasText: "{" }).waitFor();
  return JSON.parse((await output.textContent()) ?? "") as Record<string, unknown>;
}

const pay = () => page.getByRole("button", { name: "PAY" }).click();
const message = () => page.locator("#error").textContent();

describe("paying", () => {
  it("works with a good card, under a strict content policy", async () => {
    await fill("4242424242424242");
    await pay();
    expect(await result()).toHaveProperty("active");
    expect(complaints).toEqual([]);
  });

  it.each([
    ["4000000000000002", "Your card was declined."],
    ["4000000000009995", "Your card has insufficient funds."],
    ["4000000000000069", "Your card has expired."],
    ["4000000000000127", "Your card's security code is incorrect."],
  ])("with %s tells: %s", async (number, refused) => {
    await fill(number);
    await pay();
    expect(await result()).toEqual({ refused });
  });

  it("goes through a challenge that is accepted", async () => {
    await fill("4000002500003155");
    await pay();
    const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
    await expect(challenge.getByText("£50.00").textContent()).resolves.toBe("£50.00");
    await challenge.getByRole("button", { name: "Complete authentication" }).click();
    expect(await result()).toMatchObject({ paymentIntent: { status: "succeeded" } });
    expect(await page.locator("dialog").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("goes through a challenge that is refused", async () => {
    await fill("4000002500003155");
    await pay();
    const challenge = page.frameLocator('iframe[name="stripe-challenge-frame"]');
    await challenge.getByRole("button", { name: "Fail authentication" }).click();
    expect(await result()).toMatchObject({
      error: {
        code: "payment_intent_authentication_failure",
        message:
          "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
        payment_intent: { status: "requires_payment_method" },
      },
    });
  });
});

describe("the card entry", () => {
  it("formats, names the brand and moves on by itself", async () => {
    const number = card.locator('[name="cardnumber"]');
    await number.click();
    await page.keyboard.type("378282246310005");
    expect(await number.inputValue()).toBe("3782 822463 10005");
    await page.keyboard.type("140");
    expect(await card.locator('[name="exp-date"]').inputValue()).toBe("14 / 0");
    await expect.poll(message).toBe("Your card's expiration date is invalid.");
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("Backspace");
    await page.keyboard.type("240");
    expect(await card.locator('[name="exp-date"]').inputValue()).toBe("02 / 40");
    await page.keyboard.type("1234");
    expect(await card.locator('[name="cvc"]').inputValue()).toBe("1234");
    const readChange = async () =>
      JSON.parse((await page.locator("body").getAttribute("data-change")) ?? "{}") as object;
    // The frame tells the page of each change by a message.
    await expect.poll(readChange).toMatchObject({
      elementType: "card",
      brand: "amex",
      complete: true,
      empty: false,
    });
    const change = await readChange();
    expect(change).not.toHaveProperty("error");
    expect(JSON.stringify(change)).not.toContain("3782");
    expect(await page.locator("#card").getAttribute("class")).toContain("StripeElement--complete");
    expect(await page.locator("#events").textContent()).toMatch(/^ready focus .*change/);
  });

  it.each([
    ["4242424242424241", "12 / 40", "123", "invalid_number", "Your card number is invalid."],
    ["4242", "12 / 40", "123", "incomplete_number", "Your card number is incomplete."],
    [
      "4242424242424242",
      "12",
      "123",
      "incomplete_expiry",
      "Your card's expiration date is incomplete.",
    ],
    [
      "4242424242424242",
      "12 / 20",
      "123",
      "invalid_expiry_year_past",
      "Your card's expiration year is in the past.",
    ],
    [
      "4242424242424242",
      "12 / 40",
      "1",
      "incomplete_cvc",
      "Your card's security code is incomplete.",
    ],
    ["", "", "", "incomplete_number", "Your card number is incomplete."],
  ])("refuses %s %s %s", async (number, expiry, cvc, code, text) => {
    await fill(number, expiry, cvc);
    await pay();
    expect(await result()).toEqual({ error: { type: "validation_error", code, message: text } });
  });

  it("is reached by its label and by keyboard, sends its form on Enter, and is cleared", async () => {
    await page.getByText("Card", { exact: true }).click();
    // The frame is told by a message, so the focus comes a moment later.
    await card.locator('[name="cardnumber"]:focus').waitFor();
    await page.keyboard.type("4242424242424242");
    await page.keyboard.type("1240");
    await page.keyboard.type("123");
    await page.keyboard.press("Enter");
    expect(await result()).toHaveProperty("active");
    await page.evaluate("shop.card.clear()");
    await card.locator('[name="cardnumber"]:placeholder-shown').waitFor();
    await page.evaluate("shop.card.destroy()");
    expect(await page.locator("iframe").count()).toBe(0);
    await page.evaluate("shop.stripe.elements().create('card').mount('#card')");
    await card.locator('[name="postal"]').waitFor();
    await page.close();
    isOpen = false;
  });

  it("accepts autofilled values and uses the page's colours", async () => {
    const expiry = card.locator('[name="exp-date"]');
    await expiry.fill("03/2041");
    expect(await expiry.inputValue()).toBe("03 / 41");
    const colour = await card
      .locator('[name="cardnumber"]')
      .evaluate((field) => getComputedStyle(field).color);
    expect(colour).toBe("rgb(25, 29, 43)");
    const fits = await card.locator("form").evaluate((form) => form.scrollWidth <= innerWidth);
    expect(fits).toBe(true);
  });

  it("cannot be read by the page", async () => {
    await fill("4242424242424242");
    const seen = await page.evaluate("document.querySelector('iframe').contentDocument");
    expect(seen).toBeNull();
    expect(await page.content()).not.toContain("4242");
  });
});
