import { CircleCheck, CloudAlert, LoaderCircle, PenLine } from "lucide-react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import type { SaveState } from "../model/autosave.ts";
import { describeStudioError } from "./explain-studio-error.ts";
import { saveProblemStrings } from "../strings/draft.ts";
import { filmTexts } from "../strings/modules.ts";
import { saveStateNames } from "../strings/names.ts";

const marks = {
  saved: CircleCheck,
  unsaved: PenLine,
  saving: LoaderCircle,
  failed: CloudAlert,
  conflict: CloudAlert,
} as const;

/** How saving goes, in a few words beside the title. */
export function SaveStatus({ state }: { readonly state: SaveState }) {
  const Icon = marks[state.kind];
  return (
    <span role="status" className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className="size-4" />
      {saveStateNames[state.kind]}
    </span>
  );
}

export interface SaveProblemProps {
  readonly state: SaveState;
  readonly isUploading: boolean;
  readonly onRetry: () => void;
  readonly onKeepMine: () => void;
  readonly onLoadNewest: () => void;
}

/** What to do when a change was not saved. Renders nothing otherwise. */
export function SaveProblem({
  state,
  isUploading,
  onRetry,
  onKeepMine,
  onLoadNewest,
}: SaveProblemProps) {
  if (state.kind === "failed") {
    return (
      <Alert
        tone="danger"
        title={saveProblemStrings.failedTitle}
        action={
          <Button size="sm" variant="secondary" onClick={onRetry}>
            {saveProblemStrings.saveAgain}
          </Button>
        }
      >
        {describeStudioError(state.error)}
      </Alert>
    );
  }
  if (state.kind !== "conflict") return null;
  return (
    <Alert
      tone="warn"
      title={saveProblemStrings.conflictTitle}
      action={
        <span className="flex flex-wrap gap-3">
          <Button size="sm" onClick={onKeepMine}>
            {saveProblemStrings.keepMine}
          </Button>
          <Button size="sm" variant="secondary" onClick={onLoadNewest}>
            {saveProblemStrings.loadNewest}
          </Button>
        </span>
      }
    >
      {saveProblemStrings.conflict(state.newest)}
      {isUploading ? ` ${filmTexts.endsUpload}` : null}
    </Alert>
  );
}
