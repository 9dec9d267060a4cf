import type { BillingClients } from "./billing-context.ts";
import { syncInvoice } from "./invoices.ts";
import { cardErrorOf, isInvalidRequest } from "./stripe-client.ts";
import { readSubscription } from "./subscriptions.ts";

/** Why a payment was refused: the bank's code where it gave one, and the provider's sentence. */
interface PaymentRefusal {
  readonly reason: string;
  readonly message: string;
}

/**
 * Takes the payment of an open invoice with the card on file, while its member is away. The provider takes the payment of
 * an invoice once, so that a repeated call, another administrator and the member's own new card make one payment together.
 * @returns null when the invoice is paid, by this call or meanwhile.
 */
export async function retryPayment(
  { stripe, database }: BillingClients,
  asked: { readonly id: string; readonly invoice: string; readonly subscription: string },
): Promise<PaymentRefusal | null> {
  let refusal: PaymentRefusal | null = null;
  try {
    const idempotencyKey = `retry-${asked.id}-${asked.invoice}`;
    await stripe.invoices.pay(asked.invoice, { off_session: true }, { idempotencyKey });
  } catch (error) {
    const declined = cardErrorOf(error);
    if (declined === undefined && !isInvalidRequest(error)) throw error;
    // It may have been paid or voided meanwhile: the invoice's state decides, below.
    refusal = {
      reason: declined?.decline_code ?? declined?.code ?? "not_payable",
      message: declined?.message ?? "There is no card to take it from, or it isn't owed any more.",
    };
  }
  await readSubscription(stripe, database, asked.subscription);
  await syncInvoice({ stripe, database }, asked.invoice);
  if (refusal === null) return null;
  const { status } = await stripe.invoices.retrieve(asked.invoice);
  return status === "paid" ? null : refusal;
}
