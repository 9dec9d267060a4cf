import { describe, expect, it } from "vitest";
import { refusalText } from "@/lib/refusal.ts";
import type { PlanChangeResponse } from "./plan-change-response.ts";
import { previewReduction, switchPlan, type PlanChangeSteps } from "./plan-change.ts";
import { billingStrings } from "../strings/payment.ts";

const question: PlanChangeResponse = {
  kind: "needs-authentication",
  clientSecret: "pi_secret",
  changeId: "in_1",
};

/** Switches with a server that gives these answers in turn, and a bank; notes what was called. */
async function switchWith(
  answers: readonly (PlanChangeResponse | Error)[],
  differs: Partial<PlanChangeSteps> = {},
) {
  const calls: string[] = [];
  const left = [...answers];
  const outcome = await switchPlan({
    requestPlanChange: () => {
      calls.push("change");
      const answer = left.shift() ?? new Error("asked too often");
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    confirmCardPayment: (secret) => {
      calls.push(`bank ${secret}`);
      return Promise.resolve(null);
    },
    cancelPlanChange: (changeId) => {
      calls.push(`undo ${changeId}`);
      return Promise.resolve({ error: null });
    },
    ...differs,
  });
  return { outcome, calls };
}

describe("a switch of plan", () => {
  it.each(["changed", "planned"] as const)("is what the server says: %s", async (kind) => {
    expect(await switchWith([{ kind }])).toEqual({ outcome: { kind }, calls: ["change"] });
  });

  it("asks the bank, and brings its answer to the server", async () => {
    expect(await switchWith([question, { kind: "changed" }])).toEqual({
      outcome: { kind: "changed" },
      calls: ["change", "bank pi_secret", "change"],
    });
  });

  it("is undone, this one and no other, when the bank refuses", async () => {
    const { outcome, calls } = await switchWith([question], {
      confirmCardPayment: () => Promise.resolve("Your bank said no."),
    });
    expect(outcome).toEqual({ kind: "refused", message: "Your bank said no." });
    expect(calls).toEqual(["change", "undo in_1"]);
  });

  it.each([
    ["the server's text", "Your card was declined.", "Your card was declined."],
    ["a text of ours", "", "We couldn't change your plan. Please try again."],
  ])("that is refused says so in %s", async (_name, message, shown) => {
    const { outcome } = await switchWith([{ kind: "refused", message }]);
    expect(outcome.kind).toBe("refused");
    expect(outcome.kind === "refused" && refusalText(outcome, billingStrings)).toBe(shown);
  });

  it.each<[string, (PlanChangeResponse | Error)[]]>([
    ["nothing answered", [{ kind: "unclear" }]],
    ["a step failed", [new Error("down")]],
    ["nothing answered after the bank agreed", [question, { kind: "unclear" }]],
    ["the server refused after the bank agreed", [question, { kind: "refused", message: "no" }]],
    ["the server still waits after the bank agreed", [question, question]],
  ])("is unclear when %s", async (_name, answers) => {
    expect((await switchWith(answers)).outcome).toEqual({ kind: "unclear" });
  });

  it("is unclear when undoing it failed after the bank refused", async () => {
    const { outcome } = await switchWith([question], {
      confirmCardPayment: () => Promise.resolve("no"),
      cancelPlanChange: () => Promise.reject(new Error("down")),
    });
    expect(outcome).toEqual({ kind: "unclear" });
  });
});

it("a preview's lines and its credit add up to what is due", () => {
  const lines = [
    { description: "Unused time", amountPence: -2500 },
    { description: "Remaining time", amountPence: 5000 },
  ];
  expect(previewReduction({ lines, dueNowPence: 2500 })).toBe(0);
  expect(previewReduction({ lines, dueNowPence: 1250 })).toBe(-1250);
});
