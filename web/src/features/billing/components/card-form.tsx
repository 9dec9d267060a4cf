import { CardElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { StripeCardElementChangeEvent } from "@stripe/stripe-js";
import { useRef, useState, type FormEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { createSetupIntent, requestCardUpdate } from "../api/update-card.ts";
import { replaceCard, type CardOutcome, type CardProblem } from "../model/replace-card.ts";
import { billingStrings, cardStrings } from "../strings/payment.ts";
import { CardField } from "./card-field.tsx";

/** The card field and Save Card. Must stand inside the provider's `Elements`. */
export function CardForm({
  hint,
  onSaved,
  onRefused,
  onCancel,
}: {
  /** What saving does, in one sentence. */
  readonly hint: string;
  readonly onSaved: (paid: boolean) => Promise<void>;
  /** The card may be saved all the same: a payment is taken after that. */
  readonly onRefused: () => void;
  readonly onCancel: () => void;
}) {
  const { client } = useBackend();
  const stripe = useStripe();
  const elements = useElements();
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<CardProblem | null>(null);
  const card = useRef({ complete: false });
  // A second press can arrive before the first one is rendered.
  const isSubmitting = useRef(false);

  function onCardChange(event: StripeCardElementChangeEvent) {
    card.current = { complete: event.complete };
    setProblem(event.error ? { kind: "card-problem", message: event.error.message } : null);
  }

  async function submit(): Promise<CardOutcome> {
    if (!stripe || !elements) return { kind: "problem", message: billingStrings.notReady };
    const element = elements.getElement(CardElement);
    if (!element) return { kind: "problem", message: billingStrings.cardMissing };
    if (!card.current.complete) {
      return { kind: "card-problem", message: billingStrings.cardIncomplete };
    }
    setProblem(null);
    setSaving(true);
    const outcome = await replaceCard({
      hasSession: async () => (await client.auth.getSession()).data.session !== null,
      createSetupIntent: () => createSetupIntent(client),
      confirmCardSetup: async (clientSecret) => {
        const answer = await stripe.confirmCardSetup(clientSecret, {
          payment_method: { card: element },
        });
        return answer.error
          ? { ok: false, message: answer.error.message ?? "" }
          : { ok: true, setupIntentId: answer.setupIntent.id };
      },
      requestCardUpdate: (setupIntentId) => requestCardUpdate(client, setupIntentId),
      confirmCardPayment: async (clientSecret) => {
        const answer = await stripe.confirmCardPayment(clientSecret);
        return answer.error ? (answer.error.message ?? "") : null;
      },
    });
    if (outcome.kind !== "saved") onRefused();
    return outcome;
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    const outcome = await submit();
    if (outcome.kind === "saved") await onSaved(outcome.paid);
    else setProblem(outcome);
    isSubmitting.current = false;
    setSaving(false);
  }

  return (
    <form className="grid gap-5" onSubmit={(event) => void onSubmit(event)} noValidate>
      <CardField
        ready={stripe !== null}
        error={problem?.kind === "card-problem" ? refusalText(problem, billingStrings) : null}
        disabled={saving}
        onChange={onCardChange}
      />
      {problem?.kind === "problem" ? (
        <Alert tone="danger">{refusalText(problem, billingStrings)}</Alert>
      ) : null}
      <p className="text-sm text-muted">{hint}</p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={saving}>
          {cardStrings.save}
        </Button>
        <Button variant="quiet" disabled={saving} onClick={onCancel}>
          {cardStrings.keepOld}
        </Button>
      </div>
    </form>
  );
}
