import { describe, expect, it } from "vitest";
import { refusalText } from "@/lib/refusal.ts";
import type { CardUpdateResult } from "../api/update-card.ts";
import { replaceCard, type CardSteps, type CardProblem } from "./replace-card.ts";
import { billingStrings } from "../strings/payment.ts";

const saved: CardUpdateResult = { kind: "saved", paid: true };
const asks = (invoice: string): CardUpdateResult => ({
  kind: "needs-authentication",
  clientSecret: `${invoice}_secret`,
});

/** Replaces a card with a server that gives these answers in turn, the last one for ever; notes what was called. */
async function replaceWith(answers: readonly CardUpdateResult[], differs: Partial<CardSteps> = {}) {
  const calls: string[] = [];
  let setups = 0;
  let updates = 0;
  const steps: CardSteps = {
    hasSession: () => Promise.resolve(true),
    createSetupIntent: () => {
      setups += 1;
      return Promise.resolve({ kind: "created", clientSecret: `seti_${setups}_secret` });
    },
    confirmCardSetup: (secret) => {
      calls.push(`set up ${secret}`);
      return Promise.resolve({ ok: true, setupIntentId: secret.replace("_secret", "") });
    },
    requestCardUpdate: (setup) => {
      calls.push(`save ${setup}`);
      updates += 1;
      return Promise.resolve(answers[Math.min(updates, answers.length) - 1] ?? saved);
    },
    confirmCardPayment: (secret) => {
      calls.push(`pay ${secret}`);
      return Promise.resolve(null);
    },
    ...differs,
  };
  return { outcome: await replaceCard(steps), calls, steps };
}

describe("another card", () => {
  it("is set up, then saved", async () => {
    const { outcome, calls } = await replaceWith([{ kind: "saved", paid: false }]);
    expect(outcome).toEqual({ kind: "saved", paid: false });
    expect(calls).toEqual(["set up seti_1_secret", "save seti_1"]);
  });

  it("pays one overdue invoice after the other when the bank asks about each", async () => {
    const { outcome, calls } = await replaceWith([
      asks("in_1"),
      asks("in_2"),
      // By then nothing is overdue any more.
      { kind: "saved", paid: false },
    ]);
    expect(outcome).toEqual({ kind: "saved", paid: true });
    expect(calls).toEqual([
      "set up seti_1_secret",
      "save seti_1",
      "pay in_1_secret",
      "save seti_1",
      "pay in_2_secret",
      "save seti_1",
    ]);
  });

  it("stops when the bank refuses one of them, and says what it said", async () => {
    const { outcome, calls } = await replaceWith([asks("in_1")], {
      confirmCardPayment: () => Promise.resolve("Your bank said no."),
    });
    expect(outcome).toEqual({ kind: "card-problem", message: "Your bank said no." });
    expect(calls).toEqual(["set up seti_1_secret", "save seti_1"]);
  });

  it("stops when the bank's answer changes nothing", async () => {
    const { outcome, calls } = await replaceWith([asks("in_1")]);
    expect(outcome).toMatchObject({ kind: "problem" });
    expect(calls.filter((call) => call.startsWith("pay"))).toEqual(["pay in_1_secret"]);
  });

  it("is never sent when its setup fails", async () => {
    const { outcome, calls } = await replaceWith([saved], {
      confirmCardSetup: () => Promise.resolve({ ok: false, message: "Your card was declined." }),
    });
    expect(outcome).toEqual({ kind: "card-problem", message: "Your card was declined." });
    expect(calls).toEqual([]);
  });

  it("begins a setup of its own after each failure", async () => {
    const { steps, calls } = await replaceWith([{ kind: "refused", message: "declined" }]);
    expect(await replaceCard(steps)).toEqual({ kind: "problem", message: "declined" });
    expect(calls.filter((call) => call.startsWith("set up"))).toEqual([
      "set up seti_1_secret",
      "set up seti_2_secret",
    ]);
  });

  it.each<[string, string, Partial<CardSteps>]>([
    ["there is no session", "No active session", { hasSession: () => Promise.resolve(false) }],
    [
      "the setup is refused",
      "Too many attempts",
      {
        createSetupIntent: () => Promise.resolve({ kind: "refused", message: "Too many attempts" }),
      },
    ],
    [
      "a step fails",
      "We couldn't update your card. Please try again.",
      { requestCardUpdate: () => Promise.reject(new Error("down")) },
    ],
  ])("is a problem when %s", async (_name, message, differs) => {
    const { outcome } = await replaceWith([saved], differs);
    expect(outcome).toMatchObject({ kind: "problem" });
    expect(refusalText(outcome as CardProblem, billingStrings)).toBe(message);
  });
});
