import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { nudgeStudent } from "../api/text-figures.ts";
import { useAnalyticsAction } from "../mutations.ts";
import { explainAnalyticsError, studentStrings } from "../strings.ts";

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
      toast.good(studentStrings.nudged);
    } catch (error) {
      console.error("The student was not reminded", error);
      toast.danger(studentStrings.nudgeFailed(explainAnalyticsError(error)));
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
        aria-label={studentStrings.nudgeLabel(name)}
        onClick={() => setAsking(true)}
      >
        {studentStrings.nudge}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={studentStrings.nudgeTitle(name)}
        description={studentStrings.nudgeText}
        confirmLabel={studentStrings.confirmNudge}
        cancelLabel={studentStrings.cancelNudge}
        busy={busy}
        onConfirm={() => void nudge()}
      />
    </>
  );
}
