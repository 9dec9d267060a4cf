import { useEffect, useRef, useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import type { Reversal } from "../api/fetch-money.ts";
import { hasRefundFailed } from "../model/dispute.ts";
import { payerName, paymentStates } from "./describe-payment.ts";
import { refundable, type Payment, type RefundMade } from "../model/payment.ts";
import { useRefunds, useUnfinishedRefunds } from "../queries.ts";
import { moneyFields } from "../strings/fields.ts";
import { invoiceReasons, paymentPanelStrings } from "../strings/payments.ts";
import { refundMadeStrings } from "../strings/refunds.ts";
import { DetailList } from "./detail-list.tsx";
import { RefundForm } from "./refund-form.tsx";
import { UnfinishedRefundAlert } from "./unfinished-refund.tsx";

/** Everything known about one payment, and the refund of it. */
export function PaymentPanel({
  payment,
  onRefunded,
  onClose,
}: {
  readonly payment: Payment | null;
  /** A refund of it was made; the panel stays open and says so. */
  readonly onRefunded: (refund: RefundMade) => void;
  readonly onClose: () => void;
}) {
  return (
    <Sheet
      from="side"
      open={payment !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={
        payment ? paymentPanelStrings.title(formatPence(payment.amountPence, payment.currency)) : ""
      }
    >
      {payment ? (
        <PaymentDetail key={payment.id} payment={payment} onRefunded={onRefunded} />
      ) : null}
    </Sheet>
  );
}

function PaymentDetail({
  payment,
  onRefunded,
}: {
  readonly payment: Payment;
  readonly onRefunded: (refund: RefundMade) => void;
}) {
  const [isRefunding, setRefunding] = useState(false);
  /** The refund that was made here last. */
  const [made, setMade] = useState<RefundMade | null>(null);
  const onMade = (refund: RefundMade) => {
    setRefunding(false);
    setMade(refund);
    onRefunded(refund);
  };
  const { data: unfinished = [] } = useUnfinishedRefunds();
  const { data: refunds = [] } = useRefunds();
  // Not while the form of this panel itself waits for the answer: it repeats its own request.
  const waiting = isRefunding
    ? undefined
    : unfinished.find(({ paymentId }) => paymentId === payment.id);
  const price = (pence: number) => formatPence(pence, payment.currency);
  const ofThis = refunds.filter(({ paymentId }) => paymentId === payment.id);
  const refunded = ofThis.filter(({ status }) => !hasRefundFailed(status));
  const state = paymentStates[payment.state];
  return (
    <div className="grid gap-6">
      <DetailList
        items={[
          [moneyFields.member, payerName(payment.payer)],
          [moneyFields.email, payment.payer.email],
          [
            moneyFields.state,
            <Badge key="state" colour={state?.colour}>
              {state?.label ?? payment.state}
            </Badge>,
          ],
          [moneyFields.paid, exactTime(payment.paidAt)],
          [
            moneyFields.refunded,
            payment.refundedPence === 0 ? null : (
              <>
                {price(payment.refundedPence)}
                {refunded.length < 2 ? null : <RefundList refunds={refunded} price={price} />}
              </>
            ),
          ],
          [moneyFields.invoice, payment.invoiceNumber],
          [
            paymentPanelStrings.purpose,
            invoiceReasons[payment.invoiceReason ?? ""] ?? payment.invoiceReason,
          ],
          [paymentPanelStrings.card, cardName(payment.cardBrand, payment.cardLast4)],
          [moneyFields.payment, payment.id],
        ]}
      />
      {ofThis
        .filter(({ status }) => hasRefundFailed(status))
        .map((refund) => (
          <Alert
            key={refund.id}
            tone="danger"
            title={paymentPanelStrings.refundFailed(price(refund.amountPence))}
          >
            {paymentPanelStrings.refundFailedText(exactTime(refund.at))}
          </Alert>
        ))}
      {waiting ? <UnfinishedRefundAlert refund={waiting} onMade={onMade} /> : null}
      {made === null ? null : <RefundNotice refund={made} price={price} />}
      {refundable(payment) > 0 && !isRefunding && !waiting && made === null ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          onClick={() => setRefunding(true)}
        >
          {paymentPanelStrings.refund}
        </Button>
      ) : null}
      {isRefunding ? <RefundForm payment={payment} onDone={onMade} /> : null}
    </div>
  );
}

/** What the sum was refunded in. */
function RefundList({
  refunds,
  price,
}: {
  readonly refunds: readonly Reversal[];
  readonly price: (pence: number) => string;
}) {
  return (
    <ul aria-label={paymentPanelStrings.refunds} className="mt-1 grid gap-1 text-muted">
      {refunds.map(({ id, amountPence, at, reason }) => (
        <li key={id} className="tabular">
          {paymentPanelStrings.refundOn(price(amountPence), longDate(at))}
          {reason ? <bdi className="block">{reason}</bdi> : null}
        </li>
      ))}
    </ul>
  );
}

/** What became of a refund, where its form stood. It takes the focus that the form had. */
function RefundNotice({
  refund: { amountPence, at, isPending },
  price,
}: {
  readonly refund: RefundMade;
  readonly price: (pence: number) => string;
}) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const words = isPending ? refundMadeStrings.requested : refundMadeStrings.refunded;
  return (
    <div ref={notice} tabIndex={-1} className="rounded-control">
      <Alert tone={isPending ? "info" : "good"} title={words(price(amountPence), longDate(at))}>
        {isPending ? refundMadeStrings.withBank : refundMadeStrings.arrives}
      </Alert>
    </div>
  );
}
