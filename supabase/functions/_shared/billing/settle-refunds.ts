import type Stripe from "stripe";
import { z } from "zod";
import type { BillingClients } from "./billing-context.ts";
import { outcomeOf } from "./settled-refund.ts";

const requestOfConsole = z.object({ request_id: z.uuid() });

/** Writes how the refunds of a payment stand that were asked for in the console. Others are left out. */
export async function settleRefunds(
  { database }: Pick<BillingClients, "database">,
  payment: string,
  refunds: readonly Stripe.Refund[],
): Promise<void> {
  for (const refund of refunds) {
    const { data } = requestOfConsole.safeParse(refund.metadata);
    if (data === undefined) continue;
    await database.settleRefund({
      request: data.request_id,
      payment,
      refund: refund.id,
      outcome: outcomeOf(refund),
      detail: refund.failure_reason ?? null,
    });
  }
}

/** The refund that a request of the console has made. The provider forgets idempotency keys after a day. */
export async function findRefund(
  stripe: Stripe,
  request: string,
  payment: string,
): Promise<Stripe.Refund | undefined> {
  const { data } = await stripe.refunds.list({ charge: payment, limit: 100 });
  return data.find(({ metadata }) => metadata?.["request_id"] === request);
}

/** Looks up a refund whose end was not known: the provider has it by now, or never got it. */
export async function settleUnknownRefund(
  { stripe, database }: BillingClients,
  request: string,
  payment: string,
): Promise<void> {
  const refund = await findRefund(stripe, request, payment);
  await database.settleRefund({
    request,
    payment,
    refund: refund?.id ?? null,
    outcome: refund === undefined ? "refused" : outcomeOf(refund),
    detail: refund === undefined ? "The card provider has no such refund." : null,
  });
}
