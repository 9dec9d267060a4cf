import { useParams } from "react-router";
import { paths, verificationPath } from "@/domain/paths.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { CertificateSheet } from "../components/certificate-sheet.tsx";
import { ShareCertificate } from "../components/share-certificate.tsx";
import { useCertificate } from "../queries.ts";
import { certificateStrings, explainAchievementError } from "../strings.ts";

/** `/certificates/{id}`: one's own certificate, to print or to save as a PDF. */
export function CertificatePage() {
  const { certificateId = "" } = useParams();
  const { data, isError, error, isFetching, refetch } = useCertificate(certificateId);
  usePageDetail(data?.course ?? null);
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid w-full max-w-split grid-cols-1 gap-6 px-4 py-8 focus:outline-none sm:px-8 print:max-w-none print:p-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <TextLink to={paths.achievements}>{certificateStrings.back}</TextLink>
        {data && !data.is_revoked ? (
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => window.print()}>{certificateStrings.print}</Button>
            <ShareCertificate certificateId={data.id} course={data.course} />
          </div>
        ) : null}
      </div>
      {isError && data === undefined ? (
        <LoadFailed
          title={certificateStrings.loadFailed}
          busy={isFetching}
          advice={explainAchievementError(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data === null ? (
        <EmptyState title={certificateStrings.gone}>{certificateStrings.goneText}</EmptyState>
      ) : null}
      {data === undefined && !isError ? (
        <Loading label={certificateStrings.loading}>
          <Skeleton className="aspect-[297/210] w-full rounded-card" />
        </Loading>
      ) : null}
      {data?.is_revoked ? <Alert tone="warn">{certificateStrings.isRevoked}</Alert> : null}
      {data && !data.is_revoked ? (
        <>
          <CertificateSheet certificate={data} address={`${window.location.host}${paths.verify}`} />
          <p className="text-sm text-muted print:hidden">
            {certificateStrings.check.before}
            <TextLink to={verificationPath(data.code)}>{certificateStrings.check.link}</TextLink>
          </p>
        </>
      ) : null}
    </main>
  );
}
