import { describe, expect, it } from "vitest";
import { readProductConfig } from "./product-config.ts";

const keys = {
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};

describe("the card provider's keys", () => {
  it("are of one mode, a restricted key included", () => {
    expect(readProductConfig(keys).stripe?.secretKey).toBe("sk_test_1");
    const restricted = { ...keys, STRIPE_SECRET_KEY: "rk_test_1" };
    expect(readProductConfig(restricted).stripe?.secretKey).toBe("rk_test_1");
  });

  it.each([{ STRIPE_SECRET_KEY: "rk_live_1" }, { STRIPE_PUBLISHABLE_KEY: "pk_live_1" }])(
    "of two modes are refused: %j",
    (other) => {
      expect(() => readProductConfig({ ...keys, ...other })).toThrow(
        "STRIPE_PUBLISHABLE_KEY: is of the other mode, test or live, than the secret key",
      );
    },
  );
});
