import { z } from "zod";
import { callRpc, type DatabaseClient } from "../_shared/database/database-client.ts";
import { FunctionError, handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireMember, type Member } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import type { BillingContext } from "../_shared/billing/billing-context.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";
import { endOpenPayments } from "../_shared/billing/pay-once.ts";
import { CoursePurchases } from "../_shared/billing/course-purchases.ts";
import { requireCode, type CodeOffer } from "../_shared/billing/codes.ts";
import { purchase } from "../_shared/billing/purchase.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { currentTax } from "../_shared/billing/vat.ts";
import { requireTrialCard } from "../_shared/billing/trial-card.ts";

const purchaseBody = z.object({
  price_id: z.string().min(1).max(255),
  payment_method_id: z.string().regex(/^pm_\w{1,250}$/),
  code: z.string().trim().min(1).max(100).optional(),
  /** The version of the terms that stood beside the button. */
  terms_version: z.number().int().optional(),
  /** Where the member lives, asked for where the VAT depends on it. */
  address: z
    .object({
      country: z.string().regex(/^[A-Z]{2}$/),
      postal_code: z.string().trim().min(1).max(20),
    })
    .optional(),
});

const options = {
  name: "stripe-create-subscription-direct",
  failureMessage: "Failed to create subscription",
  errorFields: { success: false, requires_action: false },
};

/** Buys a plan with a payment method created in the browser. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(
      request,
      service,
      "No active session. Please sign in again.",
    );
    const body = await parseBody(request, purchaseBody);
    const { price_id: price, payment_method_id: paymentMethod, code, address } = body;
    await enforceRateLimit(service, caller, "purchase");
    const billing = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      isLiveMode: isLiveMode(deps),
    };
    await acceptTerms(service, caller, body.terms_version);
    const offer =
      code === undefined
        ? undefined
        : await takeCode(billing, service, caller, { code, price, paymentMethod });
    const endOthers = async () => {
      // A course that waits for the bank's approval is part of the membership.
      await endOpenPayments({ ...billing, purchases: new CoursePurchases(service) }, caller);
    };
    const tax = await currentTax(billing.stripe, service);
    const chosen = { price, paymentMethod, offer, tax, address, endOthers };
    const result = await purchase(billing, caller, chosen);
    if (result.kind === "paid") return jsonResponse(200, { success: true, requires_action: false });
    return jsonResponse(200, {
      success: false,
      requires_action: true,
      // A card is approved without a payment, and then sent again.
      action: result.kind === "needs_approval" ? "approve_card" : "confirm_payment",
      client_secret: result.clientSecret,
    });
  });
}

/**
 * Records that the member accepts the terms, before anything is paid.
 * @throws {FunctionError} 409 terms_changed when another version is in force by now, or none was named.
 */
async function acceptTerms(
  service: DatabaseClient,
  caller: Member,
  version: number | undefined,
): Promise<void> {
  const args = { member: caller.id, version: version ?? null };
  if (await callRpc(service, "billing_accept_terms", args)) return;
  const message = "Our terms have changed. Reload this page to read them, then pay again.";
  throw new FunctionError(409, "terms_changed", message);
}

/** What the code gives. A trial takes the card before the code, so that a refused card does not hold a place of the code. */
async function takeCode(
  billing: BillingContext,
  service: DatabaseClient,
  caller: Member,
  { code, price, paymentMethod }: { code: string; price: string; paymentMethod: string },
): Promise<CodeOffer> {
  const offer = await requireCode(billing, service, caller, { code, price, redeem: false });
  if (offer.trialDays === null) return offer;
  await requireTrialCard(billing, service, caller, paymentMethod);
  return await requireCode(billing, service, caller, { code, price, redeem: true });
}
