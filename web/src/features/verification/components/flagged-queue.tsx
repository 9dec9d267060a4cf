import { useState } from "react";
import { exactTime } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import type { FlaggedAccount, FlaggedDecision } from "../api/flagged-accounts.ts";
import { useFlaggedDecision, useInvalidateReviews } from "../mutations.ts";
import { needsSecondFactor, useFlaggedAccounts } from "../queries.ts";

/** Accounts with five rejected documents, each to be given another try or to stay closed. */
export function FlaggedQueue() {
  const { data, error, isError, isFetching, refetch } = useFlaggedAccounts();
  const [open, setOpen] = useState<FlaggedAccount | null>(null);
  // The queue of documents above says how to set up the second factor.
  if (isError && needsSecondFactor(error)) return null;
  return (
    <>
      <QueueSection
        id="flagged-queue"
        title="Five rejected documents"
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel="Loading the accounts"
        failedTitle="We couldn't load the accounts"
        emptyTitle="No accounts to decide about"
        emptyText="Accounts whose identity documents were rejected five times appear here, oldest first."
      >
        {(account) => (
          <div
            data-flagged
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3"
          >
            <div className="min-w-0">
              <p className="truncate font-medium">{nameOf(account)}</p>
              <p className="text-sm wrap-anywhere text-muted">
                {account.lastReason === null ? null : <>Last rejected: {account.lastReason} · </>}
                {exactTime(account.flaggedAt)}
              </p>
            </div>
            <Button variant="secondary" size="sm" onClick={() => setOpen(account)}>
              Decide
            </Button>
          </div>
        )}
      </QueueSection>
      <Dialog
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? `Decide about ${nameOf(open)}` : ""}
        description="The member can send five more documents, or none. Your decision is recorded with your name."
      >
        {open ? <DecisionForm key={open.id} account={open} onClose={() => setOpen(null)} /> : null}
      </Dialog>
    </>
  );
}

const nameOf = (account: FlaggedAccount) => account.name || account.email;

function DecisionForm({
  account,
  onClose,
}: {
  readonly account: FlaggedAccount;
  readonly onClose: () => void;
}) {
  const decide = useFlaggedDecision();
  const invalidateReviews = useInvalidateReviews();
  const [reason, setReason] = useState("");
  const [issue, setIssue] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState<FlaggedDecision | null>(null);

  async function submit(decision: FlaggedDecision) {
    if (reason.trim() === "") {
      setIssue("Say why. It is recorded with your name.");
      return;
    }
    setBusy(decision);
    try {
      await decide(account.id, decision, reason.trim());
      toast.good(
        decision === "reset"
          ? `${nameOf(account)} can send documents again.`
          : `${nameOf(account)} can't send more documents.`,
      );
      invalidateReviews();
      onClose();
    } catch (error) {
      console.error("The decision was not saved", error);
      setIssue(
        "Your decision was not saved. Another administrator may have decided, or has to: you can't decide about yourself.",
      );
      setBusy(null);
    }
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => event.preventDefault()}>
      <TextArea
        label="Reason"
        hint="For the record. The member doesn't read it."
        rows={3}
        maxLength={1000}
        value={reason}
        error={issue}
        onChange={(event) => {
          setReason(event.target.value);
          setIssue(undefined);
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          loading={busy === "reset"}
          disabled={busy !== null}
          onClick={() => void submit("reset")}
        >
          Let them try again
        </Button>
        <Button
          variant="secondary"
          loading={busy === "keep_closed"}
          disabled={busy !== null}
          onClick={() => void submit("keep_closed")}
        >
          Keep closed
        </Button>
      </div>
    </form>
  );
}
