import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BillingFixture } from "../support/billing.ts";

let billing: BillingFixture;
beforeAll(() => {
  billing = new BillingFixture(inject("host"), inject("sandbox"));
});
afterAll(async () => await billing.close());

describe("a correctly signed body that is no event", () => {
  async function postSigned(payload: string) {
    const signature = await billing.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: billing.sandbox.webhookSecret,
    });
    return await billing.postRaw(payload, { "stripe-signature": signature });
  }
  const about = (object: string) =>
    `{"id": "evt_1", "type": "customer.subscription.updated", "data": {"object": ${object}}}`;

  it.each([
    ["no JSON", "not json"],
    ["null", "null"],
    ["a number", "1e400"],
    ["a list", "[]"],
    ["empty", "{}"],
    ["without a type", '{"id": "evt_1", "data": {"object": {}}}'],
    ["without an object", '{"id": "evt_1", "type": "charge.refunded", "data": {}}'],
    ["about a number", about("7")],
    ["about an id that is a number", about('{"object": "subscription", "id": 1e308}')],
    ["about an id that is a path", about('{"object": "subscription", "id": "../x"}')],
    ["nested a hundred thousand deep", "[".repeat(100_000) + "]".repeat(100_000)],
    ["named with a NUL", about("{}").replace("evt_1", "evt_\\u0000")],
  ])("is refused as malformed: %s", async (_, payload) => {
    expect(await postSigned(payload)).toMatchObject({
      status: 400,
      body: { code: "invalid_event" },
    });
  });

  it("is accepted when only unused fields are malformed", async () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const payload = about(`{"object": "made_up", "amount": 1e400, "deep": ${deep}}`);
    expect(await postSigned(payload)).toEqual({
      status: 200,
      body: { received: true, handled: false },
    });
  });

  it("is refused when it comes from live mode", async () => {
    const event = { id: "evt_1", type: "made.up", livemode: true, data: { object: {} } };
    expect(await billing.postEvent(event)).toMatchObject({
      status: 400,
      body: { code: "wrong_mode" },
    });
  });

  it("is refused when it is too long to be one", async () => {
    expect(await postSigned(`"${"x".repeat(1_000_001)}"`)).toMatchObject({
      status: 413,
      body: { code: "request_too_large" },
    });
  });
});
