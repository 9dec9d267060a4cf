import { formatPence } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { useWithdrawalRight } from "@/features/billing/index.ts";
import { useGuaranteeClaim } from "@/features/guarantee/index.ts";
import { useSession } from "@/features/session/index.ts";
import { lastDayInLondon } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { deleteAccountStrings } from "../strings/deletion.ts";

/** What this member in particular should know before the account goes: money that would come back another way, work that stays. */
export default function DeletionNotes() {
  const { role } = useSession();
  const { data: right = null } = useWithdrawalRight();
  const { data: claim = null } = useGuaranteeClaim();
  return (
    <>
      {role === "mentor" ? (
        <p className="mb-5 text-sm text-muted">{deleteAccountStrings.published}</p>
      ) : null}
      {claim?.state === "filed" || claim?.state === "appealed" ? (
        <Alert tone="warn" className="mb-5">
          {deleteAccountStrings.claim}
        </Alert>
      ) : null}
      {right === null ? null : (
        <Alert
          tone="info"
          className="mb-5"
          action={<TextLink to={paths.subscriptions}>{deleteAccountStrings.withdraw}</TextLink>}
        >
          {deleteAccountStrings.withdrawal(
            lastDayInLondon(right.endsAt),
            formatPence(right.amountPence, right.currency),
          )}
        </Alert>
      )}
    </>
  );
}
