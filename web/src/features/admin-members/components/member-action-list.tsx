import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { nameOfMember, type AccountDetail, type BillingDetail } from "../model/member-detail.ts";
import { useMemberActions } from "../mutations.ts";
import { memberActionFormStrings, memberActionsStrings } from "../strings.ts";
import { ActionForm } from "./action-form.tsx";
import { doesRenew, SuspendForm } from "./suspend-form.tsx";
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

/** What an administrator can do to a member, each confirmed within the panel with a reason. */
export function MemberActionList({
  account,
  billing,
  hasPicture,
}: {
  readonly account: AccountDetail;
  readonly billing: BillingDetail;
  readonly hasPicture: boolean;
}) {
  const ownId = useUserId();
  const acts = useMemberActions(account.id);
  const [open, setOpen] = useState<Act | null>(null);
  const close = () => setOpen(null);
  const name = nameOfMember(account);
  const isAdmin = account.role === "admin";
  const renews = doesRenew(billing);

  if (account.id === ownId) {
    return <p className="text-sm text-muted">{memberActionsStrings.ownAccount}</p>;
  }
  if (open === "suspend") {
    return <SuspendForm account={account} billing={billing} isInCard={false} onClose={close} />;
  }
  if (open === "stop-renewal") {
    return (
      <ActionForm
        title={memberActionsStrings.stopRenewal.title(name)}
        confirmLabel={memberActionsStrings.stopRenewal.act}
        doneText={memberActionsStrings.stopRenewal.done(name)}
        danger
        reasonHint={memberActionFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.stopRenewal(reason)}
        onClose={close}
      >
        <p>{memberActionsStrings.stopRenewal.effect}</p>
      </ActionForm>
    );
  }
  if (open === "lift") {
    return (
      <ActionForm
        title={memberActionsStrings.lift.title(name)}
        confirmLabel={memberActionsStrings.lift.act}
        doneText={memberActionsStrings.lift.done(name)}
        reasonHint={memberActionFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.lift(reason)}
        onClose={close}
      >
        <p>{memberActionsStrings.lift.effect}</p>
      </ActionForm>
    );
  }
  if (open === "sign-out") {
    return (
      <ActionForm
        title={memberActionsStrings.signOut.title(name)}
        confirmLabel={memberActionsStrings.signOut.act}
        doneText={memberActionsStrings.signOut.done(name)}
        reasonHint={memberActionFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.signOut(reason)}
        onClose={close}
      >
        <p>{memberActionsStrings.signOut.effect}</p>
      </ActionForm>
    );
  }
  if (open === "remove-picture") {
    return (
      <ActionForm
        title={memberActionsStrings.removePicture.title(name)}
        confirmLabel={memberActionsStrings.removePicture.act}
        doneText={memberActionsStrings.removePicture.done(name)}
        danger
        reasonHint={memberActionsStrings.removePicture.reasonHint}
        onSubmit={({ reason }) => acts.removePicture(reason)}
        onClose={close}
      >
        <p>{memberActionsStrings.removePicture.effect}</p>
      </ActionForm>
    );
  }
  if (open === "trust") {
    return (
      <TrustForm
        account={account}
        reasonHint={memberActionFormStrings.reasonHint}
        onSubmit={acts.setTrusted}
        onClose={close}
      />
    );
  }
  if (open === "make-admin") {
    return (
      <ActionForm
        title={memberActionsStrings.makeAdmin.title(name)}
        confirmLabel={memberActionsStrings.makeAdmin.act}
        doneText={memberActionsStrings.makeAdmin.done(name)}
        danger
        asksCode
        reasonHint={memberActionFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.setAdmin(true, reason)}
        onClose={close}
      >
        <p>{memberActionsStrings.makeAdmin.effect(account.has_second_factor)}</p>
      </ActionForm>
    );
  }
  if (open === "remove-admin") {
    return (
      <ActionForm
        title={memberActionsStrings.removeAdmin.title(name)}
        confirmLabel={memberActionsStrings.removeAdmin.act}
        doneText={memberActionsStrings.removeAdmin.done(name)}
        danger
        asksCode
        reasonHint={memberActionFormStrings.reasonHint}
        onSubmit={({ reason }) => acts.setAdmin(false, reason)}
        onClose={close}
      >
        <p>{memberActionsStrings.removeAdmin.effect}</p>
      </ActionForm>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {account.suspension === null ? (
        <Button
          variant="secondary"
          size="sm"
          disabled={isAdmin}
          title={isAdmin ? memberActionsStrings.suspend.adminFirst : undefined}
          onClick={() => setOpen("suspend")}
        >
          {memberActionsStrings.suspend.act}
        </Button>
      ) : (
        <Button variant="secondary" size="sm" onClick={() => setOpen("lift")}>
          {memberActionsStrings.lift.act}
        </Button>
      )}
      {renews ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("stop-renewal")}>
          {memberActionsStrings.stopRenewal.act}
        </Button>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        disabled={account.sessions === 0}
        onClick={() => setOpen("sign-out")}
      >
        {memberActionsStrings.signOut.act}
      </Button>
      {hasPicture ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("remove-picture")}>
          {memberActionsStrings.removePicture.act}
        </Button>
      ) : null}
      {account.role === "mentor" ? (
        <Button variant="secondary" size="sm" onClick={() => setOpen("trust")}>
          {account.is_trusted ? memberActionsStrings.review.act : memberActionsStrings.trust.act}
        </Button>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        onClick={() => setOpen(isAdmin ? "remove-admin" : "make-admin")}
      >
        {isAdmin ? memberActionsStrings.removeAdmin.act : memberActionsStrings.makeAdmin.act}
      </Button>
    </div>
  );
}
