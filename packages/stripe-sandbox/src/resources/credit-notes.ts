import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { adjustCustomerBalance } from "../billing/customer-balance.ts";
import { intentOf } from "../billing/invoice-steps.ts";
import { refundCharge } from "../billing/refund-charge.ts";
import { listPage } from "../http/lists.ts";
import {
  clearableText,
  integer,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { expandableId } from "../ids.ts";
import { newCreditNote } from "../objects/credit-note-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

const createParams = z.strictObject({
  amount: integer,
  credit_amount: integer.optional(),
  invoice: nonEmptyString,
  memo: nonEmptyString.optional(),
  metadata: metadata.optional(),
  out_of_band_amount: integer.optional(),
  reason: z.enum(["duplicate", "fraudulent", "order_change", "product_unsatisfactory"]).optional(),
  refund_amount: integer.optional(),
});
type Params = z.infer<typeof createParams>;

const notesOf = (state: SandboxState, invoice: string) =>
  state.rows("creditNotes").filter((row) => row.invoice === invoice && row.status === "issued");

/** What of an invoice no note has credited yet. */
function requireCreditable(state: SandboxState, invoice: Stripe.Invoice, amount: number): void {
  const credited = notesOf(state, invoice.id).reduce((sum, note) => sum + note.amount, 0);
  const left = invoice.total - credited;
  if (amount < 1 || amount > left) {
    throw invalidRequest(
      `The sum of credit notes cannot be more than the invoice; ${left} is left.`,
      "amount",
    );
  }
}

/** The payment of an invoice, whose money a note can send back. */
function chargeOf(state: SandboxState, invoice: string): Stripe.Charge {
  const intent = intentOf(state, invoice);
  const charge =
    intent === null ? "" : expandableId(state.get("paymentIntents", intent).latest_charge);
  if (charge === "")
    throw invalidRequest("This invoice has no payment to refund.", "refund_amount");
  return state.get("charges", charge);
}

/** Credit for a paid invoice: refunded, kept for the next invoice, or given otherwise. */
function creditPaid(state: SandboxState, invoice: Stripe.Invoice, id: string, params: Params) {
  const {
    amount,
    credit_amount: credit = 0,
    out_of_band_amount: other = 0,
    refund_amount: back = 0,
  } = params;
  if (credit + other + back !== amount) {
    throw invalidRequest(
      "The sum of refund_amount, credit_amount and out_of_band_amount must equal the amount of a credit note for a paid invoice.",
      "amount",
    );
  }
  const refund =
    back === 0 ? null : refundCharge(state, chargeOf(state, invoice.id), { amount: back });
  const balance =
    credit === 0
      ? null
      : adjustCustomerBalance(state, expandableId(invoice.customer), {
          amount: -credit,
          currency: invoice.currency,
          type: "credit_note",
          creditNote: id,
        });
  return { refund, balance, outOfBand: other === 0 ? null : other };
}

function create(state: SandboxState, params: Params): Stripe.CreditNote {
  const invoice = state.get("invoices", params.invoice, "invoice");
  const isPaid = invoice.status === "paid";
  if (!isPaid && invoice.status !== "open") {
    throw invalidRequest("You can only credit an invoice that is open or paid.", "invoice");
  }
  requireCreditable(state, invoice, params.amount);
  const number = `${invoice.number ?? ""}-CN-${String(notesOf(state, invoice.id).length + 1).padStart(2, "0")}`;
  const note = newCreditNote(
    {
      invoice,
      number,
      amount: params.amount,
      isPaid,
      memo: params.memo ?? null,
      reason: params.reason ?? null,
      metadata: mergeMetadata({}, params.metadata),
      publicBase: state.publicBase,
    },
    state.now(),
  );
  if (isPaid) {
    const { refund, balance, outOfBand } = creditPaid(state, invoice, note.id, params);
    note.out_of_band_amount = outOfBand;
    note.customer_balance_transaction = balance?.id ?? null;
    if (refund) {
      note.refunds = [
        {
          amount_refunded: refund.amount,
          payment_record_refund: null,
          refund: refund.id,
          type: "refund",
        },
      ];
    }
  }
  const field = isPaid ? "post_payment_credit_notes_amount" : "pre_payment_credit_notes_amount";
  const due = isPaid ? invoice.amount_due : invoice.amount_due - params.amount;
  const changes = {
    [field]: invoice[field] + params.amount,
    ...(!isPaid && { amount_due: due, amount_remaining: due }),
  };
  state.put("creditNotes", note);
  state.update("invoices", invoice.id, changes, "invoice.updated");
  if (!isPaid) lowerIntent(state, invoice.id, due);
  state.emit("credit_note.created", note);
  return note;
}

/** What is left of an open invoice is what its payment asks for. */
function lowerIntent(state: SandboxState, invoice: string, due: number): void {
  const intent = intentOf(state, invoice);
  if (intent !== null) state.update("paymentIntents", intent, { amount: due });
}

function voidNote(state: SandboxState, id: string): Stripe.CreditNote {
  const note = state.get("creditNotes", id);
  const invoice = state.get("invoices", expandableId(note.invoice));
  if (note.status !== "issued" || note.type !== "pre_payment" || invoice.status !== "open") {
    throw invalidRequest("You can only void a credit note of an open invoice.", "id");
  }
  const due = invoice.amount_due + note.amount;
  state.update(
    "invoices",
    invoice.id,
    {
      amount_due: due,
      amount_remaining: due,
      pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount - note.amount,
    },
    "invoice.updated",
  );
  lowerIntent(state, invoice.id, due);
  const changes = { status: "void" as const, voided_at: state.now() };
  return state.update("creditNotes", id, changes, "credit_note.voided");
}

/** Notes that make an invoice smaller, by an amount. */
export const creditNoteRoutes: Route[] = [
  route("POST", "credit_notes", createParams, ({ state, params }) => create(state, params)),
  route(
    "GET",
    "credit_notes",
    z.strictObject({
      ...listParams,
      customer: nonEmptyString.optional(),
      invoice: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      const rows = state
        .rows("creditNotes")
        .filter(
          (row) =>
            row.customer === (params.customer ?? row.customer) &&
            row.invoice === (params.invoice ?? row.invoice),
        );
      return listPage(rows, params, url, "creditNotes");
    },
  ),
  route("GET", "credit_notes/:id", noParams, ({ state, id }) => state.get("creditNotes", id)),
  route(
    "POST",
    "credit_notes/:id",
    z.strictObject({ memo: clearableText.optional(), metadata: metadata.optional() }),
    ({ state, id, params: { memo, metadata: given } }) => {
      const merged = mergeMetadata(state.get("creditNotes", id).metadata ?? {}, given);
      const changes = { ...(memo !== undefined && { memo }), metadata: merged };
      return state.update("creditNotes", id, changes, "credit_note.updated");
    },
  ),
  route("POST", "credit_notes/:id/void", noParams, ({ state, id }) => voidNote(state, id)),
];
