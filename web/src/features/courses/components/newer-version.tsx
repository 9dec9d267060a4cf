import { useState } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { courseStrings } from "../strings.ts";

export interface NewerVersionProps {
  readonly moving: boolean;
  /** Resolves when the member was moved, or told why not. */
  readonly onMove: () => Promise<void>;
}

/** Says that a newer version is out, and moves to it by choice. */
export function NewerVersion({ moving, onMove }: NewerVersionProps) {
  const [asking, setAsking] = useState(false);
  return (
    <Alert tone="info" title={courseStrings.newerTitle}>
      <div className="grid justify-items-start gap-3">
        <p>{courseStrings.newer}</p>
        <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
          {courseStrings.moveOn}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={courseStrings.moveTitle}
        description={courseStrings.moveText}
        confirmLabel={courseStrings.moveConfirm}
        cancelLabel={courseStrings.moveCancel}
        busy={moving}
        onConfirm={() => void onMove().then(() => setAsking(false))}
      />
    </Alert>
  );
}
