import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { vatDocumentPath } from "@/domain/paths.ts";
import { longDate } from "@/lib/format-time.ts";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { useVatDocuments } from "../queries.ts";
import { vatDocumentStrings } from "../strings/vat.ts";

/** The member's VAT invoices and notes, newest first; nothing without any. */
export function VatDocumentList() {
  const { data, isError, isFetching, refetch } = useVatDocuments();
  if (isError) {
    return (
      <LoadFailed
        title={vatDocumentStrings.listLoadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="vat-documents" className="grid gap-4">
      <h2 id="vat-documents" className="text-lg font-medium">
        {vatDocumentStrings.list}
      </h2>
      <Card className="p-0 sm:p-0">
        <ul className="divide-y divide-line">
          {data.map((document) => (
            <li key={document.number} className="flex items-center gap-4 px-5 py-3">
              <span className="grid grow gap-x-4 sm:grid-cols-[10rem_1fr]">
                <span>{longDate(document.issuedAt)}</span>
                <span className="tabular font-medium">
                  {formatPence(
                    document.kind === "credit_note" ? -document.grossPence : document.grossPence,
                    document.currency,
                  )}
                  <span className="block text-sm font-normal text-muted">
                    {document.description}
                  </span>
                </span>
              </span>
              <Link
                to={vatDocumentPath(document.number)}
                className="inline-flex min-h-11 shrink-0 flex-col items-end justify-center font-medium underline decoration-control-line underline-offset-4 hover:decoration-ink"
              >
                {vatDocumentStrings.names[document.kind]}
                <span className="tabular text-sm font-normal text-muted">{document.number}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
