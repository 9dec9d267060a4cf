import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { CheckboxField } from "@/ui/checkbox-field.tsx";
import { nameOfMember, type AccountDetail, type BillingDetail } from "../model/member-detail.ts";
import { useMemberActs } from "../mutations.ts";
import { subscriptionWarning } from "../strings.ts";
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
const recorded = "For the record, with your name. The member doesn't read it.";

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
    return (
      <p className="text-sm text-muted">
        This is your own account. Another administrator has to act on it.
      </p>
    );
  }
  if (open === "suspend") {
    return (
      <ActForm
        title={`Suspend ${name}`}
        confirmLabel="Suspend member"
        doneText={`${name} is suspended.`}
        danger
        asksDuration
        reasonHint="The member gets it by e-mail, and it is recorded with your name."
        onSubmit={({ reason, days }) => acts.suspend(reason, days, renews && stopsRenewal)}
        onClose={close}
      >
        <p>They are signed out everywhere at once and can't sign in. What they wrote stays.</p>
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
            label="Stop the renewal, so that the next period is not charged"
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
        title={`Stop the renewal for ${name}`}
        confirmLabel="Stop renewal"
        doneText={`The membership of ${name} doesn't renew.`}
        danger
        reasonHint={recorded}
        onSubmit={({ reason }) => acts.stopRenewal(reason)}
        onClose={close}
      >
        <p>
          The membership ends with its current period, and the next one is not charged. The member
          is told by e-mail. Unless they are suspended, they can undo it.
        </p>
      </ActForm>
    );
  }
  if (open === "lift") {
    return (
      <ActForm
        title={`Lift the suspension of ${name}`}
        confirmLabel="Lift suspension"
        doneText={`${name} can sign in again.`}
        reasonHint={recorded}
        onSubmit={({ reason }) => acts.lift(reason)}
        onClose={close}
      >
        <p>They can sign in again. Their level and progress are as they were.</p>
      </ActForm>
    );
  }
  if (open === "sign-out") {
    return (
      <ActForm
        title={`Sign ${name} out everywhere`}
        confirmLabel="Sign out everywhere"
        doneText={`${name} is signed out everywhere.`}
        reasonHint={recorded}
        onSubmit={({ reason }) => acts.signOut(reason)}
        onClose={close}
      >
        <p>Every device has to sign in again. They can do so at once.</p>
      </ActForm>
    );
  }
  if (open === "remove-picture") {
    return (
      <ActForm
        title={`Remove the picture of ${name}`}
        confirmLabel="Remove picture"
        doneText={`The picture of ${name} is removed.`}
        danger
        reasonHint={recorded}
        onSubmit={({ reason }) => acts.removePicture(reason)}
        onClose={close}
      >
        <p>Their initials are shown instead. They can upload another picture.</p>
      </ActForm>
    );
  }
  if (open === "trust") {
    return (
      <TrustForm
        account={account}
        reasonHint={recorded}
        onSubmit={acts.setTrusted}
        onClose={close}
      />
    );
  }
  if (open === "make-admin") {
    return (
      <ActForm
        title={`Make ${name} an administrator`}
        confirmLabel="Make administrator"
        doneText={`${name} is an administrator.`}
        danger
        asksCode
        reasonHint={recorded}
        onSubmit={({ reason, code }) => acts.setAdmin(true, reason, code)}
        onClose={close}
      >
        <p>
          They can do all you can: read members' data and documents, suspend, refund and appoint.
          {account.has_second_factor
            ? null
            : " They have to set up a second factor before any of it opens."}
        </p>
      </ActForm>
    );
  }
  if (open === "remove-admin") {
    return (
      <ActForm
        title={`Remove ${name} as an administrator`}
        confirmLabel="Remove administrator"
        doneText={`${name} is no longer an administrator.`}
        danger
        asksCode
        reasonHint={recorded}
        onSubmit={({ reason, code }) => acts.setAdmin(false, reason, code)}
        onClose={close}
      >
        <p>The console closes for them at once. They keep what their own membership gives.</p>
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
          title={isAdmin ? "Take the administrator role away first" : undefined}
          onClick={() => setOpen("suspend")}
        >
          Suspend
        </Button>
      ) : (
        <Button variant="secondary" size="sm" onClick={() => setOpen("lift")}>
          Lift suspension
        </Button>
      )}
      {renews ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("stop-renewal")}>
          Stop renewal
        </Button>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        disabled={account.sessions === 0}
        onClick={() => setOpen("sign-out")}
      >
        Sign out everywhere
      </Button>
      {hasPicture ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("remove-picture")}>
          Remove picture
        </Button>
      ) : null}
      {account.role === "mentor" ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("trust")}>
          {account.is_trusted ? "Require a review" : "Trust as a mentor"}
        </Button>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        onClick={() => setOpen(isAdmin ? "remove-admin" : "make-admin")}
      >
        {isAdmin ? "Remove administrator" : "Make administrator"}
      </Button>
    </div>
  );
}
