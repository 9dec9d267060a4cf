import { studentPlan } from "../support/billing.ts";

const nobody = "00000000-0000-4000-8000-000000000000";

/** Procedures of payments that only the server may call, with arguments that fit. */
export const serverBillingRpcs: readonly (readonly [string, Record<string, unknown>])[] = [
  ["billing_customer", { member: nobody }],
  ["billing_record_customer", { member: nobody, customer: "cus" }],
  ["billing_drop_customer", { customer: "cus" }],
  ["billing_begin_purchase", { member: nobody, price: studentPlan }],
  ["billing_record_subscription", { attempt: nobody, subscription: "sub" }],
  ["billing_end_attempt", { attempt: nobody, outcome: "paid" }],
  ["billing_next_ticket", {}],
  ["billing_apply_subscription", { ticket: 1, snapshot: {} }],
  ["billing_take_due", {}],
  ["billing_close_attempts", { customer: "cus" }],
  ["billing_customers_to_delete", {}],
  ["billing_forget_departed", { customer: "cus" }],
  ["billing_audit", { customer: "cus", action: "x", detail: {} }],
  ["billing_purge", {}],
  ["billing_apply_charge", { ticket: 1, snapshot: {} }],
  ["billing_known_charges", { charges: [] }],
  ["billing_balance_read_from", {}],
  ["billing_keep_balance", { movements: [], read_until: 0 }],
  ["billing_lost_payments", { subscription: "sub" }],
  ["billing_accept_terms", { member: nobody, version: 1 }],
  ["billing_vat", {}],
  ["billing_record_tax_rate", { rate_basis_points: 2000, tax_rate: "txr" }],
  ["billing_begin_withdrawal", { member: nobody }],
  ["billing_end_withdrawal", { member: nobody }],
  ["billing_open_withdrawals", {}],
  ["billing_take_dropped", { everybody: true, batch: 1 }],
  ["billing_restore_customer", { customer: "cus" }],
  ["billing_price_before_upgrade", { subscription: "sub", price: "price", latest_invoice: "in" }],
  ["billing_apply_invoice", { ticket: 1, snapshot: {} }],
  ["billing_known_invoices", { invoices: [] }],
  ["billing_quote_plan_change", { member: nobody, quote: {} }],
  [
    "billing_plan_change_quote",
    {
      member: nobody,
      quote: nobody,
    },
  ],
  [
    "billing_record_cancellation",
    {
      member: nobody,
      subscription: "sub",
      reason: "other",
      comment: null,
    },
  ],
  ["billing_catalogue", {}],
  ["billing_add_plan_price", { admin: nobody, price: "price_free", sale: {} }],
  ["billing_own_purchases", { subscriptions: [] }],
  ["billing_flag", { customer: "cus", reason: "several_subscriptions", detail: {} }],
  ["enforce_function_rate_limit", { member: nobody, action: "create_customer" }],
];
