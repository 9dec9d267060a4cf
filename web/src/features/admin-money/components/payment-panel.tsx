import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { exactTime } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { hasRefundFailed } from "../model/dispute.ts";
import {
  invoiceReasons,
  payerName,
  paymentStates,
  refundable,
  type Payment,
} from "../model/payment.ts";
import { useRefunds, useUnfinishedRefunds } from "../queries.ts";
import { DetailList } from "./detail-list.tsx";
import { RefundForm } from "./refund-form.tsx";
import { UnfinishedRefundAlert } from "./unfinished-refund.tsx";

/** Everything known about one payment, and the refund of it. */
export function PaymentPanel({
  payment,
  onClose,
}: {
  readonly payment: Payment | null;
  readonly onClose: () => void;
}) {
  return (
    <Sheet
      from="side"
      open={payment !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={payment ? `${formatPence(payment.amountPence, payment.currency)} payment` : ""}
    >
      {payment ? <PaymentDetail key={payment.id} payment={payment} onDone={onClose} /> : null}
    </Sheet>
  );
}

function PaymentDetail({
  payment,
  onDone,
}: {
  readonly payment: Payment;
  readonly onDone: () => void;
}) {
  const [isRefunding, setRefunding] = useState(false);
  const { data: unfinished = [] } = useUnfinishedRefunds();
  const { data: refunds = [] } = useRefunds();
  // Not while the form of this panel itself waits for the answer: it repeats its own request.
  const waiting = isRefunding
    ? undefined
    : unfinished.find(({ paymentId }) => paymentId === payment.id);
  const price = (pence: number) => formatPence(pence, payment.currency);
  const state = paymentStates[payment.state];
  return (
    <div className="grid gap-6">
      <DetailList
        items={[
          ["Member", payerName(payment.payer)],
          ["E-mail", payment.payer.email],
          [
            "State",
            <Badge key="state" colour={state?.colour}>
              {state?.label ?? payment.state}
            </Badge>,
          ],
          ["Paid", exactTime(payment.paidAt)],
          ["Refunded", payment.refundedPence === 0 ? null : price(payment.refundedPence)],
          ["Invoice", payment.invoiceNumber],
          ["For", invoiceReasons[payment.invoiceReason ?? ""] ?? payment.invoiceReason],
          ["Card", cardName(payment.cardBrand, payment.cardLast4)],
          ["Payment", payment.id],
        ]}
      />
      {refunds
        .filter(({ paymentId, status }) => paymentId === payment.id && hasRefundFailed(status))
        .map((refund) => (
          <Alert
            key={refund.id}
            tone="danger"
            title={`A refund of ${price(refund.amountPence)} failed`}
          >
            Asked for {exactTime(refund.at)}. The bank returned the money, so the member hasn't got
            it. Refund it again, or agree on another way with them.
          </Alert>
        ))}
      {waiting ? <UnfinishedRefundAlert refund={waiting} /> : null}
      {refundable(payment) > 0 && !isRefunding && !waiting ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          onClick={() => setRefunding(true)}
        >
          Refund
        </Button>
      ) : null}
      {isRefunding ? <RefundForm payment={payment} onDone={onDone} /> : null}
    </div>
  );
}
