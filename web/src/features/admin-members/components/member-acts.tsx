import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { nameOfMember, type AccountDetail, type BillingDetail } from "../model/member-detail.ts";
import { useMemberActs } from "../mutations.ts";
import { memberActFormStrings, memberActsStrings, subscriptionWarning } from "../strings.ts";
import { ActForm } from "./act-form.tsx";
import { TrustForm } from "./trust-form.tsx";

type Act =
  | "suspend"
  | "stop-renewal"
  | "lift"
  | "sign-out"
  | "remove-picture"
  | "trust"
  | "make-admin"
  | "remove-admin";

const runningStatuses: readonly string[] = ["active", "trialing", "past_due"];

/** What an administrator can do to a member, each confirmed within the panel with a reason. */
export function MemberActs({
  account,
  billing,
  hasPicture,
}: {
  readonly account: AccountDetail;
  readonly billing: BillingDetail;
  readonly hasPicture: boolean;
}) {
  const ownId = useUserId();
  const acts = useMemberActs(account.id);
  const [open, setOpen] = useState<Act | null>(null);
  const [stopsRenewal, setStopsRenewal] = useState(false);
  const close = () => {
    setOpen(null);
    setStopsRenewal(false);
  };
  const name = nameOfMember(account);
  const isAdmin = account.role === "admin";
  const { subscription } = billing;
  const runs = subscription !== null && runningStatuses.includes(subscription.status);
  const renews = runs && !subscription.ends_with_period;

  if (account.id === ownId) {
    return <p className="text-sm text-muted">{memberActsStrings.ownAccount}</p>;
  }
  if (open === "suspend") {
    return (
      <ActForm
        title={memberActsStrings.suspend.title(name)}
        confirmLabel={memberActsStrings.suspend.confirm}
        doneText={memberActsStrings.suspend.done(name)}
        danger
        asksDuration
        reasonHint={memberActsStrings.suspend.reasonHint}
        onSubmit={({ reason, days }) => acts.suspend(reason, days, renews && stopsRenewal)}
        onClose={close}
      >
        <p>{memberActsStrings.suspend.effect}</p>
        {runs ? (
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
            label={memberActsStrings.suspend.stopsRenewal}
            checked={stopsRenewal}
            onChange={(event) => setStopsRenewal(event.target.checked)}
          />
        ) : null}
      </ActForm>
    );
  }
  if (open === "stop-renewal") {
    return (
      <ActForm
        title={memberActsStrings.stopRenewal.title(name)}
        confirmLabel={memberActsStrings.stopRenewal.act}
        doneText={memberActsStrings.stopRenewal.done(name)}
        danger
        reasonHint={memberActFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.stopRenewal(reason)}
        onClose={close}
      >
        <p>{memberActsStrings.stopRenewal.effect}</p>
      </ActForm>
    );
  }
  if (open === "lift") {
    return (
      <ActForm
        title={memberActsStrings.lift.title(name)}
        confirmLabel={memberActsStrings.lift.act}
        doneText={memberActsStrings.lift.done(name)}
        reasonHint={memberActFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.lift(reason)}
        onClose={close}
      >
        <p>{memberActsStrings.lift.effect}</p>
      </ActForm>
    );
  }
  if (open === "sign-out") {
    return (
      <ActForm
        title={memberActsStrings.signOut.title(name)}
        confirmLabel={memberActsStrings.signOut.act}
        doneText={memberActsStrings.signOut.done(name)}
        reasonHint={memberActFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.signOut(reason)}
        onClose={close}
      >
        <p>{memberActsStrings.signOut.effect}</p>
      </ActForm>
    );
  }
  if (open === "remove-picture") {
    return (
      <ActForm
        title={memberActsStrings.removePicture.title(name)}
        confirmLabel={memberActsStrings.removePicture.act}
        doneText={memberActsStrings.removePicture.done(name)}
        danger
        reasonHint={memberActFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.removePicture(reason)}
        onClose={close}
      >
        <p>{memberActsStrings.removePicture.effect}</p>
      </ActForm>
    );
  }
  if (open === "trust") {
    return (
      <TrustForm
        account={account}
        reasonHint={memberActFormStrings.reasonHint}
        onSubmit={acts.setTrusted}
        onClose={close}
      />
    );
  }
  if (open === "make-admin") {
    return (
      <ActForm
        title={memberActsStrings.makeAdmin.title(name)}
        confirmLabel={memberActsStrings.makeAdmin.act}
        doneText={memberActsStrings.makeAdmin.done(name)}
        danger
        asksCode
        reasonHint={memberActFormStrings.reasonHint}
        onSubmit={({ reason, code }) => acts.setAdmin(true, reason, code)}
        onClose={close}
      >
        <p>{memberActsStrings.makeAdmin.effect(account.has_second_factor)}</p>
      </ActForm>
    );
  }
  if (open === "remove-admin") {
    return (
      <ActForm
        title={memberActsStrings.removeAdmin.title(name)}
        confirmLabel={memberActsStrings.removeAdmin.act}
        doneText={memberActsStrings.removeAdmin.done(name)}
        danger
        asksCode
        reasonHint={memberActFormStrings.reasonHint}
        onSubmit={({ reason, code }) => acts.setAdmin(false, reason, code)}
        onClose={close}
      >
        <p>{memberActsStrings.removeAdmin.effect}</p>
      </ActForm>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {account.suspension === null ? (
        <Button
          variant="secondary"
          size="sm"
          disabled={isAdmin}
          title={isAdmin ? memberActsStrings.suspend.adminFirst : undefined}
          onClick={() => setOpen("suspend")}
        >
          {memberActsStrings.suspend.act}
        </Button>
      ) : (
        <Button variant="secondary" size="sm" onClick={() => setOpen("lift")}>
          {memberActsStrings.lift.act}
        </Button>
      )}
      {renews ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("stop-renewal")}>
          {memberActsStrings.stopRenewal.act}
        </Button>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        disabled={account.sessions === 0}
        onClick={() => setOpen("sign-out")}
      >
        {memberActsStrings.signOut.act}
      </Button>
      {hasPicture ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("remove-picture")}>
          {memberActsStrings.removePicture.act}
        </Button>
      ) : null}
      {account.role === "mentor" ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("trust")}>
          {account.is_trusted ? memberActsStrings.review.act : memberActsStrings.trust.act}
        </Button>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        onClick={() => setOpen(isAdmin ? "remove-admin" : "make-admin")}
      >
        {isAdmin ? memberActsStrings.removeAdmin.act : memberActsStrings.makeAdmin.act}
      </Button>
    </div>
  );
}
