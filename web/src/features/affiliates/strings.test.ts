import { expect, it } from "vitest";
import { ruleSentences } from "./strings.ts";

it("says that a commission is taken back after a refund or a dispute, even if it has been paid out", () => {
  const rules = ruleSentences({
    rateBasisPoints: 1000,
    commissionMonths: 12,
    attributionDays: 60,
    pendingDays: 30,
    leastPayoutPence: 2000,
  });
  expect(rules).toContain(
    "A commission is pending for 30 days and payable after that. If the payment is refunded or disputed, we take the commission back, even if it has been paid out.",
  );
});
