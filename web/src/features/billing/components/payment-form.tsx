import { useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/domain/paths.ts";
import { formatPence } from "@/domain/brand.ts";
import { joiningPrice } from "@/domain/joining-price.ts";
import { IncludingVat, useLegalText, useVatSetting } from "@/features/legal/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { footBar } from "@/ui/foot-bar.ts";
import { createSubscription } from "../api/create-subscription.ts";
import type { CheckoutOffer } from "../model/code-offer.ts";
import { bankRefusalOf, pay, type PaymentOutcome, type PaymentRefusalCode } from "../model/pay.ts";
import type { Plan } from "../model/plan.ts";
import { checkoutStrings } from "../strings/checkout.ts";
import { billingKeys } from "../queries.ts";
import { billingStrings, paymentRefusalText } from "../strings/payment.ts";
import { formatInterval } from "../strings/plans.ts";
import { placeStrings } from "../strings/vat.ts";
import { useCardForm } from "../use-card-form.ts";
import { CardField } from "./card-field.tsx";
import { PayingAccepts } from "./paying-accepts.tsx";
import { PlaceFields } from "./place-fields.tsx";

/** How long the success message is shown before `/success`. Milliseconds. */
export const redirectAfterPaymentMs = 1500;

export interface PaymentFormProps {
  readonly plan: Plan;
  /** What the member's code gives; null without one. */
  readonly offer: CheckoutOffer | null;
  /** True while a payment is under way or done; the plan must not change then. */
  readonly onBusy: (busy: boolean) => void;
  /** The server does not know this session any more. */
  readonly onSignedOut: () => void;
}

/** Card, amount and PAY. Must stand inside of `PayElements`. */
export function PaymentForm({ plan, offer, onBusy, onSignedOut }: PaymentFormProps) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const { data: terms } = useLegalText("terms");
  const { form, entry, problem, clearProblem, refuse, onCardChange, isComplete, becomesComplete } =
    useCardForm<PaymentRefusalCode>();
  const { stripe } = entry;
  const navigate = useNavigate();
  const { data: vat } = useVatSetting();
  const asksPlace = vat?.mode === "stripe_tax";
  const [place, setPlace] = useState({ country: "", postcode: "" });
  const [state, setState] = useState<"idle" | "paying" | "paid">("idle");
  // A second press can arrive before the first one is rendered.
  const isSubmitting = useRef(false);

  useEffect(() => {
    if (state !== "paid") return;
    const timer = setTimeout(() => void navigate(paths.success), redirectAfterPaymentMs);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  async function submit(): Promise<PaymentOutcome> {
    if (!stripe) return { kind: "problem", message: billingStrings.notReady };
    if (!entry.isMounted()) return { kind: "problem", message: billingStrings.cardMissing };
    // Without a pause when it is: a wallet opens only in the press itself.
    if (!isComplete() && !(await becomesComplete())) {
      entry.showMissing();
      return { kind: "card-problem", message: billingStrings.cardIncomplete };
    }
    if (asksPlace && (place.country === "" || place.postcode.trim() === "")) {
      return { kind: "problem", message: placeStrings.missing };
    }
    const createPaymentMethod = entry.begin();
    clearProblem();
    setState("paying");
    onBusy(true);
    return pay({
      hasSession: async () => (await client.auth.getSession()).data.session !== null,
      createPaymentMethod,
      createSubscription: async (paymentMethodId) => {
        const created = await createSubscription(client, plan.priceId, paymentMethodId, {
          code: offer?.code,
          termsVersion: terms?.version,
          place: asksPlace ? place : undefined,
        });
        // The refusal asks the member to look at the new one.
        if (created.kind === "refused" && created.hasNewPrice === true) {
          await queries.invalidateQueries({ queryKey: billingKeys.plans });
        }
        return created;
      },
      confirmCardPayment: async (clientSecret) =>
        bankRefusalOf((await stripe.confirmCardPayment(clientSecret)).error),
      confirmCardSetup: async (clientSecret) =>
        bankRefusalOf((await stripe.confirmCardSetup(clientSecret)).error),
    });
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    const outcome = await submit();
    if (outcome.kind === "paid") {
      setState("paid");
      return;
    }
    isSubmitting.current = false;
    setState("idle");
    onBusy(false);
    if (outcome.kind === "signed-out") onSignedOut();
    else refuse(outcome);
  }

  // "Not ready" is over as soon as the library is there.
  const text = problem === null ? null : paymentRefusalText(problem, billingStrings);
  const shown = stripe && text === billingStrings.notReady ? null : problem;
  const isSaying = shown?.kind === "problem" || state === "paid";
  // On a phone PAY is in reach from anywhere: what it answers may be out of sight.
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSaying) answer.current?.scrollIntoView({ block: "nearest" });
  }, [isSaying]);
  const amount = formatPence(offer?.dueNow ?? plan.amountPence, plan.currency);
  return (
    <form ref={form} className="grid gap-5" onSubmit={(event) => void onSubmit(event)} noValidate>
      <CardField
        ready={stripe !== null}
        error={shown?.kind === "card-problem" ? text : null}
        disabled={state !== "idle"}
        onChange={onCardChange}
      />
      {asksPlace ? (
        <PlaceFields place={place} disabled={state !== "idle"} onChange={setPlace} />
      ) : null}
      {isSaying ? (
        <div ref={answer}>
          {shown?.kind === "problem" ? <Alert tone="danger">{text}</Alert> : null}
          {state === "paid" ? <Alert tone="good">{billingStrings.paid}</Alert> : null}
        </div>
      ) : null}
      <div
        ref={footBar}
        data-pay-bar=""
        className={classNames(
          "flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5 phone:fixed phone:inset-x-0 phone:bottom-0 phone:z-20 phone:bg-raised phone:px-5 phone:pt-3 phone:pb-[max(0.75rem,env(safe-area-inset-bottom))] phone:shadow-float",
          // What it was for is done.
          state === "paid" && "phone:hidden",
        )}
      >
        <p>
          <span className="block text-sm text-muted">{checkoutStrings.dueToday(plan.name)}</span>
          <span className="tabular text-xl font-semibold">{amount}</span>{" "}
          {offer === null ? (
            <span className="text-sm text-muted">{formatInterval(plan.interval)}</span>
          ) : null}{" "}
          <IncludingVat />
        </p>
        <Button
          type="submit"
          size="lg"
          className="grow sm:min-w-40 sm:grow-0"
          loading={state === "paying"}
          disabled={state === "paid"}
        >
          <Lock aria-hidden className="size-4" />
          {checkoutStrings.pay(amount)}
        </Button>
      </div>
      <div className="grid gap-1.5 text-sm">
        <p className="font-medium">{checkoutStrings.guarantee}</p>
        <p className="text-muted">{checkoutStrings.trust}</p>
        {offer === null ? (
          <p className="text-muted">{joiningPrice(amount, plan.interval)}</p>
        ) : null}
      </div>
      <PayingAccepts />
    </form>
  );
}
