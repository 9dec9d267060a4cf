import { CircleCheck, CloudAlert, LoaderCircle, PenLine } from "lucide-react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import type { SaveState } from "../model/autosave.ts";
import { describeStudioError } from "../model/studio-errors.ts";
import { filmTexts } from "../strings.ts";

const marks = {
  saved: [CircleCheck, "All changes saved"],
  unsaved: [PenLine, "Not saved yet"],
  saving: [LoaderCircle, "Saving…"],
  failed: [CloudAlert, "Not saved"],
  conflict: [CloudAlert, "Not saved"],
} as const;

/** How saving goes, in a few words beside the title. */
export function SaveStatus({ state }: { readonly state: SaveState }) {
  const [Icon, text] = marks[state.kind];
  return (
    <span role="status" className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className="size-4" />
      {text}
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
        title="Your last changes aren't saved"
        action={
          <Button size="sm" variant="secondary" onClick={onRetry}>
            Save again
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
      title="This draft was changed in another tab or on another device"
      action={
        <span className="flex flex-wrap gap-3">
          <Button size="sm" onClick={onKeepMine}>
            Keep what I have here
          </Button>
          <Button size="sm" variant="secondary" onClick={onLoadNewest}>
            Load the newer version
          </Button>
        </span>
      }
    >
      Version {state.newest} was saved there. Nothing here is saved until you choose. If you keep
      what you have here, version {state.newest} stays in the list of versions.
      {isUploading ? ` ${filmTexts.endsUpload}` : null}
    </Alert>
  );
}
