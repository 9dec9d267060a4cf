import { paths } from "@/domain/paths.ts";
import { useBillingRules } from "@/features/legal/index.ts";
import { payingAcceptsStrings } from "../strings/checkout.ts";

/** What pressing PAY means by law: the terms, access at once, and fourteen days to withdraw. */
export function PayingAccepts() {
  const { data: rules } = useBillingRules();
  return (
    <p className="text-sm text-muted">
      {payingAcceptsStrings.before}
      <NewTab to={paths.terms}>{payingAcceptsStrings.terms}</NewTab>
      {payingAcceptsStrings.between}
      <NewTab to={paths.refunds}>{payingAcceptsStrings.withdraw}</NewTab>
      {rules?.refundsInProportion === true
        ? payingAcceptsStrings.afterInProportion
        : payingAcceptsStrings.after}
    </p>
  );
}

/** Opens beside the payment, so that nothing that was typed is lost. */
function NewTab({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer" className="underline underline-offset-4">
      {children}
    </a>
  );
}
