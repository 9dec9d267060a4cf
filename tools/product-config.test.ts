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

  it.each([
    ["whsec_1", true],
    ["whsec_1,whsec_2", true],
    ["whsec_1 , whsec_2", true],
    ["whsec_1,", false],
    ["whsec_1,whsec_2,whsec_3", false],
    ["whsec_1 whsec_2", false],
  ])("hold one webhook secret, or two with a comma: %j is %s", (secret, isGood) => {
    const read = () => readProductConfig({ ...keys, STRIPE_WEBHOOK_SECRET: secret });
    if (isGood) expect(read().stripe?.webhookSecret).toBe(secret);
    else expect(read).toThrow("STRIPE_WEBHOOK_SECRET: is not a webhook secret");
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

describe("the address of a sandbox that several hosts share", () => {
  const base = { STRIPE_API_BASE: "http://127.0.0.1:12111" };

  it("goes with the keys of that sandbox", () => {
    expect(readProductConfig({ ...keys, ...base }).sharedSandbox).toBe("http://127.0.0.1:12111");
    expect(readProductConfig(keys).sharedSandbox).toBeUndefined();
    expect(() => readProductConfig(base)).toThrow(
      "STRIPE_SECRET_KEY: must be set together with the other keys",
    );
  });

  it.each(["127.0.0.1:12111", "http://127.0.0.1:12111/v1", "https://a b"])(
    "is not %s",
    (STRIPE_API_BASE) => {
      expect(() => readProductConfig({ ...keys, STRIPE_API_BASE })).toThrow(
        "STRIPE_API_BASE: must be an address without a path",
      );
    },
  );

  it("gets no key that moves money, and takes none in production", () => {
    const live = {
      STRIPE_SECRET_KEY: "sk_live_1",
      STRIPE_PUBLISHABLE_KEY: "pk_live_1",
      STRIPE_WEBHOOK_SECRET: "whsec_1",
    };
    expect(() => readProductConfig({ ...live, ...base })).toThrow(
      "STRIPE_API_BASE: is the address of a sandbox, which needs no live key",
    );
    expect(() => readProductConfig({ ...keys, ...base, NODE_ENV: "production" })).toThrow(
      "STRIPE_API_BASE: a sandbox takes no real money in production",
    );
  });
});

describe("the number of e-mails sent side by side", () => {
  it.each(["1", "5", "50"])("may be %s", (count) => {
    expect(readProductConfig({ SMTP_CONNECTIONS: count }).smtpConnections).toBe(count);
  });

  it.each(["0", "51", "-1", "2.5", "many"])("is not %s, which stops the start", (count) => {
    expect(() => readProductConfig({ SMTP_CONNECTIONS: count })).toThrow(
      "SMTP_CONNECTIONS: must be a whole number from 1 to 50",
    );
  });

  it("is left to the function when it is not set", () => {
    expect(readProductConfig({ SMTP_CONNECTIONS: "" }).smtpConnections).toBeUndefined();
  });
});
