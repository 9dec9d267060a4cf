import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { parsePounds } from "@/domain/parse-pounds.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { longDate } from "@/lib/format-time.ts";
import { newId } from "@/lib/uuid.ts";
import { Alert } from "@/ui/alert.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { requestRefund } from "../api/actions.ts";
import { payerName } from "./describe-payment.ts";
import { refundable, type Payment, type RefundMade } from "../model/payment.ts";
import { useRefreshMoney, useRefundEffect } from "../queries.ts";
import { refundFormStrings, refundUnclear } from "../strings/refunds.ts";
import { MoneyActionForm } from "./money-action-form.tsx";
import { actionRefusalText } from "./action-problem-text.ts";

/** What ends with a refund of the whole payment, in a sentence; null while it is being asked for. */
function useEnding(payment: Payment): string | null {
  const { data, isPending, isError } = useRefundEffect(payment.id);
  if (isError) return refundFormStrings.endsUnknown;
  if (isPending) return null;
  if (data === null) return refundFormStrings.endsNothing;
  const date = data.endsAt === null ? null : longDate(data.endsAt);
  const member = payerName(payment.payer);
  switch (data.ends) {
    case "plan":
      return refundFormStrings.endsPlan(member, data.title);
    case "course":
      return refundFormStrings.endsCourse(member, data.title);
    case "gift":
      return date === null
        ? refundFormStrings.endsCode(data.title)
        : refundFormStrings.endsGift(data.title, date);
    default:
      return refundFormStrings.endsMembership(member, date ?? "");
  }
}

/** Refunds a payment in part or whole. The button names the amount. */
export function RefundForm({
  payment,
  onDone,
}: {
  readonly payment: Payment;
  readonly onDone: (refund: RefundMade) => void;
}) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const left = refundable(payment);
  const [text, setText] = useState((left / 100).toFixed(2));
  const [issue, setIssue] = useState<string | undefined>(undefined);
  // One id for one refund, so that repeating it after a lost answer doesn't refund twice.
  const [requestId, setRequestId] = useState(newId);
  const [sent, setSent] = useState<{ amount: number; reason: string } | null>(null);
  const amount = parsePounds(text);
  const price = (pence: number) => formatPence(pence, payment.currency);

  const isPossible = amount !== null && amount >= 1 && amount <= left;

  function check(): boolean {
    if (isPossible) return true;
    setIssue(refundFormStrings.amountWrong(price(1), price(left)));
    return false;
  }

  async function act(reason: string): Promise<string | null> {
    const request = sent ?? { amount: amount ?? 0, reason };
    const result = await requestRefund(client, {
      id: requestId,
      paymentId: payment.id,
      amountPence: request.amount,
      reason: request.reason,
    });
    if (result.kind === "unclear") {
      setSent(request);
      return refundUnclear(price(request.amount));
    }
    setSent(null);
    if (result.kind === "refused") {
      setRequestId(newId());
      return actionRefusalText(result);
    }
    refresh();
    onDone({
      amountPence: request.amount,
      at: systemClock.now(),
      isPending: result.isPending,
    });
    return null;
  }

  const isWhole = payment.refundedPence + (amount ?? 0) === payment.amountPence;
  const ending = useEnding(payment);
  const refunds = payment.refundedPence === 0 ? refundFormStrings.whole : refundFormStrings.rest;
  return (
    <MoneyActionForm
      confirmLabel={
        amount === null
          ? refundFormStrings.confirm
          : refundFormStrings.confirmAmount(price(sent?.amount ?? amount))
      }
      danger
      asksCode
      commonReasons={refundFormStrings.reasons}
      check={check}
      act={act}
    >
      <TextField
        label={refundFormStrings.amount}
        hint={refundFormStrings.amountHint(price(left))}
        inputMode="decimal"
        value={text}
        error={issue}
        disabled={sent !== null}
        onChange={(event) => {
          setText(event.target.value);
          setIssue(undefined);
        }}
      />
      {isPossible ? (
        <Alert tone="info">
          {isWhole
            ? [refunds, ending].filter((sentence) => sentence !== null).join(" ")
            : refundFormStrings.part}
        </Alert>
      ) : null}
    </MoneyActionForm>
  );
}
