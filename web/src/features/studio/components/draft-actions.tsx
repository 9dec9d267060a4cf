import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { draftActionsStrings } from "../strings/actions.ts";
import { filmTexts } from "../strings/modules.ts";
import {
  useDraftActions,
  type DraftActionsOptions,
  type DraftActs,
  type MentorsAction,
} from "../use-draft-actions.ts";
import { describePublication } from "./describe-publication.ts";
import { PublishTimeField } from "./publish-time-field.tsx";

/** Everything that moves a draft on, in one place: for those who don't write in it. */
export function DraftActions(props: DraftActionsOptions) {
  const draftActs = useDraftActions(props);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        <ActButtons draftActs={draftActs} acts={draftActs.acts} />
        <PreviewButton draftActs={draftActs} />
      </div>
      {draftActs.canSchedule ? <PublishTimeField {...draftActs.publishTime} /> : null}
      <ActOutcome draftActs={draftActs} />
    </div>
  );
}

/** Buttons of some of the acts that a draft allows. */
export function ActButtons({
  draftActs,
  acts,
  onPress,
}: {
  readonly draftActs: DraftActs;
  readonly acts: readonly MentorsAction[];
  /** Before the act begins, such as to close the window the button is in. */
  readonly onPress?: (() => void) | undefined;
}) {
  return acts.map((act) => (
    <Button
      key={act}
      variant={act === "submit" ? "primary" : "secondary"}
      disabled={draftActs.busy || draftActs.isUploading}
      onClick={() => {
        onPress?.();
        draftActs.begin(act);
      }}
    >
      {draftActs.textsFor(act).label}
    </Button>
  ));
}

export function PreviewButton({ draftActs }: { readonly draftActs: DraftActs }) {
  return (
    <Button
      variant="secondary"
      disabled={draftActs.busy}
      onClick={() => void draftActs.openPreview()}
    >
      {draftActionsStrings.preview}
    </Button>
  );
}

/** Why acts wait or failed, and the question before one. */
export function ActOutcome({
  draftActs,
  focusInstead,
}: {
  readonly draftActs: DraftActs;
  /** What has the focus after the question, rather than the button that was pressed. */
  readonly focusInstead?: (() => Element | null) | undefined;
}) {
  const { draft, isUploading, issue, asking, setAsking, textsFor, busy, perform } = draftActs;
  return (
    <>
      {isUploading ? <p className="text-sm text-muted">{filmTexts.actsWait}</p> : null}
      {issue === null || issue === "" ? null : <Alert tone="danger">{issue}</Alert>}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => setAsking(open ? asking : null)}
        title={draftActionsStrings.question(
          asking === null ? "" : textsFor(asking).label,
          draft.kind,
        )}
        description={
          asking === "submit"
            ? `${describePublication(draft.kind, draftActs.place, null)} ${textsFor(asking).question ?? ""}`
            : asking === null
              ? ""
              : textsFor(asking).question
        }
        confirmLabel={asking === null ? "" : textsFor(asking).label}
        busy={busy}
        focusInstead={focusInstead}
        onConfirm={() => {
          if (asking !== null) void perform(asking);
        }}
      />
    </>
  );
}
