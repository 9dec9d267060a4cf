import { useState, type FormEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { previewCode } from "../api/preview-code.ts";
import { describeOffer } from "./describe-offer.ts";
import type { CheckoutOffer } from "../model/code-offer.ts";
import type { PlanInterval } from "../model/plan.ts";
import { discountCodeStrings } from "../strings/checkout.ts";
import { billingStrings } from "../strings/payment.ts";

/** A code for a discount or free days: enter it, see what it gives, take it away again. */
export function DiscountCode({
  priceId,
  interval,
  offer,
  disabled,
  onOffer,
}: {
  readonly priceId: string;
  readonly interval: PlanInterval;
  /** What the accepted code gives. */
  readonly offer: CheckoutOffer | null;
  readonly disabled: boolean;
  readonly onOffer: (offer: CheckoutOffer | null) => void;
}) {
  const { client } = useBackend();
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const [issue, setIssue] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (code.trim() === "") {
      setIssue(discountCodeStrings.codeMissing);
      return;
    }
    setBusy(true);
    const result = await previewCode(client, priceId, code.trim());
    setBusy(false);
    if (result.kind === "offer") onOffer(result.offer);
    else setIssue(result.message === "" ? billingStrings.codeFailed : result.message);
  }

  if (offer !== null) {
    return (
      <Alert
        tone="good"
        title={discountCodeStrings.accepted(offer.code)}
        action={
          <Button
            size="sm"
            variant="secondary"
            disabled={disabled}
            onClick={() => {
              setCode("");
              onOffer(null);
            }}
          >
            {discountCodeStrings.remove}
          </Button>
        }
      >
        {describeOffer(offer, interval)}
      </Alert>
    );
  }
  if (!isOpen) {
    return (
      <Button
        variant="quiet"
        size="sm"
        className="-ml-3 justify-self-start"
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {discountCodeStrings.open}
      </Button>
    );
  }
  return (
    <form className="flex flex-wrap items-end gap-3" noValidate onSubmit={(e) => void submit(e)}>
      <TextField
        label={discountCodeStrings.code}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        fieldClassName="min-w-48 grow sm:max-w-72"
        value={code}
        error={issue}
        disabled={disabled}
        onChange={(event) => {
          setCode(event.target.value);
          setIssue(undefined);
        }}
      />
      <Button type="submit" variant="secondary" loading={busy} disabled={disabled}>
        {discountCodeStrings.apply}
      </Button>
    </form>
  );
}
