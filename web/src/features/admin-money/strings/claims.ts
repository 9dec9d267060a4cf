import { pluralise } from "@/lib/format-count.ts";
import type { WaitingClaim } from "../api/claims.ts";

/** What a claim waits as. */
export const claimStateNames: Readonly<Record<WaitingClaim["state"], string>> = {
  filed: "Claim",
  appealed: "Appeal",
  granted: "Granted, not settled",
};

/** Claims in the list and one by one. */
export const claimsViewStrings = {
  title: "Claims",
  loadFailed: "We couldn't load the claims",
  emptyTitle: "No claims",
  empty: "Claims that the rules let through appear here, oldest first.",
  waitsAs: "Waits as",
  made: "Made",
  income: "Income a month",
  started: "Started",
  startIncome: "At",
  startIncomeValue: (amount: string, source: string) => `${amount} a month: ${source}`,
  checkIns: "Check-ins",
  claimed: "Claims",
  claimedValue: (amount: string) => `${amount} a month`,
  statement: "Says",
  decision: "Decision",
  appeal: "Appeal",
  terms: "Lines of the terms",
  termState: (held: string, needed: string, isMet: boolean) =>
    `${held} of ${needed}, ${isMet ? "met" : "not met"}`,
} as const;

export const claimDecisionStrings = {
  choose: "Your decision",
  grant: "Grant: membership without charge, and every payment back now",
  decline: "Decline",
  undecided: "Choose first whether to grant or decline.",
  /** @param isGranted null while nothing is chosen. */
  confirm: (isGranted: boolean | null) => {
    if (isGranted === null) return "Decide";
    return isGranted ? "Grant this claim" : "Decline this claim";
  },
  reasonHint: "The member reads it.",
  reasonMissing: "Say why. The member reads it.",
  declined: "Claim declined.",
} as const;

/** The end of a granted claim. */
export const claimSettlementStrings = {
  retry: "Try again now",
  note: "The renewal stops, and each payment goes back to its card once. What the provider refuses stays here.",
} as const;

export const claimDocumentStrings = {
  open: "Open the document",
  openNote: "Each opening is recorded with your name.",
  openFailed: "The document couldn't be opened. Try again.",
  alt: (holder: string) => `Document of ${holder}`,
  savePdf: "Save the PDF",
  wrongKind: "This is neither a picture nor a PDF. Ask the member for another.",
} as const;

/** Said of a granted claim while the renewal or refunds are left. */
export function leftToSettle(payments: number, renews: boolean): string {
  const parts = [
    renews ? "the renewal isn't stopped" : "",
    payments > 0
      ? `${pluralise(payments, "payment")} ${payments === 1 ? "isn't" : "aren't"} refunded`
      : "",
  ].filter(Boolean);
  return `The claim is granted, but ${parts.join(" and ")} yet. We try again by ourselves; you can also try now.`;
}

/** Said while a granted claim is settled. */
export const settling = "Granted. Stopping the renewal and refunding every payment…";

/** Said when a granted claim is settled. */
export function claimSettled(member: string): string {
  return `Claim granted. Every payment of ${member} was refunded.`;
}

/** Said when a claim was granted and the answer about its refunds was lost. */
export const settlementUnclear =
  "The claim is granted. We don't know whether every payment was refunded yet: each is refunded once only.";
