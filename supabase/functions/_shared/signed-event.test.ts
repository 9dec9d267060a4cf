import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { checkedEvent, signedEvent } from "./signed-event.ts";

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
    return (event as { id: string }).id === "evt_1";
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

  it.each([
    ["no JSON", "not json", 400, "invalid_event"],
    ["too long", `"${"x".repeat(1_000_000)}"`, 413, "request_too_large"],
  ])("that is %s is refused as what it is", async (_, payload, status, code) => {
    const signature = await header(NOW, SECRET, payload);
    const refusal = signedEvent(stripe, payload, signature, SECRET, NOW * 1000);
    await expect(refusal).rejects.toMatchObject({ status, code });
  });
});

describe("the shape of an event", () => {
  const sound = {
    id: "evt_1",
    object: "event",
    type: "invoice.paid",
    api_version: "2026-10-28.clover",
    livemode: false,
    data: { object: { id: "in_1", object: "invoice" } },
  };
  const code = (claimed: unknown, isLive = false) => {
    try {
      checkedEvent(claimed, isLive);
      return null;
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
      return (error as { code: string }).code;
    }
  };

  it.each([
    ["nothing", null],
    ["a number", 1e308],
    ["a list", [sound]],
    ["without an id", { ...sound, id: undefined }],
    ["with a number as id", { ...sound, id: 1 }],
    ["with a NUL in its id", { ...sound, id: "evt_\0" }],
    ["without a type", { ...sound, type: undefined }],
    ["with a NUL in its type", { ...sound, type: "invoice\0" }],
    ["without data", { ...sound, data: undefined }],
    ["without an object", { ...sound, data: {} }],
    ["about a text", { ...sound, data: { object: "in_1" } }],
    ["about a list", { ...sound, data: { object: [] } }],
    ["about what has no kind", { ...sound, data: { object: { object: 1 } } }],
    ["of a made-up version", { ...sound, api_version: "latest" }],
    ["of a version that is a number", { ...sound, api_version: 2026 }],
    ["of a mode that is none", { ...sound, livemode: "no" }],
  ])("is refused: %s", (_, claimed) => {
    expect(code(claimed)).toBe("invalid_event");
  });

  it("is of a version whose objects are understood", () => {
    expect(code({ ...sound, api_version: "2024-06-20" })).toBe("unsupported_api_version");
    expect(code({ ...sound, api_version: "2025-03-31.basil" })).toBeNull();
    expect(code({ ...sound, api_version: null })).toBeNull();
    expect(code(sound)).toBeNull();
  });

  it("is of the mode the install runs in", () => {
    expect(code({ ...sound, livemode: true })).toBe("wrong_mode");
    expect(code(sound, true)).toBe("wrong_mode");
    expect(code({ ...sound, livemode: undefined }, true)).toBe("wrong_mode");
    expect(code({ ...sound, livemode: true }, true)).toBeNull();
  });
});
