import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { exactTime } from "@/lib/times.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { reviewDocument } from "../api/review-document.ts";
import type { PendingReview } from "../api/select-queue.ts";
import { signDocument } from "../api/sign-document.ts";
import { documentTypeName } from "../model/identity-document.ts";

export interface ReviewPanelProps {
  readonly review: PendingReview;
  /** Called after a verdict, with the words for it. */
  readonly onDecided: (words: string) => void;
}

/** The document on one side, the person and the verdict on the other. */
export function ReviewPanel({ review, onDecided }: ReviewPanelProps) {
  const { client } = useBackend();
  const [reason, setReason] = useState("");
  const [reasonMissing, setReasonMissing] = useState(false);
  const [asking, setAsking] = useState<"approved" | "rejected" | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const who = review.name || review.email;

  async function decide(verdict: "approved" | "rejected") {
    setBusy(true);
    setFailed(false);
    try {
      await reviewDocument(
        client,
        review.id,
        verdict === "approved" ? { kind: "approved" } : { kind: "rejected", reason: reason.trim() },
      );
      onDecided(verdict === "approved" ? `${who} is verified.` : `${who} was asked for another.`);
    } catch (error) {
      console.error("The verdict was not stored", error);
      setFailed(true);
    } finally {
      setBusy(false);
      setAsking(null);
    }
  }

  return (
    <div className="grid grid-cols-1 gap-6 border-t border-line bg-sunken p-5 md:grid-cols-[3fr_2fr]">
      <DocumentView document={review.document} holder={who} />
      <div className="grid min-w-0 grid-cols-1 content-start gap-4">
        <dl className="grid gap-3 text-sm">
          <Fact name="Name on the profile" value={review.name || "Not given yet"} />
          <Fact name="Email" value={review.email || "Not known"} />
          <Fact name="Document" value={documentTypeName(review.documentType)} />
          <Fact name="Sent" value={exactTime(review.submittedAt)} />
          <Fact name="Rejected before" value={`${review.rejections} of 5`} />
        </dl>
        <TextArea
          label="Reason for a rejection"
          hint="The member reads this. Say what to do differently."
          rows={3}
          maxLength={1000}
          value={reason}
          error={reasonMissing ? "Say why, so that the next document can be better." : undefined}
          onChange={(event) => {
            setReason(event.target.value);
            setReasonMissing(false);
          }}
        />
        {failed ? (
          <Alert tone="danger">
            The verdict was not stored. Somebody else may have decided already; refresh the queue.
          </Alert>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => setAsking("approved")}>Approve</Button>
          <Button
            variant="secondary"
            onClick={() => {
              if (reason.trim() === "") setReasonMissing(true);
              else setAsking("rejected");
            }}
          >
            Reject
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={asking === "approved"}
        onOpenChange={(open) => setAsking(open ? "approved" : null)}
        title={`Approve ${who}?`}
        description="The document shows this person and the name matches. A verdict is final and recorded with your name."
        confirmLabel="Approve document"
        cancelLabel="Not yet"
        busy={busy}
        onConfirm={() => void decide("approved")}
      />
      <ConfirmDialog
        open={asking === "rejected"}
        onOpenChange={(open) => setAsking(open ? "rejected" : null)}
        title={`Reject the document of ${who}?`}
        description={`They will read: “${reason.trim()}” A verdict is final and recorded with your name.`}
        confirmLabel="Reject document"
        cancelLabel="Not yet"
        danger
        busy={busy}
        onConfirm={() => void decide("rejected")}
      />
    </div>
  );
}

function DocumentView({
  document,
  holder,
}: {
  readonly document: string;
  readonly holder: string;
}) {
  const { client } = useBackend();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ["verification-document", document],
    queryFn: () => signDocument(client, document),
    /* The link dies within the minute; nothing of it is kept for the next look. */
    gcTime: 0,
    staleTime: Infinity,
  });
  const picture = /\.(jpe?g|png)$/i.test(document);
  return (
    <div className="grid content-start gap-3">
      <div className="grid min-h-64 place-items-center overflow-hidden rounded-control border border-line bg-raised">
        {isError ? (
          <p role="alert" className="p-6 text-center text-sm text-muted">
            The document could not be opened.
          </p>
        ) : null}
        {!data && !isError ? <Skeleton className="h-64 w-full rounded-none" /> : null}
        {data && picture ? (
          <img
            src={data}
            alt={`Identity document of ${holder}`}
            className="max-h-[32rem] w-full object-contain"
          />
        ) : null}
        {data && !picture ? (
          <p className="p-6 text-center text-sm text-muted">
            A PDF. Open it in a new tab to read it.
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
        {data ? (
          <Button asChild variant="secondary" size="sm">
            <a href={data} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden className="size-4" />
              Open in a new tab
            </a>
          </Button>
        ) : null}
        <Button variant="quiet" size="sm" loading={isFetching} onClick={() => void refetch()}>
          New link
        </Button>
        <span>A link works for 60 seconds.</span>
      </div>
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
