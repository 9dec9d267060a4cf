import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { lastDayInLondon } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { withdrawMembership } from "../api/withdrawal.ts";
import { useSubscription, useWithdrawalRight } from "../queries.ts";
import { withdrawalStrings } from "../strings/membership.ts";

/** The right to withdraw, for as long as there is one: says until when, and does it in two clicks. */
export function WithdrawalControl() {
  const { client } = useBackend();
  const { refreshProfile } = useSession();
  const { refresh } = useSubscription();
  const { data: right = null, refetch } = useWithdrawalRight();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (right === null && problem === null) return null;
  const amount = right === null ? "" : formatPence(right.amountPence, right.currency);

  async function run() {
    setBusy(true);
    const error = await withdrawMembership(client);
    setProblem(error === null ? null : error || withdrawalStrings.failed);
    if (error === null) toast.good(withdrawalStrings.done(amount));
    // Also after a failure: the membership may have ended although a refund is still to come.
    await Promise.allSettled([refresh(), refetch(), refreshProfile()]);
    setBusy(false);
    setAsking(false);
  }

  return (
    <section
      aria-labelledby="withdrawal"
      className="grid justify-items-start gap-3 border-t border-line pt-5"
    >
      <h3 id="withdrawal" className="font-medium">
        {withdrawalStrings.title}
      </h3>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {right === null ? null : (
        <>
          <p className="max-w-prose text-sm text-muted">
            {withdrawalStrings.until(lastDayInLondon(right.endsAt), amount)}
          </p>
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {withdrawalStrings.open}
          </Button>
          <ConfirmDialog
            open={asking}
            onOpenChange={setAsking}
            danger
            busy={busy}
            title={withdrawalStrings.ask}
            description={withdrawalStrings.consequence(amount)}
            confirmLabel={withdrawalStrings.confirm(amount)}
            cancelLabel={withdrawalStrings.stay}
            onConfirm={() => void run()}
          />
        </>
      )}
    </section>
  );
}
