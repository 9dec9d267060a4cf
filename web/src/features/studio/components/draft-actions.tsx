import { useState } from "react";
import { useNavigate } from "react-router";
import { studioPreviewPath } from "@/domain/paths.ts";
import { useUserId } from "@/features/session/index.ts";
import { useSave } from "@/lib/use-save.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { moveDraft, type DraftAct } from "../api/draft-acts.ts";
import { isEditable, type DraftSummary } from "../model/draft.ts";
import { describeStudioError, issuesIn, type DraftIssue } from "../model/studio-errors.ts";

interface ActTexts {
  readonly label: string;
  readonly done: string;
  /** Asked before the act; null when it is easily taken back. */
  readonly question: string | null;
}

type MentorsAct = Exclude<DraftAct, "publish">;

const texts: Readonly<Record<MentorsAct, ActTexts>> = {
  submit: { label: "Submit for review", done: "Submitted.", question: null },
  recall: { label: "Recall", done: "Recalled. You can write on.", question: null },
  withdraw: {
    label: "Withdraw",
    done: "Withdrawn.",
    question:
      "Members can no longer read this. Reads and completions are kept, and you can submit it again at any time.",
  },
  archive: { label: "Archive", done: "Archived.", question: null },
  unarchive: { label: "Take out of the archive", done: "Taken out.", question: null },
};

/** The acts that a draft's state allows, as the database decides them. */
function actsOn(draft: DraftSummary, version: number, isOwn: boolean): readonly MentorsAct[] {
  const { status, publishedVersion } = draft;
  const isPublic = publishedVersion !== null && status !== "withdrawn";
  const canSubmit = status !== "published" || publishedVersion !== version;
  if (!isEditable(status)) return [status === "archived" ? "unarchive" : "recall"];
  return [...(isOwn && canSubmit ? (["submit"] as const) : []), isPublic ? "withdraw" : "archive"];
}

export interface DraftActionsProps {
  readonly draft: DraftSummary;
  /** The version the acts are about. */
  readonly version: number;
  /** Saves what is being written and gives its version; null stops the act. */
  readonly onBefore?: (() => Promise<number | null>) | undefined;
  readonly onMoved: () => Promise<void>;
  /** What the draft still needs, after it could not be submitted. */
  readonly onIssues?: ((issues: readonly DraftIssue[]) => void) | undefined;
}

/** The buttons that move a draft on, and the way to its preview. */
export function DraftActions({ draft, version, onBefore, onMoved, onIssues }: DraftActionsProps) {
  const isOwn = draft.ownerId === useUserId();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<MentorsAct | null>(null);
  const { save, busy, issue } = useSave({
    describeError: (error) => {
      onIssues?.(issuesIn(error));
      return describeStudioError(error);
    },
    onSaved: toast.good,
  });

  async function move(act: MentorsAct) {
    const seen = onBefore ? await onBefore() : version;
    if (seen === null) return;
    onIssues?.([]);
    const isMoved = await save(
      async (client) => await moveDraft(client, act, { id: draft.id, version: seen }),
      texts[act].done,
    );
    setAsking(null);
    if (isMoved) await onMoved();
  }

  async function openPreview() {
    const isSaved = onBefore === undefined || (await onBefore()) !== null;
    if (isSaved) await navigate(studioPreviewPath(draft.id));
  }

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        {actsOn(draft, version, isOwn).map((act) => (
          <Button
            key={act}
            variant={act === "submit" ? "primary" : "secondary"}
            disabled={busy}
            onClick={() => (texts[act].question === null ? void move(act) : setAsking(act))}
          >
            {texts[act].label}
          </Button>
        ))}
        <Button variant="secondary" disabled={busy} onClick={() => void openPreview()}>
          Preview
        </Button>
      </div>
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => setAsking(open ? asking : null)}
        title={`${asking === null ? "" : texts[asking].label} this ${draft.kind}?`}
        description={asking === null ? "" : texts[asking].question}
        confirmLabel={asking === null ? "" : texts[asking].label}
        busy={busy}
        onConfirm={() => asking !== null && void move(asking)}
      />
    </div>
  );
}
