import type Stripe from "stripe";
import { z } from "zod";
import type { DatabaseClient } from "../database/database-client.ts";
import { toFunctionError, type SecondFactorAdmin } from "../http/admin-caller.ts";
import type { BillingClients } from "./billing-context.ts";
import { syncCharge } from "./charges.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";
import { findRefund } from "./settle-refunds.ts";
import { outcomeOf } from "./settled-refund.ts";
import { isInvalidRequest } from "./stripe-client.ts";

/** What an administrator asked for. The amount is in the currency's smallest unit. */
export interface RefundRequest {
  /** Idempotency key: the same id is refunded once. */
  id: string;
  payment: string;
  amount: number;
  reason: string;
}

/** As the provider says: `succeeded`, or `pending` while the bank has not taken it. */
export interface RefundResult {
  refund: string;
  status: string;
}

const begun = z.object({ refund_id: z.string().nullable(), state: z.string() });

/**
 * Refunds a payment in part or whole. It is recorded before the provider is asked, and read from the provider after.
 * @throws {FunctionError} with the codes of docs/error-codes.md; `provider_unavailable` says that the refund may have
 * been made, and that the same request may be repeated.
 */
export async function refundPayment(
  billing: BillingClients,
  service: DatabaseClient,
  admin: SecondFactorAdmin,
  request: RefundRequest,
): Promise<RefundResult> {
  const { data, error } = await admin.client.rpc("admin_begin_refund", {
    request: request.id,
    payment: request.payment,
    amount_pence: request.amount,
    reason: request.reason,
  });
  if (error !== null) throw toFunctionError(error);
  const known = begun.parse(data);
  if (["made", "failed"].includes(known.state) && known.refund_id !== null) {
    return resultOf(await billing.stripe.refunds.retrieve(known.refund_id));
  }
  return await makeRefund(billing, service, admin.account.id, request);
}

/**
 * Makes a refund that is recorded as begun, and records how it ended. `admin` is named in the audit log; null for the
 * scheduled run.
 * @throws {FunctionError} as `refundPayment`.
 */
export async function makeRefund(
  billing: BillingClients,
  service: DatabaseClient,
  admin: string | null,
  request: Omit<RefundRequest, "reason">,
): Promise<RefundResult> {
  const end = async (outcome: string, refund: string | null, detail: string | null) => {
    const { error: failed } = await service.rpc("billing_end_refund", {
      request: request.id,
      admin,
      outcome,
      refund,
      detail,
    });
    if (failed !== null)
      throw new Error("the refund's outcome was not recorded", { cause: failed });
  };
  let refund: Stripe.Refund;
  try {
    refund =
      (await findRefund(billing.stripe, request.id, request.payment)) ??
      (await billing.stripe.refunds.create(
        {
          charge: request.payment,
          amount: request.amount,
          reason: "requested_by_customer",
          metadata: { request_id: request.id },
        },
        { idempotencyKey: request.id },
      ));
  } catch (cause) {
    if (isInvalidRequest(cause)) {
      const message = errorForLog(cause);
      await end("refused", null, message);
      const said = cause instanceof Error ? cause.message : message;
      throw new FunctionError(409, "refund_refused", said, { cause });
    }
    await end("unclear", null, errorForLog(cause));
    const message =
      "The payment provider did not answer. The refund may have been made. Try again: it is made once only.";
    throw new FunctionError(502, "provider_unavailable", message, { cause });
  }
  await end(outcomeOf(refund), refund.id, refund.failure_reason ?? null);
  try {
    await syncCharge(billing, request.payment);
  } catch (cause) {
    // The webhook and the reconciliation read it again.
    console.error(`refund ${request.id}: ${errorForLog(cause)}`);
  }
  return resultOf(refund);
}

/** @throws {FunctionError} 409 refund_failed when the bank has given it back. */
function resultOf(refund: Stripe.Refund): RefundResult {
  if (outcomeOf(refund) === "failed") {
    const message = "The bank of the card has not taken this refund. Nothing was refunded.";
    throw new FunctionError(409, "refund_failed", message);
  }
  return { refund: refund.id, status: refund.status ?? "pending" };
}
