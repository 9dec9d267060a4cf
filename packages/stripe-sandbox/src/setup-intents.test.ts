import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { client, failure, openFixture, testPublishableKey } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

async function newSetup(): Promise<Stripe.SetupIntent> {
  const { id: customer } = await stripe.customers.create({});
  return await stripe.setupIntents.create({
    customer,
    usage: "off_session",
    allowed_payment_method_types: ["card"],
  });
}

describe("a setup intent", () => {
  it("saves a card to its customer without taking money", async () => {
    const setup = await newSetup();
    expect(setup).toMatchObject({ status: "requires_payment_method", payment_method: null });
    const done = await stripe.setupIntents.confirm(setup.id, { payment_method: "pm_card_visa" });
    expect(done.status).toBe("succeeded");
    const method = await stripe.paymentMethods.retrieve(expandableId(done.payment_method));
    expect(method.customer).toBe(setup.customer);
    const customer = expandableId(setup.customer);
    expect((await stripe.charges.list({ customer })).data).toEqual([]);
    const again = await failure(
      stripe.setupIntents.confirm(setup.id, { payment_method: "pm_card_visa" }),
    );
    expect(again.code).toBe("setup_intent_unexpected_state");
  });

  it("waits for the holder, and saves the card when the holder agrees", async () => {
    const setup = await newSetup();
    const asked = await stripe.setupIntents.confirm(setup.id, {
      payment_method: "pm_card_authenticationRequiredOnSetup",
      use_stripe_sdk: true,
    });
    expect(asked).toMatchObject({
      status: "requires_action",
      next_action: { type: "use_stripe_sdk" },
    });
    await sandbox.control.answerChallenge(setup.id, true);
    const done = await stripe.setupIntents.retrieve(setup.id);
    expect(done).toMatchObject({ status: "succeeded", next_action: null });
    const types = sandbox.control.events().map(({ type }) => type);
    expect(types).toContain("setup_intent.succeeded");
  });

  it("asks for another card after the holder refused or the bank declined", async () => {
    const refused = await newSetup();
    await stripe.setupIntents.confirm(refused.id, {
      payment_method: "pm_card_authenticationRequired",
      use_stripe_sdk: true,
    });
    await sandbox.control.answerChallenge(refused.id, false);
    expect(await stripe.setupIntents.retrieve(refused.id)).toMatchObject({
      status: "requires_payment_method",
      payment_method: null,
      last_setup_error: { code: "setup_intent_authentication_failure" },
    });
    const declined = await newSetup();
    const error = await failure(
      stripe.setupIntents.confirm(declined.id, {
        payment_method: "pm_card_visa_chargeDeclined",
      }),
    );
    expect(error).toMatchObject({ statusCode: 402, code: "card_declined" });
    const customer = expandableId(declined.customer);
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([]);
  });

  it("does not take the card of another customer", async () => {
    const [mine, theirs] = [await newSetup(), await newSetup()];
    const saved = await stripe.setupIntents.confirm(theirs.id, { payment_method: "pm_card_visa" });
    const payment_method = expandableId(saved.payment_method);
    const error = await failure(stripe.setupIntents.confirm(mine.id, { payment_method }));
    expect(error.param).toBe("payment_method");
  });

  it("is shown to a browser that has its secret, and to no other", async () => {
    const setup = await newSetup();
    const browser = client(sandbox, testPublishableKey);
    const missing = await failure(browser.setupIntents.retrieve(setup.id));
    expect(missing.code).toBe("resource_missing");
    const own = await browser.setupIntents.retrieve(setup.id, {
      client_secret: setup.client_secret ?? "",
    });
    expect(own.id).toBe(setup.id);
  });

  it("can be cancelled until it is done", async () => {
    const setup = await newSetup();
    expect((await stripe.setupIntents.cancel(setup.id)).status).toBe("canceled");
    expect((await failure(stripe.setupIntents.cancel(setup.id))).code).toBe(
      "setup_intent_unexpected_state",
    );
  });
});
