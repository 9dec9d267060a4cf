import { useRef, useState, type FormEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { createSetupIntent, requestCardUpdate } from "../api/update-card.ts";
import { replaceCard, type CardOutcome, type CardRefusalCode } from "../model/replace-card.ts";
import { billingStrings, cardStrings } from "../strings/payment.ts";
import { useCardForm } from "../use-card-form.ts";
import { CardField } from "./card-field.tsx";

/** The card field and Save Card. Must stand inside of `PayElements`. */
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
  const { form, entry, problem, clearProblem, refuse, onCardChange, isComplete, becomesComplete } =
    useCardForm<CardRefusalCode>();
  const { stripe } = entry;
  const [saving, setSaving] = useState(false);
  // A second press can arrive before the first one is rendered.
  const isSubmitting = useRef(false);

  async function submit(): Promise<CardOutcome> {
    if (!stripe) return { kind: "problem", message: billingStrings.notReady };
    if (!entry.isMounted()) return { kind: "problem", message: billingStrings.cardMissing };
    if (!isComplete() && !(await becomesComplete())) {
      entry.showMissing();
      return { kind: "card-problem", message: billingStrings.cardIncomplete };
    }
    const createPaymentMethod = entry.begin();
    clearProblem();
    setSaving(true);
    const outcome = await replaceCard({
      hasSession: async () => (await client.auth.getSession()).data.session !== null,
      createSetupIntent: () => createSetupIntent(client),
      confirmCardSetup: async (clientSecret) => {
        const made = await createPaymentMethod();
        if (!made.ok) return made;
        const answer = await stripe.confirmCardSetup(clientSecret, {
          payment_method: made.paymentMethodId,
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
    else refuse(outcome);
    isSubmitting.current = false;
    setSaving(false);
  }

  return (
    <form ref={form} className="grid gap-5" onSubmit={(event) => void onSubmit(event)} noValidate>
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
