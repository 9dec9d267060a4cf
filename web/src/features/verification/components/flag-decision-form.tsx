import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import type { FlaggedAccount, FlaggedDecision } from "../api/flagged-accounts.ts";
import { flagErrorMessage } from "./decision-error.ts";
import { useFlaggedDecision, useInvalidateReviews } from "../mutations.ts";
import { flagDecisionStrings, flagDecisionTexts } from "../strings.ts";

function decisionsAbout({ kind, closedAt }: FlaggedAccount): readonly FlaggedDecision[] {
  if (kind !== "rejections") return ["resolved"];
  return closedAt === null ? ["reset", "keep_closed"] : ["reset"];
}

/** A reason, and one button for each way to decide about a flagged account. */
export function FlagDecisionForm({
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
      setIssue(flagDecisionStrings.reasonMissing);
      return;
    }
    setBusy(decision);
    try {
      await decide(account, decision, reason.trim());
      toast.good(flagDecisionTexts[decision].done(account.name || account.email));
      invalidateReviews();
      onClose();
    } catch (error) {
      console.error("The decision was not saved", error);
      setIssue(flagErrorMessage(error));
      setBusy(null);
    }
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => event.preventDefault()}>
      <TextArea
        label={flagDecisionStrings.reason}
        hint={flagDecisionStrings.reasonHint}
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
        {decisionsAbout(account).map((decision, place) => (
          <Button
            key={decision}
            variant={place === 0 ? "primary" : "secondary"}
            loading={busy === decision}
            disabled={busy !== null}
            onClick={() => void submit(decision)}
          >
            {flagDecisionTexts[decision].label}
          </Button>
        ))}
      </div>
    </form>
  );
}
