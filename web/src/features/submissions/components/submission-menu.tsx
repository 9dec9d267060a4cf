import { Ellipsis, Eye, Flag, Link2, Pencil, Star, StarOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { submissionPath } from "@/domain/paths.ts";
import { ReportDialog, useExplanation, type ReportSubject } from "@/features/moderation/index.ts";
import { useSession } from "@/features/session/index.ts";
import { tryAgain, retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { copyAddress } from "@/ui/copy-text.ts";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/ui/menu.tsx";
import { toast } from "@/ui/toast.tsx";
import type { Submission } from "../model/submission.ts";
import { useSubmissionActions } from "../mutations.ts";
import { submissionMenuStrings } from "../strings.ts";
import { EditSubmissionDialog } from "./edit-submission-dialog.tsx";
import { VisitorsDialog } from "./visitors-dialog.tsx";

/** The menu of a submission: copy link, edit, report, feature, delete. */
export function SubmissionMenu({ submission }: { readonly submission: Submission }) {
  const { user, role } = useSession();
  const { feature, remove } = useSubmissionActions(submission);
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState(false);
  const [showing, setShowing] = useState(false);
  const [reported, setReported] = useState<ReportSubject | null>(null);
  const [busy, setBusy] = useState(false);
  const explanation = useExplanation();
  const { id, type, title, content, featured, author } = submission;
  const mine = author.id === user?.id;
  // A pact stays as its witnesses accepted it.
  const editable = mine && type !== "pact";

  async function toggleFeatured() {
    try {
      await feature(!featured);
    } catch (error) {
      console.error("The mark was not changed", error);
      toast.danger(submissionMenuStrings.featureFailed(retryLaterMessage(error) ?? tryAgain));
    }
  }

  async function confirmDelete() {
    setBusy(true);
    try {
      await remove(mine ? null : explanation.text);
      toast.good(submissionMenuStrings.deleted);
      setAsking(false);
    } catch (error) {
      console.error("The submission was not deleted", error);
      toast.danger(submissionMenuStrings.deleteFailed(retryLaterMessage(error) ?? tryAgain));
    }
    setBusy(false);
  }

  return (
    <>
      <Menu
        trigger={
          <Button
            variant="quiet"
            className="-mt-2 -mr-3 px-3"
            aria-label={submissionMenuStrings.label(title)}
          >
            <Ellipsis aria-hidden className="size-5 text-muted" />
          </Button>
        }
      >
        <MenuItem
          onSelect={() => void copyAddress(submissionPath(id), submissionMenuStrings.linkCopied)}
        >
          <Link2 aria-hidden /> {submissionMenuStrings.copyLink}
        </MenuItem>
        {editable ? (
          <MenuItem onSelect={() => setEditing(true)}>
            <Pencil aria-hidden /> {submissionMenuStrings.edit}
          </MenuItem>
        ) : null}
        {mine ? (
          <MenuItem onSelect={() => setShowing(true)}>
            <Eye aria-hidden /> {submissionMenuStrings.visitors}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => setReported({ kind: "submission", id, quote: content })}>
            <Flag aria-hidden /> {submissionMenuStrings.report}
          </MenuItem>
        )}
        {role === "admin" ? (
          <MenuItem onSelect={() => void toggleFeatured()}>
            {featured ? <StarOff aria-hidden /> : <Star aria-hidden />}
            {featured ? submissionMenuStrings.unfeature : submissionMenuStrings.feature}
          </MenuItem>
        ) : null}
        {mine || role === "admin" ? (
          <>
            <MenuSeparator />
            <MenuItem
              onSelect={() => {
                explanation.begin();
                setAsking(true);
              }}
            >
              <Trash2 aria-hidden /> {submissionMenuStrings.delete}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {editable ? (
        <EditSubmissionDialog submission={submission} open={editing} onOpenChange={setEditing} />
      ) : null}
      {mine ? <VisitorsDialog submissionId={id} open={showing} onOpenChange={setShowing} /> : null}
      <ReportDialog subject={reported} onClose={() => setReported(null)} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        danger
        busy={busy}
        title={submissionMenuStrings.deleteTitle}
        description={
          mine
            ? submissionMenuStrings.deleteText(title)
            : submissionMenuStrings.deleteOthersText(title)
        }
        confirmLabel={submissionMenuStrings.deleteConfirm}
        cancelLabel={submissionMenuStrings.deleteCancel}
        firstFocus={mine ? undefined : explanation.firstFocus}
        onConfirm={() => {
          if (mine || explanation.require()) void confirmDelete();
        }}
      >
        {mine ? null : explanation.fields}
      </ConfirmDialog>
    </>
  );
}
