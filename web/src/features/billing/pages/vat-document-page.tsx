import { useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { VatDocumentBody } from "../components/vat-document-body.tsx";
import { useVatDocuments } from "../queries.ts";
import { receiptStrings } from "../strings/invoices.ts";
import { vatDocumentStrings } from "../strings/vat.ts";

/** `/subscriptions/documents/:number`: a VAT invoice, credit note or debit note on a page that prints well. */
export function VatDocumentPage() {
  const { number = "" } = useParams();
  const { profile } = useSession();
  const { data, isError, isFetching, refetch } = useVatDocuments();
  const document = data?.find((each) => each.number === number);
  return (
    <main id="main" className="mx-auto grid w-full max-w-column gap-6 px-4 py-8 sm:px-8 print:p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <TextLink to={paths.subscriptions}>{receiptStrings.back}</TextLink>
        {document ? <Button onClick={() => window.print()}>{receiptStrings.print}</Button> : null}
      </div>
      {document ? (
        <VatDocumentBody document={document} buyerName={displayName(profile, "")} />
      ) : data ? (
        <EmptyState title={vatDocumentStrings.goneTitle}>{vatDocumentStrings.gone}</EmptyState>
      ) : isError ? (
        <LoadFailed
          title={vatDocumentStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={vatDocumentStrings.loading} className="grid gap-4">
          <Skeleton className="h-10 w-48" />
          <Skeleton className="h-64 rounded-card" />
        </Loading>
      )}
    </main>
  );
}
