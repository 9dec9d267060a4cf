import { useState } from "react";
import { longDate } from "@/lib/format-time.ts";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { nameOfMember, type AccountDetail, type BillingDetail } from "../model/member-detail.ts";
import { useMemberActions } from "../mutations.ts";
import { memberActionsStrings, subscriptionWarning } from "../strings.ts";
import { ActionForm } from "./action-form.tsx";

const runningStatuses: readonly string[] = ["active", "trialing", "past_due"];

const doesRun = ({ subscription }: BillingDetail) =>
  subscription !== null && runningStatuses.includes(subscription.status);

/** Whether the next period will be charged. */
export const doesRenew = (billing: BillingDetail) =>
  doesRun(billing) && billing.subscription?.ends_with_period === false;

/** Asks for how long an account is suspended and why, and says what its subscription does meanwhile. */
export function SuspendForm({
  account,
  billing,
  isInCard,
  onClose,
}: {
  readonly account: AccountDetail;
  readonly billing: BillingDetail;
  readonly isInCard: boolean;
  readonly onClose: () => void;
}) {
  const acts = useMemberActions(account.id);
  const [stopsRenewal, setStopsRenewal] = useState(false);
  const name = nameOfMember(account);
  const { subscription } = billing;
  const renews = doesRenew(billing);
  return (
    <ActionForm
      title={memberActionsStrings.suspend.title(name)}
      confirmLabel={memberActionsStrings.suspend.confirm}
      doneText={memberActionsStrings.suspend.done(name)}
      danger
      isInCard={isInCard}
      asksDuration
      reasonHint={memberActionsStrings.suspend.reasonHint}
      onSubmit={({ reason, days }) => acts.suspend(reason, days, renews && stopsRenewal)}
      onClose={onClose}
    >
      <p>{memberActionsStrings.suspend.effect}</p>
      {account.role === "mentor" ? <p>{memberActionsStrings.suspend.mentorEffect}</p> : null}
      {subscription !== null && doesRun(billing) ? (
        <p className="font-medium">
          {subscriptionWarning(
            { plan: subscription.plan, endsWithPeriod: subscription.ends_with_period },
            subscription.period_ends_at === null
              ? null
              : longDate(Date.parse(subscription.period_ends_at)),
          )}
        </p>
      ) : null}
      {renews ? (
        <CheckboxField
          label={memberActionsStrings.suspend.stopsRenewal}
          checked={stopsRenewal}
          onChange={(event) => setStopsRenewal(event.target.checked)}
        />
      ) : null}
    </ActionForm>
  );
}
