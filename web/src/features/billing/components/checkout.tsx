import { useState } from "react";
import type { ChosenPlan } from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { describeOffer } from "./describe-offer.ts";
import type { CheckoutOffer } from "../model/code-offer.ts";
import type { Plan, PlanInterval } from "../model/plan.ts";
import { checkoutStrings, paywallGuaranteeStrings } from "../strings/checkout.ts";
import { billingStrings, cardStrings } from "../strings/payment.ts";
import { formatInterval } from "../strings/plans.ts";
import { useStripeLibrary } from "../use-stripe-library.ts";
import { DiscountCode } from "./discount-code.tsx";
import { PayElements } from "./pay-elements.tsx";
import { PaymentForm } from "./payment-form.tsx";
import { IntervalChoice, PlanChoice } from "./plan-choice.tsx";

/** Plans, card and PAY. */
export function Checkout({
  plans,
  initialPlan,
  onPaying,
  onSignedOut,
}: {
  readonly plans: readonly [Plan, ...Plan[]];
  /** The plan chosen on the front page. */
  readonly initialPlan: ChosenPlan | null;
  /** True while a payment is under way or done. */
  readonly onPaying: (paying: boolean) => void;
  readonly onSignedOut: () => void;
}) {
  const hasYearly = plans.some(({ interval }) => interval === "year");
  const [wanted, setInterval] = useState<PlanInterval>(
    hasYearly && initialPlan?.endsWith("-yearly") ? "year" : "month",
  );
  // Plans of a year may go off sale while the page is open.
  const interval = plans.some((each) => each.interval === wanted) ? wanted : plans[0].interval;
  const shown = plans.filter((each) => each.interval === interval);
  const initial = shown.find(({ role }) => initialPlan?.startsWith(role)) ?? shown[0] ?? plans[0];
  const [chosen, setChosen] = useState(initial.id);
  const [busy, setBusy] = useState(false);
  const [found, setOffer] = useState<CheckoutOffer | null>(null);
  const onBusy = (paying: boolean) => {
    setBusy(paying);
    onPaying(paying);
  };
  const { library, retry } = useStripeLibrary();
  const plan = shown.find((each) => each.id === chosen) ?? shown[0] ?? plans[0];
  // An offer is for one plan.
  const offer = found?.priceId === plan.priceId ? found : null;
  return (
    <div className="grid gap-6">
      {hasYearly ? (
        <IntervalChoice chosen={interval} onChoose={setInterval} disabled={busy} />
      ) : null}
      <PlanChoice
        plans={shown}
        onSale={plans}
        chosen={plan.id}
        onChoose={setChosen}
        disabled={busy}
      />
      <DiscountCode
        key={plan.priceId}
        priceId={plan.priceId}
        interval={plan.interval}
        offer={offer}
        disabled={busy}
        onOffer={setOffer}
      />
      {library.status === "failed" ? (
        <Alert
          tone="danger"
          title={billingStrings.systemError}
          action={
            <Button variant="secondary" size="sm" onClick={retry}>
              {cardStrings.retry}
            </Button>
          }
        >
          {billingStrings.libraryFailed}
        </Alert>
      ) : null}
      {library.status === "unusable" ? (
        <Alert tone="danger" title={billingStrings.libraryMissing}>
          {billingStrings.libraryMissingHint}
        </Alert>
      ) : null}
      {library.status === "loading" || library.status === "ready" ? (
        <PayElements
          stripe={library.status === "ready" ? library.stripe : null}
          purpose={{
            kind: "subscription",
            amountPence: offer?.dueNow ?? plan.amountPence,
            currency: plan.currency,
          }}
          cardsOnly={(offer?.trialDays ?? null) !== null}
        >
          <PaymentForm plan={plan} offer={offer} onBusy={onBusy} onSignedOut={onSignedOut} />
        </PayElements>
      ) : null}
      <GuaranteeTerms />
      <WhatHappensNext interval={plan.interval} offer={offer} />
    </div>
  );
}

/** What the guarantee asks for, before anybody pays for it. */
function GuaranteeTerms() {
  return (
    <section aria-label={paywallGuaranteeStrings.title} className="grid gap-2 text-sm text-muted">
      <h2 className="font-medium text-ink">{paywallGuaranteeStrings.title}</h2>
      <ul className="grid list-disc gap-1 pl-5">
        <li>{paywallGuaranteeStrings.start}</li>
        <li>{paywallGuaranteeStrings.work}</li>
      </ul>
      <p>
        <a
          href={paths.guarantee}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center underline underline-offset-4"
        >
          {paywallGuaranteeStrings.terms}
        </a>
      </p>
    </section>
  );
}

function WhatHappensNext({
  interval,
  offer,
}: {
  readonly interval: PlanInterval;
  readonly offer: CheckoutOffer | null;
}) {
  return (
    <section aria-label={checkoutStrings.nextTitle} className="grid gap-2 text-sm text-muted">
      <h2 className="font-medium text-ink">{checkoutStrings.nextTitle}</h2>
      <ol className="grid list-decimal gap-1 pl-5">
        <li>{checkoutStrings.nextApproval}</li>
        <li>{checkoutStrings.nextActivation}</li>
        <li>{checkoutStrings.nextProfile}</li>
      </ol>
      <p>
        {offer === null
          ? checkoutStrings.sameCharge(formatInterval(interval))
          : describeOffer(offer, interval)}{" "}
        {checkoutStrings.cancelAnyTime}
      </p>
    </section>
  );
}
