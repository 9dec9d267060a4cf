import { nameOfMember, type AccountDetail } from "../model/member-detail.ts";
import { memberActionsStrings } from "../strings.ts";
import { ActionForm } from "./action-form.tsx";

/** Asks before a mentor may publish without a review, or no longer. */
export function TrustForm({
  account,
  reasonHint,
  onSubmit,
  onClose,
}: {
  readonly account: AccountDetail;
  readonly reasonHint: string;
  readonly onSubmit: (trusted: boolean, reason: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const name = nameOfMember(account);
  return account.is_trusted ? (
    <ActionForm
      title={memberActionsStrings.review.title(name)}
      confirmLabel={memberActionsStrings.review.act}
      doneText={memberActionsStrings.review.done(name)}
      danger
      reasonHint={reasonHint}
      onSubmit={({ reason }) => onSubmit(false, reason)}
      onClose={onClose}
    >
      <p>{memberActionsStrings.review.effect}</p>
    </ActionForm>
  ) : (
    <ActionForm
      title={memberActionsStrings.trust.title(name)}
      confirmLabel={memberActionsStrings.trust.confirm}
      doneText={memberActionsStrings.trust.done(name)}
      danger
      reasonHint={reasonHint}
      onSubmit={({ reason }) => onSubmit(true, reason)}
      onClose={onClose}
    >
      <p>{memberActionsStrings.trust.effect}</p>
    </ActionForm>
  );
}
