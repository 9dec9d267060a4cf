import { useState, type ReactNode } from "react";
import { retryLaterMessage } from "@/lib/errors.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import { Alert } from "@/ui/alert.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { verificationStrings, attemptsWarning } from "../strings.ts";
import { isExhausted, mayUpload, isWarned } from "../model/verification.ts";
import { useUploadDocument } from "../mutations.ts";
import { useVerification } from "../queries.ts";
import { DocumentFields, noDocument } from "./document-fields.tsx";
import { RequirementsList } from "./requirements-list.tsx";
import { VerificationState } from "./verification-state.tsx";
import { SupportLink } from "./support-link.tsx";

export interface OnboardingIdentityStepProps {
  /** Draws the way back and onward; `onContinue` resolves to whether one may go on. */
  readonly renderActions: (state: {
    readonly ready: boolean;
    readonly busy: boolean;
    readonly onContinue: () => Promise<boolean>;
  }) => ReactNode;
}

/** The identity step of onboarding: the document goes off when one continues. */
export function OnboardingIdentityStep({ renderActions }: OnboardingIdentityStepProps) {
  const { data, isError, error, isFetching, refetch } = useVerification();
  const upload = useUploadDocument();
  const [choice, setChoice] = useState(noDocument);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const uploading = data ? mayUpload(data) : false;
  const settled = data?.status === "pending" || data?.status === "approved";

  async function onContinue(): Promise<boolean> {
    if (settled) return true;
    if (choice.file === null) return false;
    setBusy(true);
    setFailed(null);
    try {
      await upload(choice.type, choice.file);
      return true;
    } catch (error) {
      console.error("The document was not uploaded", error);
      if (error instanceof UnreadableFileError) {
        const issue = unreadableFileText(error, verificationStrings.unreadable);
        setChoice({ ...choice, file: null, issue });
      } else setFailed(retryLaterMessage(error) ?? verificationStrings.uploadFailedOnboarding);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <p className="max-w-prose text-muted">{verificationStrings.introOnboarding}</p>
      {data && data.status !== "none" && !busy ? <VerificationState verification={data} /> : null}
      {data && isWarned(data) ? (
        <Alert tone="warn">{attemptsWarning(data.rejections)}</Alert>
      ) : null}
      {data && isExhausted(data) && !settled ? (
        <Alert tone="danger" action={<SupportLink />}>
          {verificationStrings.exhaustedOnboarding}
        </Alert>
      ) : null}
      {uploading ? (
        <>
          <DocumentFields choice={choice} onChange={setChoice} disabled={busy} />
          <RequirementsList />
        </>
      ) : null}
      {failed === null ? null : <Alert tone="danger">{failed}</Alert>}
      {!data && isError ? (
        <LoadFailed
          title={verificationStrings.loadFailedOnboarding}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {!data && !isError ? (
        <Loading label={verificationStrings.loadingOnboarding} className="grid gap-5">
          <Skeleton className="h-11" />
          <Skeleton className="h-20 rounded-card" />
        </Loading>
      ) : null}
      {renderActions({ ready: settled || (uploading && choice.file !== null), busy, onContinue })}
    </>
  );
}
