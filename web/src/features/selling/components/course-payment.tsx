import { Lock } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { formatPence } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import {
  bankRefusalOf,
  CardField,
  pay,
  PayElements,
  paymentRefusalText,
  paymentRefusalTexts,
  useCardForm,
  useStripeLibrary,
  type CreateSubscriptionResult,
  type PaymentOutcome,
  type PaymentRefusalCode,
} from "@/features/billing/index.ts";
import { IncludingVat } from "@/features/legal/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { courseCheckoutStrings, sellingStrings } from "../strings.ts";

interface OneOffPaymentProps {
  readonly amountPence: number;
  /** Asks the server to charge a card that the provider has checked. */
  readonly request: (paymentMethodId: string) => Promise<CreateSubscriptionResult>;
  /** What paying means, behind "By paying you accept the terms". */
  readonly accepts: { readonly between: string; readonly withdraw: string; readonly after: string };
  /** Why nothing was bought, where neither server nor provider says. */
  readonly notBought: string;
  /** It was refused: the price may be another one by now. */
  readonly onRefused: () => void;
  readonly onPaid: () => void;
  /** The server does not know this session any more. */
  readonly onSignedOut: () => void;
}

/** The card field, and the provider's library that draws it. */
export function OneOffPayment(props: OneOffPaymentProps) {
  const { library, retry } = useStripeLibrary();
  if (library.status === "failed" || library.status === "unusable") {
    return (
      <LoadFailed
        title={courseCheckoutStrings.cardFormFailed}
        reassurance={paymentRefusalTexts.notCharged}
        busy={false}
        onRetry={retry}
      />
    );
  }
  return (
    <PayElements
      stripe={library.status === "ready" ? library.stripe : null}
      purpose={{ kind: "payment", amountPence: props.amountPence, currency: "GBP" }}
    >
      <OneOffCardForm {...props} />
    </PayElements>
  );
}

/** Our own words for why nothing was bought. */
const refusalTexts = (notBought: string): Readonly<Record<PaymentRefusalCode, string>> => ({
  ...paymentRefusalTexts,
  notCreated: notBought,
  createFailed: notBought,
});

function OneOffCardForm({
  amountPence,
  request,
  accepts,
  notBought,
  onRefused,
  onPaid,
  onSignedOut,
}: OneOffPaymentProps) {
  const { client } = useBackend();
  const { form, entry, problem, clearProblem, refuse, onCardChange, isComplete, becomesComplete } =
    useCardForm<PaymentRefusalCode>();
  const { stripe } = entry;
  const [paying, setPaying] = useState(false);
  // A second press can arrive before the first one is rendered.
  const isSubmitting = useRef(false);

  async function submit(): Promise<PaymentOutcome> {
    if (!stripe || !entry.isMounted()) {
      return { kind: "problem", message: courseCheckoutStrings.cardFormLoading };
    }
    if (!isComplete() && !(await becomesComplete())) {
      entry.showMissing();
      return { kind: "card-problem", message: courseCheckoutStrings.cardIncomplete };
    }
    const createPaymentMethod = entry.begin();
    clearProblem();
    setPaying(true);
    return await pay({
      hasSession: async () => (await client.auth.getSession()).data.session !== null,
      createPaymentMethod,
      createSubscription: request,
      confirmCardPayment: async (clientSecret) =>
        bankRefusalOf((await stripe.confirmCardPayment(clientSecret)).error),
    });
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    const outcome = await submit();
    if (outcome.kind === "paid") {
      onPaid();
      return;
    }
    isSubmitting.current = false;
    setPaying(false);
    if (outcome.kind === "signed-out") onSignedOut();
    else {
      refuse(outcome);
      if (outcome.kind === "problem") onRefused();
    }
  }

  const text = problem === null ? null : paymentRefusalText(problem, refusalTexts(notBought));
  return (
    <form ref={form} className="grid gap-5" onSubmit={(event) => void onSubmit(event)} noValidate>
      <CardField
        ready={stripe !== null}
        error={problem?.kind === "card-problem" ? text : null}
        disabled={paying}
        onChange={onCardChange}
      />
      {problem?.kind === "problem" ? <Alert tone="danger">{text}</Alert> : null}
      <p className="text-sm text-muted">{sellingStrings.payFirst}</p>
      <Button type="submit" size="lg" wide loading={paying}>
        <Lock aria-hidden className="size-4" />
        {courseCheckoutStrings.pay(formatPence(amountPence))}
      </Button>
      <p className="text-sm text-muted">
        {sellingStrings.payingAccepts.before}
        <NewTab to={paths.terms}>{sellingStrings.payingAccepts.terms}</NewTab>
        {accepts.between}
        <NewTab to={paths.refunds}>{accepts.withdraw}</NewTab>
        {accepts.after} <IncludingVat />
      </p>
    </form>
  );
}

/** Opens beside the payment, so that nothing that was typed is lost. */
function NewTab({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer" className="underline underline-offset-4">
      {children}
    </a>
  );
}
