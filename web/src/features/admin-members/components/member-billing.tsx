import { formatPence } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { formatStatus } from "@/features/billing/index.ts";
import { longDate } from "@/lib/format-time.ts";
import type { BillingDetail } from "../model/member-detail.ts";
import { membershipNames } from "../strings.ts";
import { MemberFacts, MemberSection } from "./member-section.tsx";

const kinds = { payment: "Payment", refund: "Refund", dispute: "Dispute" } as const;

/** The subscription of a member and a summary of the payments. */
export function MemberBillingSection({ billing }: { readonly billing: BillingDetail }) {
  const { subscription, records } = billing;
  const endsAt = subscription?.period_ends_at ?? null;
  const ends = endsAt === null ? "–" : longDate(Date.parse(endsAt));
  return (
    <MemberSection title="Membership">
      <MemberFacts
        facts={[
          ["Membership", membershipNames[billing.membership]],
          ...(subscription === null
            ? []
            : ([
                ["Plan", subscription.plan ?? "Not sold here"],
                ["Subscription", formatStatus(subscription.status, subscription.hold)],
                [subscription.ends_with_period ? "Ends" : "Renews", ends],
                ...(subscription.pending_plan === null
                  ? []
                  : ([["Changes to", subscription.pending_plan]] as const)),
                ["Card", cardName(subscription.card_brand, subscription.card_last4) ?? "–"],
              ] as const)),
          ["Paid", formatPence(billing.paid_pence)],
          ["Refunded", formatPence(billing.refunded_pence)],
        ]}
      />
      {records.length === 0 ? null : (
        <ul aria-label="Latest payments" className="grid gap-1 text-sm">
          {records.map((record) => (
            <li key={record.id} className="flex justify-between gap-3">
              <span>
                {kinds[record.kind]} · {record.status.replaceAll("_", " ")}
              </span>
              <span className="tabular text-muted">
                {formatPence(record.amount, record.currency.toUpperCase())} ·{" "}
                {longDate(Date.parse(record.happened_at))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </MemberSection>
  );
}
