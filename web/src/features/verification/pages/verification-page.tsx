import { ArrowLeft } from "lucide-react";
import { useState, type FormEvent } from "react";
import { Link } from "react-router";
import { dashboardOf } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { verificationStrings, attemptsWarning } from "../strings.ts";
import { isExhausted, mayUpload, isWarned } from "../model/verification.ts";
import { useUploadDocument } from "../mutations.ts";
import { useVerification } from "../queries.ts";
import { useLiveVerification } from "../use-live-verification.ts";
import { DocumentFields, noDocument } from "../components/document-fields.tsx";
import { RequirementsList } from "../components/requirements-list.tsx";
import { SupportLink } from "../components/support-link.tsx";
import { VerificationState } from "../components/verification-state.tsx";

/** `/verification`: where the identity check stands, and the way to send a document. */
export function VerificationPage() {
  const { role } = useSession();
  const { data, isError, error, refetch, isFetching } = useVerification();
  useLiveVerification();
  const upload = useUploadDocument();
  const [done, setDone] = useState(false);
  return (
    <div className="grid max-w-column gap-6">
      <div>
        <Button asChild variant="quiet" size="sm" className="-ml-3">
          <Link to={dashboardOf[role]}>
            <ArrowLeft aria-hidden className="size-4" />
            {verificationStrings.back}
          </Link>
        </Button>
      </div>
      <PageHeader
        className="pb-0"
        title={verificationStrings.title}
        intro={verificationStrings.intro}
      />
      {done && data?.status === "pending" ? (
        <Alert tone="good">{verificationStrings.uploaded}</Alert>
      ) : null}
      {data ? (
        <Card className="grid gap-6">
          <VerificationState verification={data} />
          {isWarned(data) ? <Alert tone="warn">{attemptsWarning(data.rejections)}</Alert> : null}
          {isExhausted(data) && data.status !== "approved" ? (
            <Alert tone="danger" action={<SupportLink />}>
              {verificationStrings.exhausted}
            </Alert>
          ) : null}
          {mayUpload(data) ? <UploadForm upload={upload} onDone={() => setDone(true)} /> : null}
        </Card>
      ) : null}
      {!data && isError ? (
        <LoadFailed
          title={verificationStrings.loadFailed}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {!data && !isError ? <VerificationSkeleton /> : null}
    </div>
  );
}

function UploadForm({
  upload,
  onDone,
}: {
  readonly upload: ReturnType<typeof useUploadDocument>;
  readonly onDone: () => void;
}) {
  const [choice, setChoice] = useState(noDocument);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (choice.file === null) {
      // The button is off without a file, but a form can also be sent from the keyboard.
      setChoice({ ...choice, issue: choice.issue ?? verificationStrings.noFile });
      return;
    }
    setBusy(true);
    setFailed(null);
    try {
      await upload(choice.type, choice.file);
      onDone();
    } catch (error) {
      console.error("The document was not uploaded", error);
      if (error instanceof UnreadableFileError) {
        const issue = unreadableFileText(error, verificationStrings.unreadable);
        setChoice({ ...choice, file: null, issue });
      } else setFailed(retryLaterMessage(error) ?? verificationStrings.uploadFailed);
      setBusy(false);
    }
  }

  return (
    <form
      noValidate
      aria-label={verificationStrings.form}
      className="grid gap-6 border-t border-line pt-6"
      onSubmit={(event) => void submit(event)}
    >
      <DocumentFields choice={choice} onChange={setChoice} disabled={busy} />
      <RequirementsList />
      {failed === null ? null : <Alert tone="danger">{failed}</Alert>}
      <Button type="submit" size="lg" loading={busy} disabled={choice.file === null}>
        {verificationStrings.submit}
      </Button>
    </form>
  );
}

function VerificationSkeleton() {
  return (
    <Loading label={verificationStrings.loading}>
      <Card className="grid gap-6">
        <div className="flex gap-4">
          <Skeleton className="size-12 rounded-full" />
          <div className="grid grow content-start gap-2">
            <Skeleton className="h-6 w-40" />
            <Skeleton className="w-full max-w-sm" />
          </div>
        </div>
        <Skeleton className="h-11" />
        <Skeleton className="h-20 rounded-card" />
        <Skeleton className="h-12" />
      </Card>
    </Loading>
  );
}
