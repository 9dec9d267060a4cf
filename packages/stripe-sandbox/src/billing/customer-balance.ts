import type Stripe from "stripe";
import { newObjectId } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";

interface Adjustment {
  /** Minor units: negative is credit for the customer. */
  amount: number;
  currency: string;
  type: "adjustment" | "applied_to_invoice" | "credit_note";
  description?: string | null;
  metadata?: Record<string, string>;
  invoice?: string;
  creditNote?: string;
}

/** Changes what a customer has to their credit, or owes, with the next invoice, and records it. */
export function adjustCustomerBalance(
  state: SandboxState,
  customer: string,
  { amount, currency, type, description = null, metadata = {}, invoice, creditNote }: Adjustment,
): Stripe.CustomerBalanceTransaction {
  const ending = state.get("customers", customer).balance + amount;
  state.update("customers", customer, { balance: ending, currency }, "customer.updated");
  return state.put("customerBalance", {
    id: newObjectId("cbtxn"),
    object: "customer_balance_transaction",
    amount,
    checkout_session: null,
    created: state.now(),
    credit_note: creditNote ?? null,
    currency,
    customer,
    customer_account: null,
    description,
    ending_balance: ending,
    invoice: invoice ?? null,
    livemode: false,
    metadata,
    type,
  });
}
