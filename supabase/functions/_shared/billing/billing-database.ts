import { z } from "zod";
import {
  callRpc,
  type DatabaseClient,
  type JsonObject,
  type ProcedureArgs,
  type ProcedureName,
  type ProcedureResult,
} from "../database/database-client.ts";
import { BalanceDatabase } from "./balance-database.ts";
import type { ChargeSnapshot } from "./charge-snapshot.ts";
import type { InvoiceSnapshot } from "./invoice-snapshot.ts";
import type { SettledRefund } from "./settled-refund.ts";
import type { SubscriptionSnapshot } from "./subscription-snapshot.ts";

const customer = z.object({ customer_id: z.string().nullable(), generation: z.number() });
const begun = z.discriminatedUnion("state", [
  z.object({ state: z.literal("unknown_price") }),
  z.object({ state: z.literal("too_many") }),
  z.object({ state: z.literal("busy"), attempt_id: z.string() }),
  z.object({ state: z.literal("joined"), attempt_id: z.string(), subscription_id: z.string() }),
  z.object({
    state: z.literal("begun"),
    attempt_id: z.string(),
    leftovers: z.array(z.string()),
    recent: z.array(z.string()),
  }),
]);
const applied = z.enum(["applied", "stale", "overlapping", "duplicate", "unknown_customer"]);
const appliedPart = applied.exclude(["duplicate"]);
const knownCharges = z.record(
  z.string(),
  z.object({ amount_refunded: z.number(), dispute: z.enum(["open", "won", "lost"]).nullable() }),
);
const knownInvoices = z.record(
  z.string(),
  z.object({ status: z.string(), amount_paid: z.number(), attempt_count: z.number() }),
);
const planChangeQuote = z.object({
  subscription_id: z.string(),
  kind: z.enum(["upgrade", "downgrade"]),
  from_price_id: z.string(),
  to_price_id: z.string(),
  amount_due: z.number(),
  proration_date: z.number().nullable(),
  is_expired: z.boolean(),
});
const listedPrice = z.object({
  price_id: z.string(),
  plan_id: z.string(),
  role: z.enum(["student", "mentor"]),
  amount: z.number(),
  currency: z.string(),
  interval: z.enum(["month", "year"]),
  is_current: z.boolean(),
});
const hold = z.enum(["disputed", "dispute_lost", "refunded", "paused"]).nullable();
const due = z.array(z.object({ customer_id: z.string(), fresh_attempts: z.array(z.string()) }));

/** A price a membership is or was sold at; amounts in the currency's smallest unit. */
export type ListedPrice = z.infer<typeof listedPrice>;
/** Why a subscription that is active at the provider gives no access. */
export type Hold = z.infer<typeof hold>;

/** What a change of plan was said to cost; times in epoch seconds. */
export type PlanChangeQuote = z.infer<typeof planChangeQuote>;

/** How a purchase attempt ended, or what it waits for. */
export type PurchaseOutcome = "unknown" | "needs_action" | "paid" | "failed";
/** The webhook event that caused a change. */
export interface EventReference {
  id: string;
  type: string;
}

/**
 * The billing functions of the database, one method each; `docs/subsystems/billing.md` explains them.
 * Every method throws the database's error.
 */
export class BillingDatabase {
  readonly #service: DatabaseClient;
  readonly balance: BalanceDatabase;

  constructor(service: DatabaseClient) {
    this.#service = service;
    this.balance = new BalanceDatabase(service);
  }

