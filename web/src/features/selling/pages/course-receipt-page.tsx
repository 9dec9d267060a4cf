import { useParams } from "react-router";
import { brand, formatPenceInFull } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { paths, vatDocumentPath } from "@/domain/paths.ts";
import { useVatDocuments, vatDocumentStrings } from "@/features/billing/index.ts";
import { BusinessLines, formatVatRate } from "@/features/legal/index.ts";
import { NotFoundMessage } from "@/features/library/index.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { PublicPage } from "../components/public-page.tsx";
import type { Purchase } from "../model/purchase.ts";
import { usePurchases } from "../queries.ts";
import { courseReceiptStrings, sellingStrings } from "../strings.ts";

/** `/your-courses/receipts/:purchaseId`: one purchase on a page that prints well. */
export function CourseReceiptPage() {
  const { purchaseId = "" } = useParams();
  const { data, isError, isFetching, refetch } = usePurchases();
  const purchase = data?.find(({ id, number }) => id === purchaseId && number !== null);
  return (
    <PublicPage>
      {purchase ? (
        <Receipt purchase={purchase} />
      ) : data ? (
        <NotFoundMessage
          title={courseReceiptStrings.notFoundTitle}
          to={paths.yourCourses}
          back={sellingStrings.backToYourCourses}
        >
          {courseReceiptStrings.notFound}
        </NotFoundMessage>
      ) : isError ? (
        <LoadFailed
          title={courseReceiptStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={courseReceiptStrings.loading}>
          <Skeleton className="h-64 rounded-card" />
        </Loading>
      )}
    </PublicPage>
  );
}

function Receipt({ purchase }: { readonly purchase: Purchase }) {
  const { user, profile } = useSession();
  const { data: documents = [] } = useVatDocuments();
  const bill = documents.find(
    ({ kind, paymentId }) => kind === "invoice" && paymentId === purchase.number,
  );
  const amount = (pence: number) => formatPenceInFull(pence, bill?.currency ?? brand.currency);
  const card = cardName(purchase.cardBrand, purchase.cardLast4);
  const billedTo = [displayName(profile, ""), user?.email ?? ""].filter((part) => part !== "");
  const facts: readonly (readonly [string, string])[] = [
    [courseReceiptStrings.billedTo, billedTo.join(", ")],
    [courseReceiptStrings.paidOn, longDate(purchase.boughtAt)],
    [courseReceiptStrings.course, purchase.title],
    [courseReceiptStrings.paid, amount(purchase.amountPence)],
    ...(bill === undefined
      ? []
      : [
          [vatDocumentStrings.net, amount(bill.netPence)] as const,
          [
            vatDocumentStrings.vat(formatVatRate(bill.rateBasisPoints)),
            amount(bill.vatPence),
          ] as const,
        ]),
    ...(card === null ? [] : [[courseReceiptStrings.card, card] as const]),
    ...(purchase.refundedPence === 0
      ? []
      : [
          [courseReceiptStrings.refunded, amount(purchase.refundedPence)] as const,
          [
            courseReceiptStrings.net,
            amount(purchase.amountPence - purchase.refundedPence),
          ] as const,
        ]),
    [courseReceiptStrings.number, purchase.number ?? ""],
  ];
  return (
    <article className="mx-auto grid max-w-column gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <TextLink to={paths.yourCourses}>{sellingStrings.backToYourCourses}</TextLink>
        <Button onClick={() => window.print()}>{courseReceiptStrings.print}</Button>
      </div>
      <Card className="grid gap-6">
        <h1 className="display text-2xl">{courseReceiptStrings.title}</h1>
        <dl className="grid gap-4 sm:grid-cols-2">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="tabular break-words">{value}</dd>
            </div>
          ))}
        </dl>
        <footer className="grid gap-2 border-t border-line pt-4 text-sm text-muted">
          <BusinessLines />
          {documents
            .filter(({ paymentId }) => paymentId === purchase.number)
            .map(({ number, kind }) => (
              <p key={number}>
                <TextLink to={vatDocumentPath(number)}>
                  {vatDocumentStrings.names[kind]} {number}
                </TextLink>
              </p>
            ))}
          {purchase.receiptUrl === null ? null : (
            <a
              href={purchase.receiptUrl}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-11 items-center underline underline-offset-4 print:hidden"
            >
              {courseReceiptStrings.providerReceipt}
            </a>
          )}
          <p>
            {brand.name} · {brand.supportEmail}
          </p>
        </footer>
      </Card>
    </article>
  );
}
