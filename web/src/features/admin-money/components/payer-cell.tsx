import type { PayingAccount } from "../model/payment.ts";
import { payerName } from "./describe-payment.ts";

/** Who a row is about: the name, and the address under it. */
export function PayerCell({ payer }: { readonly payer: PayingAccount }) {
  return (
    <span className="grid min-w-0">
      <span className="font-medium wrap-anywhere">{payerName(payer)}</span>
      {payer.name === "" ? null : <span className="text-muted wrap-anywhere"> {payer.email}</span>}
    </span>
  );
}
