import { describe, expect, it } from "vitest";
import { pay, type BankRefusal, type PaymentSteps } from "./pay.ts";

const good: PaymentSteps = {
  hasSession: () => Promise.resolve(true),
  createPaymentMethod: () => Promise.resolve({ ok: true, paymentMethodId: "pm_1" }),
  createSubscription: () => Promise.resolve({ kind: "paid" }),
  confirmCardPayment: () => Promise.resolve(null),
};

describe("a payment", () => {
  it("goes from the card to the subscription", async () => {
    const asked: string[] = [];
    const outcome = await pay({
      ...good,
      createSubscription: (id) => {
        asked.push(id);
        return Promise.resolve({ kind: "paid" });
      },
    });
    expect(outcome).toEqual({ kind: "paid" });
    expect(asked).toEqual(["pm_1"]);
  });

  it("asks the bank when the server says so", async () => {
    const secrets: string[] = [];
    const outcome = await pay({
      ...good,
      createSubscription: () =>
        Promise.resolve({ kind: "needs-authentication", clientSecret: "pi_secret" }),
      confirmCardPayment: (secret) => {
        secrets.push(secret);
        return Promise.resolve(null);
      },
    });
    expect(outcome).toEqual({ kind: "paid" });
    expect(secrets).toEqual(["pi_secret"]);
  });

  it("has a card approved that pays later, and asks for the membership then", async () => {
    const asked: string[] = [];
    const steps = (refusal: BankRefusal | null): PaymentSteps => ({
      ...good,
      createSubscription: (id) => {
        asked.push(id);
        return Promise.resolve(
          asked.length === 1
            ? { kind: "needs-approval", clientSecret: "seti_secret" }
            : { kind: "paid" },
        );
      },
      confirmCardSetup: (secret) => {
        asked.push(secret);
        return Promise.resolve(refusal);
      },
    });
    expect(await pay(steps({ message: "Your bank said no.", isDeclined: false }))).toEqual({
      kind: "card-problem",
      message: "Your bank said no.",
    });
    expect(asked).toEqual(["pm_1", "seti_secret"]);
    asked.length = 0;
    expect(await pay(steps(null))).toEqual({ kind: "paid" });
    expect(asked).toEqual(["pm_1", "seti_secret", "pm_1"]);
  });

  it("does not charge when the provider refuses the card", async () => {
    let asked = false;
    const outcome = await pay({
      ...good,
      createPaymentMethod: () =>
        Promise.resolve({ ok: false, message: "Your card number is bad." }),
      createSubscription: () => {
        asked = true;
        return Promise.resolve({ kind: "paid" });
      },
    });
    expect(outcome).toEqual({ kind: "card-problem", message: "Your card number is bad." });
    expect(asked).toBe(false);
  });

  it("does not start without a session", async () => {
    const outcome = await pay({ ...good, hasSession: () => Promise.resolve(false) });
    expect(outcome).toEqual({
      kind: "problem",
      code: "noSession",
    });
  });

  it("says something also when a step falls over", async () => {
    const outcome = await pay({
      ...good,
      createPaymentMethod: () => Promise.reject(new Error("frame is gone")),
    });
    expect(outcome).toEqual({ kind: "problem", code: "paymentFailed" });
  });
});
