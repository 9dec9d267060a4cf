import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { exactTime } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { toast } from "@/ui/toast.tsx";
import { requestRefund } from "../api/actions.ts";
import type { UnfinishedRefund } from "../api/fetch-money.ts";
import { payerName } from "./describe-payment.ts";
import { useRefreshMoney } from "../queries.ts";
import { refundDone, refundUnclear, unfinishedRefundStrings } from "../strings/refunds.ts";
import type { RefundMade } from "../model/payment.ts";
import { useFreshCode } from "./fresh-code.tsx";
import { actionRefusalText } from "./action-problem-text.ts";

/** A refund without a known end, and the button that asks the provider again. It is refunded once only. */
export function UnfinishedRefundAlert({
  refund,
  onMade,
}: {
  readonly refund: UnfinishedRefund;
  /** Says beside the payment that it is made; a toast says it without. */
  readonly onMade?: ((refund: RefundMade) => void) | undefined;
}) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const price = formatPence(refund.amountPence, refund.currency);

  const [isFinishing, setFinishing] = useState(false);
  const { codeFields, isCodeComplete, proveCode } = useFreshCode(isFinishing);

  async function finish() {
    if (!isFinishing) {
      setFinishing(true);
      return;
    }
    if (!(await isCodeComplete())) return;
    setBusy(true);
    setProblem(await proveCode().then(async (wrong) => wrong ?? (await ask())));
    setBusy(false);
    refresh();
  }

  /** Asks the provider again. Returns the problem, or null when the refund is made. */
  async function ask(): Promise<string | null> {
    const result = await requestRefund(client, {
      id: refund.requestId,
      paymentId: refund.paymentId,
      amountPence: refund.amountPence,
      reason: refund.reason,
    });
    if (result.kind !== "made") {
      return result.kind === "unclear" ? refundUnclear(price) : actionRefusalText(result);
    }
    if (onMade === undefined) {
      toast.good(refundDone(price, payerName(refund.payer), result.isPending));
    } else {
      const { amountPence } = refund;
      onMade({ amountPence, at: systemClock.now(), isPending: result.isPending });
    }
    return null;
  }

  return (
    <Alert
      tone="warn"
      title={unfinishedRefundStrings.title(price)}
      action={
        <Button variant="secondary" size="sm" loading={busy} onClick={() => void finish()}>
          {unfinishedRefundStrings.finish}
        </Button>
      }
    >
      <p>
        {unfinishedRefundStrings.request(
          exactTime(refund.requestedAt),
          payerName(refund.payer),
          refund.reason,
        )}
      </p>
      <p>{unfinishedRefundStrings.explanation}</p>
      {codeFields}
      {problem === null ? null : <p className="font-medium">{problem}</p>}
    </Alert>
  );
}
