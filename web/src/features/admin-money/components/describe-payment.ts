import type { BadgeProps } from "@/ui/badge.tsx";
import type { PayingAccount } from "../model/payment.ts";
import { moneyFields } from "../strings/fields.ts";
import { paymentStateNames } from "../strings/payments.ts";

/** The states a payment can be in, with their words. */
export const paymentStates: Readonly<
  Record<string, { readonly label: string; readonly colour: NonNullable<BadgeProps["colour"]> }>
> = {
  paid: { label: paymentStateNames.paid, colour: "good" },
  partly_refunded: { label: paymentStateNames.partlyRefunded, colour: "info" },
  refunded: { label: paymentStateNames.refunded, colour: "plain" },
  disputed: { label: paymentStateNames.disputed, colour: "warn" },
  dispute_lost: { label: paymentStateNames.disputeLost, colour: "danger" },
};

export function payerName({ name, email }: PayingAccount): string {
  if (name !== "") return name;
  return email ?? moneyFields.deletedAccount;
}

/** Name and address as a row shows them, for its button. */
export function payerLabel(payer: PayingAccount): string {
  return payer.name === "" ? payerName(payer) : `${payer.name} ${payer.email ?? ""}`.trim();
}
