import { describe, expect, it } from "vitest";
import { replaceCard, type CardSteps } from "./replace-card.ts";
import type { CardUpdateResult } from "../api/update-card.ts";

/** Steps whose server answers in turn, and the questions of the bank that were shown. */
function stepsWith(answers: CardUpdateResult[]): { steps: CardSteps; shown: string[] } {
  const shown: string[] = [];
  const left = [...answers];
  const steps: CardSteps = {
    hasSession: () => Promise.resolve(true),
    createSetupIntent: () => Promise.resolve({ kind: "created", clientSecret: "seti_1_secret_x" }),
    confirmCardSetup: () => Promise.resolve({ ok: true, setupIntentId: "seti_1" }),
    requestCardUpdate: () => {
      const next = left.length > 1 ? left.shift() : left[0];
      return next ? Promise.resolve(next) : Promise.reject(new Error("no answer left"));
    },
    confirmCardPayment: (clientSecret) => {
      shown.push(clientSecret);
      return Promise.resolve(null);
    },
  };
  return { steps, shown };
}

const ask = (clientSecret: string) => ({ kind: "needs-authentication", clientSecret }) as const;

describe("another card with several overdue payments", () => {
  it("shows the bank's question for each of them until none is left", async () => {
    const { steps, shown } = stepsWith([ask("pi_1"), ask("pi_2"), { kind: "saved", paid: false }]);
    expect(await replaceCard(steps)).toEqual({ kind: "saved", paid: true });
    expect(shown).toEqual(["pi_1", "pi_2"]);
  });

  it("stops when the bank's answer changes nothing", async () => {
    const { steps, shown } = stepsWith([ask("pi_1")]);
    expect(await replaceCard(steps)).toMatchObject({ kind: "problem" });
    expect(shown).toEqual(["pi_1"]);
  });
});
