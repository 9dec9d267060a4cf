import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { exactTime } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { toast } from "@/ui/toast.tsx";
import { requestRefund } from "../api/acts.ts";
import type { UnfinishedRefund } from "../api/fetch-money.ts";
import { payerName } from "../model/payment.ts";
import { useRefreshMoney } from "../queries.ts";
import { refundDone, refundUnclear } from "../strings.ts";

/** A refund without a known end, and the button that asks the provider again. It is refunded once only. */
export function UnfinishedRefundAlert({ refund }: { readonly refund: UnfinishedRefund }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const price = formatPence(refund.amountPence, refund.currency);

  async function finish() {
    setBusy(true);
    setProblem(null);
    const result = await requestRefund(client, {
      id: refund.requestId,
      paymentId: refund.paymentId,
      amountPence: refund.amountPence,
      reason: refund.reason,
    });
    setBusy(false);
    if (result.kind === "made") {
      toast.good(refundDone(price, payerName(refund.payer), result.isPending));
    } else {
      setProblem(result.kind === "unclear" ? refundUnclear(price) : result.message);
    }
    refresh();
  }

  return (
    <Alert
      tone="warn"
      title={`A refund of ${price} is not finished`}
      action={
        <Button variant="secondary" size="sm" loading={busy} onClick={() => void finish()}>
          Finish this refund
        </Button>
      }
    >
      <p>
        Asked for {exactTime(refund.requestedAt)} for {payerName(refund.payer)}: {refund.reason}
      </p>
      <p>We don't know whether the payment provider has made it. Finishing it refunds once only.</p>
      {problem === null ? null : <p className="font-medium">{problem}</p>}
    </Alert>
  );
}
