import type { PayingAccount } from "../model/payment.ts";
import { payerName } from "./describe-payment.ts";

/** Who a row is about: the name, and the address under it. */
export function PayerCell({ payer }: { readonly payer: PayingAccount }) {
  return (
    <span className="grid min-w-0">
      <span className="font-medium wrap-anywhere">{payerName(payer)}</span>
      {payer.name === "" || payer.email === null ? null : <Address email={payer.email} />}
    </span>
  );
}

/** Breaks before its `@` where it has to. */
function Address({ email }: { readonly email: string }) {
  const at = email.lastIndexOf("@");
  return (
    <span className="text-muted wrap-anywhere">
      {" "}
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}
