import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import type { Member } from "../http/caller.ts";
import { FunctionError } from "../http/responses.ts";
import type { BillingClients } from "./billing-context.ts";
import type { PurchaseOutcome } from "./billing-database.ts";
import { payOnce } from "./pay-once.ts";
import {
  begunPayment,
  paymentAttempt,
  type PaymentAttempt,
  type PaymentAttempts,
} from "./payment-attempts.ts";
import type { PurchaseResult } from "./purchase.ts";

const begun = begunPayment(["not_on_sale", "price_changed"]);

/** What the buyer chose. The price is the database's. */
export interface GiftRequest {
  /** Chosen by the browser for each gift, so that two clicks buy one. */
  request: string;
  plan: string;
  months: number;
  /** The price that the buyer saw, in pence; no other one is charged. */
  expectedPence: number;
}

/** The functions of the database about gift memberships. Every method throws the database's error. */
export class GiftPurchases implements PaymentAttempts {
  readonly #service: DatabaseClient;

  constructor(service: DatabaseClient) {
    this.#service = service;
  }

  /** Opens an attempt at the price that the buyer saw, or says why there is none. */
  async begin(
    member: string,
    { request, plan, months, expectedPence }: GiftRequest,
    joining: string | undefined,
  ): Promise<z.infer<typeof begun>> {
    const args = { member, request, plan, months, expected_pence: expectedPence };
    return begun.parse(
      await callRpc(this.#service, "billing_begin_gift", { ...args, joining: joining ?? null }),
    );
  }

  async recordPayment(purchase: string, paymentIntent: string): Promise<boolean> {
    const args = { purchase, payment_intent: paymentIntent };
    return (await callRpc(this.#service, "billing_record_gift_payment", args)) === true;
  }

  async end(purchase: string, outcome: PurchaseOutcome): Promise<void> {
    await callRpc(this.#service, "billing_end_gift", { purchase, outcome });
  }

  async openOf(member: string): Promise<PaymentAttempt[]> {
    const open = await callRpc(this.#service, "billing_open_gifts", { member });
    return z.array(paymentAttempt).parse(open);
  }

  async takeDue(): Promise<PaymentAttempt[]> {
    return z.array(paymentAttempt).parse(await callRpc(this.#service, "billing_take_gifts", {}));
  }
}

const refusals = {
  not_on_sale: [404, "gift_not_on_sale", "This gift is not on sale."],
  price_changed: [
    409,
    "price_changed",
    "The price has changed. You have not been charged. Look at the new price and pay again.",
  ],
} as const;

/**
 * Buys a gift membership at the price that the buyer saw.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function buyGift(
  clients: BillingClients & { purchases: GiftPurchases },
  caller: Member,
  request: GiftRequest & { paymentMethod: string },
): Promise<PurchaseResult> {
  return await payOnce(clients, caller, {
    begin: async (joining) => await clients.purchases.begin(caller.id, request, joining),
    refuse: (state) => {
      const [status, code, message] = refusals[state];
      return new FunctionError(status, code, message);
    },
    paymentMethod: request.paymentMethod,
  });
}
