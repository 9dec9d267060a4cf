import type { PayingAccount } from "../model/payment.ts";
import { payerName } from "./describe-payment.ts";

/** Who a row is about: the name, and the address under it, which breaks before its `@` where it has to. */
export function PayerCell({ payer }: { readonly payer: PayingAccount }) {
  const at = payer.email.lastIndexOf("@");
  return (
    <span className="grid min-w-0">
      <span className="font-medium wrap-anywhere">{payerName(payer)}</span>
      {payer.name === "" ? null : (
        <span className="text-muted wrap-anywhere">
          {" "}
          {payer.email.slice(0, at)}
          <wbr />
          {payer.email.slice(at)}
        </span>
      )}
    </span>
  );
}
