import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { formatPence } from "@/domain/brand.ts";
import { cardFormPath } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { longDate } from "@/lib/format-time.ts";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { Button } from "@/ui/button.tsx";
import { copyAddress } from "@/ui/copy-text.ts";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import {
  fetchFailedPayments,
  retryFailedPayment,
  sendPaymentLink,
} from "../api/failed-payments.ts";
import type { FailedPayment } from "../model/failed-payment.ts";
import { moneyKey, useRefreshMoney } from "../queries.ts";
import { declineReason, failedPaymentsStrings as strings } from "../strings/failed-payments.ts";
import { actionProblemText, actionRefusalText } from "./action-problem-text.ts";
import { payerName } from "./describe-payment.ts";
import { PayerCell } from "./payer-cell.tsx";

/** Renewals that could not be paid, and what can be done about each. */
export function FailedPaymentsView() {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [busyId, setBusyId] = useState<string | null>(null);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [moneyKey, "failed-payments"],
    queryFn: () => fetchFailedPayments(client),
    retry: retryAdminQuery,
  });

  async function retry(owed: FailedPayment) {
    setBusyId(owed.id);
    const answer = await retryFailedPayment(client, owed.id, crypto.randomUUID());
    setBusyId(null);
    if (answer.kind === "paid") {
      toast.good(strings.paid(formatPence(owed.amountPence, owed.currency), payerName(owed.payer)));
    } else if (answer.kind === "declined") {
      toast.danger(strings.declined(declineReason(answer.reason)));
    } else {
      toast.danger(answer.kind === "unclear" ? strings.unclear : actionRefusalText(answer));
    }
    refresh();
  }

  async function send(owed: FailedPayment) {
    setBusyId(owed.id);
    const answer = await sendPaymentLink(client, owed.id);
    setBusyId(null);
    if (typeof answer !== "boolean") {
      toast.danger(actionProblemText(answer) || strings.notSent);
      refresh();
    } else if (answer) toast.good(strings.sent);
    else toast.info(strings.sentBefore);
  }

  return (
    <QueueSection
      id="failed-payments"
      title={strings.title}
      countLabel={strings.count}
      items={data}
      failed={isError}
      refreshing={isFetching}
      onRefresh={() => void refetch()}
      loadingLabel={strings.loading}
      failedTitle={strings.loadFailed}
      emptyTitle={strings.emptyTitle}
      emptyText={strings.empty}
    >
      {(owed) => (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4">
          <div className="grid min-w-0 gap-1">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <PayerCell payer={owed.payer} />
              <span className="tabular font-medium">
                {formatPence(owed.amountPence, owed.currency)}
              </span>
            </p>
            <p className="text-sm wrap-anywhere text-muted">{describe(owed)}</p>
            {owed.reason === null ? null : (
              <p className="text-sm wrap-anywhere">
                {strings.declined(declineReason(owed.reason))}
              </p>
            )}
          </div>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="sm"
              aria-label={strings.retryOf(payerName(owed.payer))}
              loading={busyId === owed.id}
              disabled={busyId !== null}
              onClick={() => void retry(owed)}
            >
              {strings.retry}
            </Button>
            {owed.isCardAwaited ? (
              <>
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={strings.sendOf(payerName(owed.payer))}
                  disabled={busyId !== null}
                  onClick={() => void send(owed)}
                >
                  {strings.send}
                </Button>
                <Button
                  variant="quiet"
                  size="sm"
                  aria-label={strings.copyOf(payerName(owed.payer))}
                  onClick={() => void copyAddress(cardFormPath, strings.copied)}
                >
                  {strings.copy}
                </Button>
              </>
            ) : null}
          </div>
        </div>
      )}
    </QueueSection>
  );
}

function describe(owed: FailedPayment): string {
  return [
    strings.attempts(owed.attempts),
    owed.nextAt === null ? strings.noNext : strings.next(longDate(owed.nextAt)),
    strings.since(longDate(owed.issuedAt)),
    ...(owed.cardLast4 === null ? [] : [strings.card(owed.cardLast4)]),
  ].join(" · ");
}
