import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { signedEvent } from "./signed-event.ts";

const stripe = new Stripe("sk_test_unused");
const SECRET = "whsec_test";
const NOW = 1_800_000_000;
const BODY = JSON.stringify({ id: "evt_1", object: "event", type: "invoice.paid" });

async function header(timestamp: number, secret = SECRET, payload = BODY): Promise<string> {
  return await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
}

async function taken(body: string, signature: string | null): Promise<boolean> {
  try {
    const event = await signedEvent(stripe, body, signature, SECRET, NOW * 1000);
    return event.id === "evt_1";
  } catch (error) {
    expect(error).toMatchObject({ status: 400, code: "invalid_signature" });
    return false;
  }
}

describe("a signed event", () => {
  it.each([
    [0, true],
    [-300, true],
    [-301, false],
    [5, true],
    [6, false],
    [3600, false],
  ])("stamped %i seconds from now is taken: %s", async (offset, expected) => {
    expect(await taken(BODY, await header(NOW + offset))).toBe(expected);
  });

  it("is over these bytes and by this secret", async () => {
    expect(await taken(`${BODY} `, await header(NOW))).toBe(false);
    expect(await taken(BODY, await header(NOW, "whsec_other"))).toBe(false);
    expect(await taken(BODY, null)).toBe(false);
  });

  it("may carry a second signature while the secret is being changed", async () => {
    const [old, current] = [await header(NOW, "whsec_old"), await header(NOW)];
    expect(await taken(BODY, `${old},${current.split(",")[1]}`)).toBe(true);
  });

  it("has one stamp", async () => {
    expect(await taken(BODY, `t=${NOW},${await header(NOW)}`)).toBe(false);
    expect(await taken(BODY, `t=${NOW},${await header(NOW + 900)}`)).toBe(false);
  });

  it("is JSON", async () => {
    const payload = "not json";
    expect(await taken(payload, await header(NOW, SECRET, payload))).toBe(false);
  });
});
