import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { nudgeStudent } from "../api/text-figures.ts";
import { useAnalyticsAction } from "../mutations.ts";
import { analyticsStrings, explainAnalyticsError } from "../strings.ts";

export interface NudgeButtonProps {
  readonly courseId: string;
  readonly studentId: string;
  readonly name: string;
}

/** Reminds a student who paused, after a question: a notification can't be taken back. */
export function NudgeButton({ courseId, studentId, name }: NudgeButtonProps) {
  const act = useAnalyticsAction();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  async function nudge(): Promise<void> {
    setBusy(true);
    try {
      await act((client) => nudgeStudent(client, courseId, studentId));
      toast.good(analyticsStrings.nudged);
    } catch (error) {
      console.error("The student was not reminded", error);
      toast.danger(`The reminder wasn't sent. ${explainAnalyticsError(error)}`);
    } finally {
      setBusy(false);
      setAsking(false);
    }
  }

  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`${analyticsStrings.nudge} ${name}`}
        onClick={() => setAsking(true)}
      >
        {analyticsStrings.nudge}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={analyticsStrings.nudgeTitle(name)}
        description={analyticsStrings.nudgeText}
        confirmLabel="Send the reminder"
        cancelLabel="Not now"
        busy={busy}
        onConfirm={() => void nudge()}
      />
    </>
  );
}
