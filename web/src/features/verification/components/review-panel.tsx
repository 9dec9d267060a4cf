import { useRef, useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { exactTime } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { useDecision } from "@/ui/use-decision.ts";
import type { PendingReview } from "../api/fetch-queue.ts";
import { documentTypeName } from "@/domain/document-type-name.ts";
import { storedReason } from "../model/stored-reason.ts";
import { decisionErrorMessage } from "./decision-error.ts";
import { useReviewDecision } from "../mutations.ts";
import { useReviewDocument } from "../queries.ts";
import { rejectionReasons, reviewPanelStrings } from "../strings.ts";
import { DocumentView } from "./document-view.tsx";

export interface ReviewPanelProps {
  readonly review: PendingReview;
  /** Called after a decision, with the text to show. */
  readonly onDecided: (message: string) => void;
  /** Where the focus goes after a decision. */
  readonly focusAfter: () => Element | null;
}

/** The document on one side, the person and the decision on the other. */
export function ReviewPanel({ review, onDecided, focusAfter }: ReviewPanelProps) {
  const decideReview = useReviewDecision();
  const userId = useUserId();
  const place = review.version ?? review.id;
  const [reason, setReason] = useState(() => storedReason.read(userId, place) ?? "");
  const [reasonMissing, setReasonMissing] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const reasons = useRef<HTMLSelectElement>(null);
  const isOwn = userId === review.userId;
  const document = useReviewDocument(review);
  const mayApprove = review.state === "unchanged" && Boolean(document.data?.kind);
  const who = review.name || review.email;

  function writeReason(written: string): void {
    setReason(written);
    setReasonMissing(false);
    storedReason.keep(written || null, userId, place);
  }

  const { asking, ask, dialog } = useDecision<"approved" | "rejected">({
    save: async (decision) => {
      setFailed(null);
      await decideReview(
        review.id,
        decision === "approved"
          ? { kind: "approved" }
          : { kind: "rejected", reason: reason.trim() },
        { version: review.version, sha256: document.data?.sha256 ?? null },
      );
    },
    onSaved: (decision) => {
      storedReason.keep(null, userId, place);
      onDecided(
        decision === "approved"
          ? reviewPanelStrings.approved(who)
          : reviewPanelStrings.rejected(who),
      );
    },
    onFailed: (error) => setFailed(decisionErrorMessage(error)),
  });

  return (
    <div className="grid grid-cols-1 gap-6 border-t border-line bg-sunken p-5 md:grid-cols-[3fr_2fr] lg:border-t-0">
      <DocumentView
        document={document.data}
        failed={document.isError || review.state === "missing"}
        holder={who}
        loading={document.isFetching}
        mayDecide={!isOwn}
        onReload={() => void document.refetch()}
      />
      <div className="grid min-w-0 grid-cols-1 content-start gap-4">
        <dl className="grid gap-3 text-sm">
          <Fact
            name={reviewPanelStrings.profileName}
            value={review.name || reviewPanelStrings.profileNameMissing}
          />
          <Fact
            name={reviewPanelStrings.email}
            value={review.email || reviewPanelStrings.emailMissing}
          />
          <Fact name={reviewPanelStrings.document} value={documentTypeName(review.documentType)} />
          <Fact name={reviewPanelStrings.sent} value={exactTime(review.submittedAt)} />
          <Fact
            name={reviewPanelStrings.rejectedBefore}
            value={reviewPanelStrings.rejectedBeforeCount(review.rejections)}
          />
        </dl>
        {review.state === "unchanged" ? null : (
          <Alert tone="danger" title={reviewPanelStrings.differs.title}>
            {reviewPanelStrings.differs[review.state]}
          </Alert>
        )}
        {isOwn ? (
          <Alert tone="info" title={reviewPanelStrings.ownTitle}>
            {reviewPanelStrings.own}
          </Alert>
        ) : null}
        {isOwn ? null : (
          <SelectField
            ref={reasons}
            label={reviewPanelStrings.commonReasons}
            placeholder={reviewPanelStrings.chooseReason}
            value={rejectionReasons.find((each) => each === reason) ?? ""}
            options={rejectionReasons.map((each) => ({ value: each, label: each }))}
            onChange={(event) => writeReason(event.target.value)}
          />
        )}
        {isOwn ? null : (
          <TextArea
            label={reviewPanelStrings.reason}
            hint={reviewPanelStrings.reasonHint}
            rows={3}
            maxLength={1000}
            value={reason}
            error={reasonMissing ? reviewPanelStrings.reasonMissing : undefined}
            onChange={(event) => writeReason(event.target.value)}
          />
        )}
        {failed ? <Alert tone="danger">{failed}</Alert> : null}
        {isOwn ? null : (
          <div className="flex flex-wrap gap-3">
            <Button disabled={!mayApprove} aria-keyshortcuts="a" onClick={() => ask("approved")}>
              {reviewPanelStrings.approve}
            </Button>
            <Button
              variant="secondary"
              aria-keyshortcuts="x"
              onClick={() => {
                if (reason.trim() !== "") return ask("rejected");
                setReasonMissing(true);
                reasons.current?.focus();
              }}
            >
              {reviewPanelStrings.reject}
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        {...dialog}
        open={asking === "approved"}
        title={reviewPanelStrings.approveTitle(who)}
        description={reviewPanelStrings.approveText}
        confirmLabel={reviewPanelStrings.approveConfirm}
        cancelLabel={reviewPanelStrings.notYet}
        focusAfter={focusAfter}
      />
      <ConfirmDialog
        {...dialog}
        open={asking === "rejected"}
        title={reviewPanelStrings.rejectTitle(who)}
        description={reviewPanelStrings.rejectText(reason.trim())}
        confirmLabel={reviewPanelStrings.rejectConfirm}
        cancelLabel={reviewPanelStrings.notYet}
        danger
        focusAfter={focusAfter}
      />
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular wrap-anywhere text-ink">{value}</dd>
    </div>
  );
}
