import type { BackendClient } from "@/lib/backend-client.ts";
import { defaultBillingRules, type BillingRules } from "../model/billing-rules.ts";

/** Reads what comes back after a withdrawal, and when members are told of a renewal. Throws the database's error. */
export async function fetchBillingRules(client: BackendClient): Promise<BillingRules> {
  const { data, error } = await client
    .from("billing_rules")
    .select(
      "withdrawal_refund, renewal_reminder_days, payment_grace_days, pause_months, payment_element",
    )
    .limit(1);
  if (error) throw error;
  const [row] = data;
  if (row === undefined) return defaultBillingRules;
  return {
    refundsInProportion: row.withdrawal_refund === "proportion",
    reminderDays: row.renewal_reminder_days,
    graceDays: row.payment_grace_days,
    pauseMonths: row.pause_months,
    paymentElement: row.payment_element,
  };
}

/** Changes these rules. Administrators only. Throws the database's error. */
export async function setBillingRules(
  client: BackendClient,
  { refundsInProportion, reminderDays }: Pick<BillingRules, "refundsInProportion" | "reminderDays">,
): Promise<void> {
  const { error } = await client.rpc("set_billing_rules", {
    withdrawal_refund: refundsInProportion ? "proportion" : "full",
    renewal_reminder_days: reminderDays,
  });
  if (error) throw error;
}

/** Changes the days of access after a failed payment. Administrators only. Throws the database's error. */
export async function setPaymentGrace(client: BackendClient, days: number): Promise<void> {
  const { error } = await client.rpc("set_payment_grace", { days });
  if (error) throw error;
}

/** Changes how many months in any twelve members may pause. Administrators only. Throws the database's error. */
export async function setPauseMonths(client: BackendClient, months: number): Promise<void> {
  const { error } = await client.rpc("set_pause_months", { months });
  if (error) throw error;
}

/** Turns the provider's Payment Element on or off. Administrators only. Throws the database's error. */
export async function setPaymentElement(client: BackendClient, enabled: boolean): Promise<void> {
  const { error } = await client.rpc("set_payment_element", { enabled });
  if (error) throw error;
}