  async #call<Name extends ProcedureName>(
    name: Name,
    args: ProcedureArgs<Name>,
  ): Promise<ProcedureResult<Name>> {
    return await callRpc(this.#service, name, args);
  }

  /** The member's current customer, and how many earlier ones were deleted. */
  async customer(member: string): Promise<z.infer<typeof customer>> {
    return customer.parse(await this.#call("billing_customer", { member }));
  }

  /** Records a customer of the member. Returns the member's current customer, which may be another one. */
  async recordCustomer(member: string, customerId: string): Promise<string> {
    const args = { member, customer: customerId };
    return z.string().parse(await this.#call("billing_record_customer", args));
  }

  /** Records that the customer was deleted at the provider. False when that was already recorded. */
  async dropCustomer(customerId: string, event?: EventReference): Promise<boolean> {
    const args = { customer: customerId, ...eventArgs(event) };
    return (await this.#call("billing_drop_customer", args)) === true;
  }

  async beginPurchase(
    member: string,
    price: string,
    joining: string | undefined,
  ): Promise<z.infer<typeof begun>> {
    const args = { member, price, joining: joining ?? null };
    return begun.parse(await this.#call("billing_begin_purchase", args));
  }

  /** True when the attempt is still the open one and may pay this subscription. */
  async recordSubscription(attempt: string, subscription: string): Promise<boolean> {
    return (await this.#call("billing_record_subscription", { attempt, subscription })) === true;
  }

  /** Keeps the member's open attempts from paying what they have not paid yet. */
  async abandonAttempts(member: string): Promise<void> {
    await this.#call("billing_abandon_attempts", { member });
  }

  async endAttempt(attempt: string, outcome: PurchaseOutcome): Promise<void> {
    await this.#call("billing_end_attempt", { attempt, outcome });
  }

  /**
   * The version of what is read from the provider next. Null when the event was applied before. What is written under it is
   * `stale` beside a later version, and `overlapping` when another reading, which differs, was written since it was drawn.
   */
  async nextVersion(event?: string): Promise<number | null> {
    return await this.#call("billing_next_ticket", { event: event ?? null });
  }

  /** Writes a snapshot, the resulting role and the event's id in one transaction. */
  async apply(
    version: number,
    snapshot: SubscriptionSnapshot,
    event?: EventReference,
  ): Promise<z.infer<typeof applied>> {
    const args = { ticket: version, snapshot, ...eventArgs(event) };
    return applied.parse(await this.#call("billing_apply_subscription", args));
  }

  /** Writes a snapshot of a payment and its new payment records. */
  async applyCharge(
    version: number,
    snapshot: ChargeSnapshot,
  ): Promise<z.infer<typeof appliedPart>> {
    return appliedPart.parse(
      await this.#call("billing_apply_charge", { ticket: version, snapshot }),
    );
  }

  /** The last snapshots of these payments, by id. */
  async knownCharges(charges: readonly string[]): Promise<z.infer<typeof knownCharges>> {
    return knownCharges.parse(await this.#call("billing_known_charges", { charges }));
  }

  /** The price that counts instead of this one, because the upgrade to it was refunded in full; else null. */
  async priceBeforeUpgrade(
    subscription: string,
    price: string,
    latestInvoice: string | null,
  ): Promise<string | null> {
    const args = { subscription, price, latest_invoice: latestInvoice };
    return await this.#call("billing_price_before_upgrade", args);
  }

  /** Writes a snapshot of an invoice. */
  async applyInvoice(
    version: number,
    snapshot: InvoiceSnapshot,
  ): Promise<z.infer<typeof appliedPart>> {
    return appliedPart.parse(
      await this.#call("billing_apply_invoice", { ticket: version, snapshot }),
    );
  }

  /** The last snapshots of these invoices, by id. */
  async knownInvoices(invoices: readonly string[]): Promise<z.infer<typeof knownInvoices>> {
    return knownInvoices.parse(await this.#call("billing_known_invoices", { invoices }));
  }

  /** Keeps a preview of a plan change. Returns its id. */
  async quotePlanChange(
    member: string,
    quote: Omit<PlanChangeQuote, "is_expired">,
  ): Promise<string> {
    return z.string().parse(await this.#call("billing_quote_plan_change", { member, quote }));
  }

  /** A preview of the member's own; null for any other. */
  async planChangeQuote(member: string, quote: string): Promise<PlanChangeQuote | null> {
    const args = { member, quote };
    return planChangeQuote.nullable().parse(await this.#call("billing_plan_change_quote", args));
  }

  /** Keeps the reason of a cancellation, if one was given. */
  async recordCancellation(
    member: string,
    subscription: string,
    { reason, comment }: { reason: string | null; comment: string | null },
  ): Promise<void> {
    const args = { member, subscription, reason, comment };
    await this.#call("billing_record_cancellation", args);
  }

  /** Every price a membership was ever sold at. */
  async catalogue(): Promise<ListedPrice[]> {
    return z.array(listedPrice).parse(await this.#call("billing_catalogue", {}));
  }

  /** Puts a price of the provider on sale, and the one before it off. Does nothing for one that was put on sale before. */
  async addPlanPrice(admin: string, price: string, sale: JsonObject): Promise<void> {
    await this.#call("billing_add_plan_price", { admin, price, sale });
  }

  /** Those of the subscriptions that were bought in the checkout. */
  async ownPurchases(subscriptions: readonly string[]): Promise<string[]> {
    return await this.#call("billing_own_purchases", { subscriptions });
  }

  /** The hold on a subscription, as last written. */
  async hold(subscription: string): Promise<Hold> {
    const { data, error } = await this.#service
      .from("stripe_subscriptions")
      .select("hold")
      .eq("subscription_id", subscription)
      .maybeSingle();
    if (error) throw new Error("the hold cannot be read", { cause: error });
    return data === null ? null : hold.parse(data.hold);
  }

  /** Payments of the subscription that were lost in disputes, and for which its renewal was not ended yet. */
  async lostPayments(subscription: string): Promise<readonly string[]> {
    return await this.#call("billing_lost_payments", { subscription });
  }

  /** Flags an account for review by staff. False when it is flagged already. */
  async flag(
    customerId: string,
    reason: "several_subscriptions" | "dispute_lost",
    detail: JsonObject,
  ): Promise<boolean> {
    return (await this.#call("billing_flag", { customer: customerId, reason, detail })) === true;
  }

  /** Customers to compare with the provider, with their attempts that are still in progress. */
  async takeDue(everybody: boolean, batch: number): Promise<z.infer<typeof due>> {
    return due.parse(await this.#call("billing_take_due", { all_customers: everybody, batch }));
  }

  /** Customers that were dropped, to be looked up again. */
  async takeDropped(everybody: boolean, batch: number): Promise<readonly string[]> {
    return await this.#call("billing_take_dropped", { everybody, batch });
  }

  /** Makes a dropped customer the account's current one again. False when the account has another by now. */
  async restoreCustomer(customerId: string): Promise<boolean> {
    return (await this.#call("billing_restore_customer", { customer: customerId })) === true;
  }

  async closeAttempts(customerId: string): Promise<void> {
    await this.#call("billing_close_attempts", { customer: customerId });
  }

  /** Customers of deleted accounts. */
  async departed(): Promise<string[]> {
    return await this.#call("billing_customers_to_delete", {});
  }

  async forgetDeparted(customerId: string): Promise<void> {
    await this.#call("billing_forget_departed", { customer: customerId });
  }

  async audit(customerId: string, action: string, detail: JsonObject): Promise<void> {
    await this.#call("billing_audit", { customer: customerId, action, detail });
  }

  /** Records an event that could not be applied. Never throws: the database may be what failed. */
  async noteFailure(event: EventReference, error: string): Promise<void> {
    const failure = { event: event.id, event_type: event.type, error };
    await this.#call("billing_note_failure", failure).catch((reason: unknown) => {
      console.error("stripe-webhook: the failure could not be recorded", reason);
    });
  }

  /** Writes how a refund that was asked for in the console stands at the provider. */
  async settleRefund(settled: SettledRefund): Promise<void> {
    await this.#call("billing_settle_refund", { ...settled });
  }

  /** Refunds whose end is not known and that no function asks for now. */
  async unsettledRefunds(): Promise<ProcedureResult<"billing_unsettled_refunds">> {
    return await this.#call("billing_unsettled_refunds", {});
  }

  /** Ends complimentary memberships whose time is over. */
  async endComplimentary(): Promise<void> {
    await this.#call("end_complimentary_memberships", {});
  }

  /** Makes the commissions of affiliates payable whose waiting time is over. */
  async releaseCommissions(): Promise<void> {
    await this.#call("release_commissions", {});
  }

  /** An event that failed was processed. */
  async clearFailure(event: string): Promise<void> {
    await this.#call("billing_clear_failure", { event });
  }

  /** Audits what an administrator did through a function. */
  async auditMoney(
    admin: string,
    action:
      | `coupon.${"create" | "deactivate"}_${"started" | "failed"}`
      | "coupon.created"
      | "coupon.deactivated"
      | "billing.event_retried"
      | `plan_price.create_${"started" | "failed"}`
      | `payment.retry_${"paid" | "declined"}`,
    detail: JsonObject,
    subject: string | null = null,
  ): Promise<void> {
    const args = { admin, action, subject, detail };
    await this.#call("admin_audit_money", args);
  }

  async purge(): Promise<void> {
    await this.#call("billing_purge", {});
  }
}

function eventArgs(
  event: EventReference | undefined,
): Partial<Record<"event" | "event_type", string>> {
  return event === undefined ? {} : { event: event.id, event_type: event.type };
}
