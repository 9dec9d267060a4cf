import { EmailAddress } from "@/ui/email-address.tsx";
import type { PayingAccount } from "../model/payment.ts";
import { payerName } from "./describe-payment.ts";

/** Who a row is about: the name, and the address under it. */
export function PayerCell({ payer }: { readonly payer: PayingAccount }) {
  return (
    <span className="grid min-w-0">
      <span className="font-medium wrap-anywhere">{payerName(payer)}</span>
      {payer.name === "" || payer.email === null ? null : (
        <span className="text-muted">
          {" "}
          <EmailAddress>{payer.email}</EmailAddress>
        </span>
      )}
    </span>
  );
}
