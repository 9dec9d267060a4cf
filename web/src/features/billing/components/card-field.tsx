import { CardElement, PaymentElement } from "@stripe/react-stripe-js";
import { use, useId, useState } from "react";
import { useSession } from "@/features/session/index.ts";
import { classNames } from "@/ui/class-names.ts";
import { FieldError } from "@/ui/field.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { PayFormContext } from "../pay-form.ts";
import { cardStrings } from "../strings/payment.ts";
import { cardLook } from "./provider-look.ts";

/** What the provider says of its form while it is filled in. */
export interface CardFieldChange {
  readonly complete: boolean;
  readonly error?: { readonly message: string } | undefined;
}

export interface CardFieldProps {
  /** False while the provider's script is on its way; the field's room is kept. */
  readonly ready: boolean;
  /** What is wrong, said by us or by the provider. */
  readonly error: string | null;
  readonly disabled: boolean;
  readonly onChange: (event: CardFieldChange) => void;
}

/**
 * The provider's card field, styled like our own fields, or its Payment Element. The card number never reaches this
 * page. Must stand inside of `PayElements`.
 */
export function CardField({ ready, error, disabled, onChange }: CardFieldProps) {
  const id = useId();
  const { kind } = use(PayFormContext);
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="grid gap-1.5">
      <p id={`${id}-label`} className="text-sm font-medium">
        {kind === "card" ? cardStrings.details : cardStrings.howToPay}
      </p>
      {kind === "card" ? (
        <CardBox ready={ready} invalid={error !== null} disabled={disabled} onChange={onChange} />
      ) : (
        <PaymentBox ready={ready} disabled={disabled} onChange={onChange} />
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

function CardBox({
  ready,
  invalid,
  disabled,
  onChange,
}: Omit<CardFieldProps, "error"> & { readonly invalid: boolean }) {
  const [options] = useState(cardLook);
  const [focused, setFocused] = useState(false);
  return (
    <div
      className={classNames(
        "min-h-11 rounded-control border border-control-line bg-raised px-3 py-2.5",
        focused && "outline-2 outline-offset-2 outline-accent",
        invalid && "border-danger",
      )}
    >
      {ready ? (
        <CardElement
          options={{ ...options, disabled }}
          onChange={onChange}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        />
      ) : (
        <Skeleton className="my-1 h-4 w-2/3" />
      )}
    </div>
  );
}

function PaymentBox({ ready, disabled, onChange }: Omit<CardFieldProps, "error">) {
  const { cardsOnly } = use(PayFormContext);
  const { user } = useSession();
  // Given once: Link looks its account up by it.
  const [email] = useState(user?.email);
  if (!ready) return <Skeleton className="h-48" />;
  const wallet = cardsOnly ? "never" : "auto";
  return (
    <PaymentElement
      options={{
        readOnly: disabled,
        wallets: { applePay: wallet, googlePay: wallet, link: wallet },
        ...(email !== undefined && { defaultValues: { billingDetails: { email } } }),
      }}
      onChange={({ complete }) => onChange({ complete })}
      onLoadError={() => onChange({ complete: false, error: { message: cardStrings.formFailed } })}
    />
  );
}
