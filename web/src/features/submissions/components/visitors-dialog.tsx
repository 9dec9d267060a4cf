import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryLaterMessage, tryAgain } from "@/lib/errors.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { fetchVisitorConsent, setVisitorConsent } from "../api/visitor-consent.ts";
import { submissionKeys } from "../queries.ts";
import { visitorsStrings } from "../strings.ts";

export interface VisitorsDialogProps {
  readonly submissionId: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Where an author lets visitors read a submission of theirs on the front page, or takes that back. */
export function VisitorsDialog({ submissionId, open, onOpenChange }: VisitorsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={visitorsStrings.title}
      description={visitorsStrings.text}
    >
      {open ? <Choice submissionId={submissionId} onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function Choice({
  submissionId,
  onDone,
}: {
  readonly submissionId: string;
  readonly onDone: () => void;
}) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const queryKey = submissionKeys.consent(userId, submissionId);
  const {
    data: agreed,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: () => fetchVisitorConsent(client, submissionId),
    staleTime: 0,
    retry: 2,
  });
  const [busy, setBusy] = useState(false);
  const [issue, setIssue] = useState<string | null>(null);

  async function change(agrees: boolean) {
    setBusy(true);
    setIssue(null);
    try {
      await setVisitorConsent(client, userId, submissionId, agrees);
      queries.setQueryData(queryKey, agrees);
      toast.good(agrees ? visitorsStrings.agreed : visitorsStrings.takenBack);
      onDone();
    } catch (error) {
      console.error("The consent was not saved", error);
      setIssue(visitorsStrings.failed(retryLaterMessage(error) ?? tryAgain));
    }
    setBusy(false);
  }

  if (agreed === undefined) {
    return isError ? (
      <LoadFailed
        title={visitorsStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Skeleton className="h-11" />
    );
  }
  return (
    <div className="grid gap-4">
      <p>{agreed ? visitorsStrings.isAgreed : visitorsStrings.isNotAgreed}</p>
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <div>
        <Button
          variant={agreed ? "secondary" : "primary"}
          loading={busy}
          onClick={() => void change(!agreed)}
        >
          {agreed ? visitorsStrings.takeBack : visitorsStrings.agree}
        </Button>
      </div>
    </div>
  );
}
