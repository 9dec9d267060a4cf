import { formatPence } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { formatStatus } from "@/features/billing/index.ts";
import { longDate } from "@/lib/format-time.ts";
import type { BillingDetail } from "../model/member-detail.ts";
import { memberBillingStrings, memberFields, membershipNames } from "../strings.ts";
import { MemberFacts, MemberSection } from "./member-section.tsx";

/** The subscription of a member and a summary of the payments. */
export function MemberBillingSection({ billing }: { readonly billing: BillingDetail }) {
  const { subscription, records } = billing;
  const endsAt = subscription?.period_ends_at ?? null;
  const ends = endsAt === null ? "–" : longDate(Date.parse(endsAt));
  return (
    <MemberSection title={memberFields.membership}>
      <MemberFacts
        facts={[
          [memberFields.membership, membershipNames[billing.membership]],
          ...(subscription === null
            ? []
            : ([
                [memberBillingStrings.plan, subscription.plan ?? memberBillingStrings.planUnknown],
                [
                  memberBillingStrings.subscription,
                  formatStatus(subscription.status, subscription.hold),
                ],
                [memberBillingStrings.periodEnd(subscription.ends_with_period), ends],
                ...(subscription.pause
                  ? ([
                      [
                        memberBillingStrings.pause,
                        memberBillingStrings.pauseSpan(
                          longDate(Date.parse(subscription.pause.begins_at)),
                          subscription.pause.ends_at === null
                            ? "–"
                            : longDate(Date.parse(subscription.pause.ends_at)),
                        ),
                      ],
                    ] as const)
                  : []),
                ...(subscription.pending_plan === null
                  ? []
                  : ([[memberBillingStrings.changesTo, subscription.pending_plan]] as const)),
                [
                  memberBillingStrings.card,
                  cardName(subscription.card_brand, subscription.card_last4) ?? "–",
                ],
              ] as const)),
          [memberBillingStrings.paid, formatPence(billing.paid_pence)],
          [memberBillingStrings.refunded, formatPence(billing.refunded_pence)],
        ]}
      />
      {records.length === 0 ? null : (
        <ul aria-label={memberBillingStrings.records} className="grid gap-1 text-sm">
          {records.map((record) => (
            <li key={record.id} className="flex justify-between gap-3">
              <span>
                {memberBillingStrings.recordNames[record.kind]} ·{" "}
                {record.status.replaceAll("_", " ")}
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
