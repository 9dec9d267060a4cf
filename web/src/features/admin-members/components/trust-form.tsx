import { nameOfMember, type AccountDetail } from "../model/member-detail.ts";
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
      title={`Review what ${name} publishes`}
      confirmLabel="Require a review"
      doneText={`What ${name} writes is reviewed again.`}
      danger
      reasonHint={reasonHint}
      onSubmit={({ reason }) => onSubmit(false, reason)}
      onClose={onClose}
    >
      <p>
        What they write waits for an administrator from now on, and so does what they have
        scheduled. What is published stays.
      </p>
    </ActForm>
  ) : (
    <ActForm
      title={`Let ${name} publish without a review`}
      confirmLabel="Trust this mentor"
      doneText={`${name} publishes without a review.`}
      danger
      reasonHint={reasonHint}
      onSubmit={({ reason }) => onSubmit(true, reason)}
      onClose={onClose}
    >
      <p>
        Their articles and courses are in the library as soon as they publish them. What an
        administrator withdrew in the console is still reviewed.
      </p>
    </ActForm>
  );
}
