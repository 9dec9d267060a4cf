import { randomUUID } from "node:crypto";

/** What admin-plan-prices is asked for: a year of the student plan for £500. */
export const planPriceRequest = (differs: Record<string, unknown> = {}) => ({
  request_id: randomUUID(),
  plan_id: "student-access",
  interval: "year",
  amount_pence: 50_000,
  reason: "For those who stay",
  ...differs,
});
