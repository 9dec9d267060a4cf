import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { parseWebhookEvent, verifyWebhook } from "./verify-webhook.ts";

const stripe = new Stripe("sk_test_unused");
const webhookSecret = "whsec_test";
const nowS = 1_800_000_000;
const signedBody = JSON.stringify({ id: "evt_1", object: "event", type: "invoice.paid" });

async function header(
  timestamp: number,
  secret = webhookSecret,
  payload = signedBody,
): Promise<string> {
  return await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
}

async function taken(
  body: string,
  signature: string | null,
  setting = webhookSecret,
): Promise<boolean> {
  try {
    const event = await verifyWebhook(stripe, body, signature, setting, nowS * 1000);
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
    expect(await taken(signedBody, await header(nowS + offset))).toBe(expected);
  });

  it("must be signed over the exact body with this secret", async () => {
    expect(await taken(`${signedBody} `, await header(nowS))).toBe(false);
    expect(await taken(signedBody, await header(nowS, "whsec_other"))).toBe(false);
    expect(await taken(signedBody, null)).toBe(false);
  });

  it("may carry a second signature while the secret is being changed", async () => {
    const [old, current] = [await header(nowS, "whsec_old"), await header(nowS)];
    expect(await taken(signedBody, `${old},${current.split(",")[1]}`)).toBe(true);
  });

  it.each(["whsec_old,whsec_new", " whsec_old , whsec_new ", "whsec_old,whsec_new,"])(
    "is taken by either of two secrets, set as %j, and by no other",
    async (setting) => {
      expect(await taken(signedBody, await header(nowS, "whsec_old"), setting)).toBe(true);
      expect(await taken(signedBody, await header(nowS, "whsec_new"), setting)).toBe(true);
      expect(await taken(signedBody, await header(nowS, "whsec_other"), setting)).toBe(false);
      expect(await taken(signedBody, await header(nowS, setting), setting)).toBe(false);
      expect(await taken(signedBody, await header(nowS - 301, "whsec_new"), setting)).toBe(false);
    },
  );

  it("is refused where the setting holds no secret", async () => {
    expect(await taken(signedBody, await header(nowS, " "), " , ")).toBe(false);
  });

  it("has exactly one timestamp", async () => {
    expect(await taken(signedBody, `t=${nowS},${await header(nowS)}`)).toBe(false);
    expect(await taken(signedBody, `t=${nowS},${await header(nowS + 900)}`)).toBe(false);
  });

  it.each([
    ["no JSON", "not json", 400, "invalid_event"],
    ["too long", `"${"x".repeat(1_000_000)}"`, 413, "request_too_large"],
  ])("that is %s is refused as what it is", async (_, payload, status, code) => {
    const signature = await header(nowS, webhookSecret, payload);
    const verified = verifyWebhook(stripe, payload, signature, webhookSecret, nowS * 1000);
    await expect(verified).rejects.toMatchObject({ status, code });
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
  const code = (claimed: unknown, isLiveMode = false) => {
    try {
      parseWebhookEvent(claimed, isLiveMode);
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

  it("must have a supported API version", () => {
    expect(code({ ...sound, api_version: "2024-06-20" })).toBe("unsupported_api_version");
    expect(code({ ...sound, api_version: "2025-03-31.basil" })).toBeNull();
    expect(code({ ...sound, api_version: null })).toBeNull();
    expect(code(sound)).toBeNull();
  });

  it("must match the install's mode", () => {
    expect(code({ ...sound, livemode: true })).toBe("wrong_mode");
    expect(code(sound, true)).toBe("wrong_mode");
    expect(code({ ...sound, livemode: undefined }, true)).toBe("wrong_mode");
    expect(code({ ...sound, livemode: true }, true)).toBeNull();
  });
});
