import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { finalizeInvoice } from "./invoice-steps.ts";
import { voidInvoice } from "./void-invoice.ts";

interface PauseInput {
  behavior: "keep_as_draft" | "mark_uncollectible" | "void";
  resumes_at?: number | undefined;
}

/** How collection is paused from now on; "" takes it up again. Invoices made before are collected all the same. */
export function pauseOf(
  state: SandboxState,
  given: PauseInput | "",
): Stripe.Subscription.PauseCollection | null {
  if (given === "") return null;
  const resumesAt = given.resumes_at ?? null;
  if (resumesAt !== null && resumesAt <= state.now()) {
    throw invalidRequest(
      "Invalid timestamp: must be in the future.",
      "pause_collection[resumes_at]",
    );
  }
  return { behavior: given.behavior, resumes_at: resumesAt };
}

/** Leaves the draft of a paused subscription's renewal uncollected. Its status stays, and a void one uses no credit. */
export function leaveUncollected(
  state: SandboxState,
  invoiceId: string,
  { behavior }: Stripe.Subscription.PauseCollection,
): void {
  state.update("invoices", invoiceId, { auto_advance: false, automatically_finalizes_at: null });
  if (behavior === "void") voidInvoice(state, invoiceId);
  if (behavior !== "mark_uncollectible") return;
  const open = finalizeInvoice(state, invoiceId, null);
  if (open.status !== "open") return;
  const transitions = { ...open.status_transitions, marked_uncollectible_at: state.now() };
  state.update(
    "invoices",
    invoiceId,
    { status: "uncollectible", status_transitions: transitions },
    "invoice.marked_uncollectible",
  );
}
