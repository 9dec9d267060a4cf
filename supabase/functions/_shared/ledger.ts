import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { Snapshot } from "./snapshot.ts";

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
const applied = z.enum(["applied", "stale", "duplicate", "unknown_customer"]);
const due = z.array(z.object({ customer_id: z.string(), fresh_attempts: z.array(z.string()) }));

/** How an attempt at buying ended, or what it waits for. */
export type Outcome = "unknown" | "needs_action" | "paid" | "failed";
/** The webhook event an effect belongs to. */
export interface EventName {
  id: string;
  type: string;
}

/**
 * The billing functions of the database, one method each; `docs/subsystems/billing.md` explains them.
 * Every method throws the database's error.
 */
export class Ledger {
  readonly #service: SupabaseClient;

  constructor(service: SupabaseClient) {
    this.#service = service;
  }

  async #call<T extends z.ZodType>(
    name: string,
    args: Record<string, unknown>,
    shape: T,
  ): Promise<z.infer<T>> {
    const { data, error } = await this.#service.rpc(name, args);
    if (error) throw new Error(name, { cause: error });
    return shape.parse(data);
  }

  /** The member's current customer, and how many earlier ones were deleted. */
  async customer(member: string): Promise<z.infer<typeof customer>> {
    return await this.#call("billing_customer", { member }, customer);
  }

  /** Ties a customer to the member; answers the one that counts, which may be another. */
  async recordCustomer(member: string, customerId: string): Promise<string> {
    const args = { member, customer: customerId };
    return await this.#call("billing_record_customer", args, z.string());
  }

  /** The provider no longer has this customer. False when that was known. */
  async dropCustomer(customerId: string, event?: EventName): Promise<boolean> {
    const args = { customer: customerId, ...eventArgs(event) };
    return await this.#call("billing_drop_customer", args, z.boolean());
  }

  async beginPurchase(
    member: string,
    price: string,
    joining: string | undefined,
  ): Promise<z.infer<typeof begun>> {
    const args = { member, price, joining: joining ?? null };
    return await this.#call("billing_begin_purchase", args, begun);
  }

  /** True when the attempt still counts and may pay this subscription. */
  async recordSubscription(attempt: string, subscription: string): Promise<boolean> {
    return await this.#call("billing_record_subscription", { attempt, subscription }, z.boolean());
  }

  async endAttempt(attempt: string, outcome: Outcome): Promise<void> {
    await this.#call("billing_end_attempt", { attempt, outcome }, z.unknown());
  }

  /** To be drawn before the provider is read. Null when the event was applied before. */
  async drawTicket(event?: string): Promise<number | null> {
    return await this.#call("billing_draw_ticket", { event: event ?? null }, z.number().nullable());
  }

  /** Writes one reading, with the role it gives; an event's id goes into the same transaction. */
  async apply(
    ticket: number,
    snapshot: Snapshot,
    event?: EventName,
  ): Promise<z.infer<typeof applied>> {
    const args = { ticket, snapshot, ...eventArgs(event) };
    return await this.#call("billing_apply", args, applied);
  }

  /** Customers to compare with the provider, and the attempts of each that must be left alone. */
  async takeDue(everybody: boolean, batch: number): Promise<z.infer<typeof due>> {
    return await this.#call("billing_take_due", { everybody, batch }, due);
  }

  async closeAttempts(customerId: string): Promise<void> {
    await this.#call("billing_close_attempts", { customer: customerId }, z.unknown());
  }

  /** Customers of deleted accounts. */
  async departed(): Promise<string[]> {
    return await this.#call("billing_departed", {}, z.array(z.string()));
  }

  async forgetDeparted(customerId: string): Promise<void> {
    await this.#call("billing_forget_departed", { customer: customerId }, z.unknown());
  }

  async audit(customerId: string, action: string, detail: Record<string, unknown>): Promise<void> {
    await this.#call("billing_audit", { customer: customerId, action, detail }, z.unknown());
  }

  async purge(): Promise<void> {
    await this.#call("billing_purge", {}, z.unknown());
  }
}

function eventArgs(event: EventName | undefined): Record<string, string> {
  return event === undefined ? {} : { event: event.id, event_type: event.type };
}
