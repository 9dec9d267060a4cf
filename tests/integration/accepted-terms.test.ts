import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BillingFixture, studentPlan } from "../support/billing.ts";

let billing: BillingFixture;
beforeAll(() => {
  billing = new BillingFixture(inject("host"), inject("sandbox"));
});
afterAll(async () => await billing.close());

describe("the terms", () => {
  it("are accepted before anything is paid: another version, or none, is refused", async () => {
    const ada = await billing.payer();
    const asked = { price_id: studentPlan, payment_method_id: "pm_card_visa" };
    for (const body of [asked, { ...asked, terms_version: 0 }, { ...asked, terms_version: 99 }]) {
      const name = "stripe-create-subscription-direct";
      expect(await billing.call(ada.client, name, body)).toMatchObject({
        status: 409,
        body: { success: false, code: "terms_changed" },
      });
    }
    expect(await billing.atProvider(ada)).toMatchObject({ live: [], unfinished: [], paid: [] });
    expect(await billing.pay(ada, studentPlan)).toMatchObject({ status: 200 });
    const kept = await billing.sql(
      "select version from private.terms_acceptances where user_id = $1 and accepted_at <= now()",
      [ada.id],
    );
    expect(kept).toEqual([{ version: 1 }]);
  });
});
