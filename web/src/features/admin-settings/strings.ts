import { adminSecondFactorDue } from "@/lib/error-codes.ts";
import { messageOf, toAppError, tryAgain } from "@/lib/errors.ts";

/** Why a setting was not saved. The database's own sentences say what is wrong with a figure or a text. */
export function describeSettingError(error: unknown): string {
  if (toAppError(error).code === adminSecondFactorDue) {
    return "Enter the code of your second factor first, on your account page.";
  }
  return messageOf(error, `Your change wasn't saved. ${tryAgain}`);
}

/** How the e-mails are called in the list. */
export const emailNames: Readonly<Record<string, string>> = {
  welcome: "Welcome",
  receipt: "Receipt",
  payment_failed: "Payment failed",
  card_expiring: "Card expires soon",
  plan_changed: "Plan changed",
  membership_cancelled: "Membership cancelled",
  membership_ended: "Membership ended",
  payment_refunded: "Payment refunded",
  course_receipt: "Course: receipt",
  course_refunded: "Course: refunded",
  course_disputed: "Course: payment disputed (to the buyer)",
  course_dispute_won: "Course: dispute won",
  payment_disputed: "Payment disputed (to the member)",
  dispute_won: "Dispute won",
  dispute_opened: "Dispute opened (to administrators)",
  guarantee_granted: "Guarantee: claim granted",
  guarantee_declined: "Guarantee: claim declined",
  guarantee_check_in: "Guarantee: check-in due",
  guarantee_claim_open: "Guarantee: a claim can be made",
  digest: "Digest of unread notifications",
  identity_approved: "Identity approved",
  identity_rejected: "Identity rejected",
  identity_attempts_reset: "Identity may be sent again",
  account_suspended: "Account suspended",
};

/** How the texts of an e-mail are called; others are paragraphs by their own name. */
export function emailTextLabel(key: string): string {
  if (key === "subject") return "Subject";
  if (key === "heading") return "Heading";
  return `Paragraph: ${key}`;
}
