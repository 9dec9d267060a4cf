import { useState } from "react";
import { useLocation } from "react-router";
import { asksForCardForm } from "@/domain/chosen-plan.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { useSubscription } from "../queries.ts";
import { billingStrings, cardStrings } from "../strings/payment.ts";
import { useStripeLibrary } from "../use-stripe-library.ts";
import { CardForm } from "./card-form.tsx";
import { PayElements } from "./pay-elements.tsx";

/**
 * Update Card, and the form that it opens in the page. A dialog would keep the focus from the bank's question, which
 * the provider shows outside of it.
 */
export function CardControl({
  hint,
  isOverdue,
  isLastUsed,
  onUse,
}: {
  /** What saving does, in one sentence. */
  readonly hint: string;
  readonly isOverdue: boolean;
  /** Nothing else was done since; what was said before that is over. */
  readonly isLastUsed: boolean;
  readonly onUse: () => void;
}) {
  const { refresh } = useSubscription();
  const { search, key } = useLocation();
  const [open, setOpen] = useState(false);
  // Each press of a link to the form opens it once more.
  const [openedBy, setOpenedBy] = useState<string | null>(null);
  if (asksForCardForm(search) && openedBy !== key) {
    setOpenedBy(key);
    setOpen(true);
  }
  const [saved, setSaved] = useState<{ readonly paid: boolean } | null>(null);

  async function onSaved(paid: boolean) {
    // The card is saved. A status that cannot be fetched now is fetched on the next visit.
    await refresh().catch(() => undefined);
    setSaved({ paid });
    onUse();
    setOpen(false);
  }

  return (
    <>
      {saved && isLastUsed ? (
        <Alert tone="good" className="basis-full">
          {saved.paid ? billingStrings.cardUpdatedAndPaid : billingStrings.cardUpdated}
        </Alert>
      ) : null}
      {open ? (
        <section
          aria-label={cardStrings.updateTitle}
          className="grid basis-full gap-5 rounded-control border border-line bg-sunken p-4"
        >
          <CardEntry
            hint={hint}
            onSaved={onSaved}
            onRefused={() => void refresh().catch(() => undefined)}
            onCancel={() => setOpen(false)}
          />
        </section>
      ) : (
        <Button
          variant={isOverdue ? "primary" : "secondary"}
          onClick={() => {
            setSaved(null);
            setOpen(true);
            onUse();
          }}
        >
          {cardStrings.update}
        </Button>
      )}
    </>
  );
}

function CardEntry({
  hint,
  onSaved,
  onRefused,
  onCancel,
}: {
  readonly hint: string;
  readonly onSaved: (paid: boolean) => Promise<void>;
  readonly onRefused: () => void;
  readonly onCancel: () => void;
}) {
  const { library, retry } = useStripeLibrary();
  if (library.status === "failed") {
    return (
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
    );
  }
  if (library.status === "unusable") {
    return (
      <Alert tone="danger" title={billingStrings.libraryMissing}>
        {billingStrings.libraryMissingHint}
      </Alert>
    );
  }
  return (
    <PayElements
      stripe={library.status === "ready" ? library.stripe : null}
      purpose={{ kind: "setup", currency: "GBP" }}
    >
      <CardForm hint={hint} onSaved={onSaved} onRefused={onRefused} onCancel={onCancel} />
    </PayElements>
  );
}
