import { nameOfMember, type AccountDetail } from "../model/member-detail.ts";
import { memberActsStrings } from "../strings.ts";
import { ActForm } from "./act-form.tsx";

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
    <ActForm
      title={memberActsStrings.review.title(name)}
      confirmLabel={memberActsStrings.review.act}
      doneText={memberActsStrings.review.done(name)}
      danger
      reasonHint={reasonHint}
      onSubmit={({ reason }) => onSubmit(false, reason)}
      onClose={onClose}
    >
      <p>{memberActsStrings.review.effect}</p>
    </ActForm>
  ) : (
    <ActForm
      title={memberActsStrings.trust.title(name)}
      confirmLabel={memberActsStrings.trust.confirm}
      doneText={memberActsStrings.trust.done(name)}
      danger
      reasonHint={reasonHint}
      onSubmit={({ reason }) => onSubmit(true, reason)}
      onClose={onClose}
    >
      <p>{memberActsStrings.trust.effect}</p>
    </ActForm>
  );
}
