import { CardElement } from "@stripe/react-stripe-js";
import type { StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";
import { useId, useState } from "react";
import { classNames } from "@/ui/class-names.ts";
import { FieldError } from "@/ui/field.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { cardStrings } from "../strings/payment.ts";

/*
 * The provider draws the field in a frame of its own, which knows none of our tokens; these are
 * `--ink`, `--muted` and `--danger` of the two themes in plain sRGB.
 */
const palettes = {
  light: { ink: "#181c26", muted: "#5a5f6b", danger: "#be2a32" },
  dark: { ink: "#efeeea", muted: "#a1a7b3", danger: "#f58b84" },
} as const;

function cardOptions(): StripeCardElementOptions {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const forced = document.documentElement.dataset["theme"];
  const dark =
    forced === "dark" ||
    (forced !== "light" &&
      scheme !== "light" &&
      typeof matchMedia === "function" &&
      matchMedia("(prefers-color-scheme: dark)").matches);
  const colours = dark ? palettes.dark : palettes.light;
  return {
    hidePostalCode: true,
    style: {
      base: {
        color: colours.ink,
        iconColor: colours.muted,
        fontFamily: "Inter, system-ui, sans-serif",
        fontSize: "16px",
        lineHeight: "24px",
        "::placeholder": { color: colours.muted },
      },
      invalid: { color: colours.danger, iconColor: colours.danger },
    },
  };
}

export interface CardFieldProps {
  /** False while the provider's script is on its way; the field's room is kept. */
  readonly ready: boolean;
  /** What is wrong, said by us or by the provider. */
  readonly error: string | null;
  readonly disabled: boolean;
  readonly onChange: (event: StripeCardElementChangeEvent) => void;
}

/** The provider's card field, styled like our own fields. The card number never reaches this page. */
export function CardField({ ready, error, disabled, onChange }: CardFieldProps) {
  const id = useId();
  const [options] = useState(cardOptions);
  const [focused, setFocused] = useState(false);
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="grid gap-1.5">
      <p id={`${id}-label`} className="text-sm font-medium">
        {cardStrings.details}
      </p>
      <div
        className={classNames(
          "min-h-11 rounded-control border border-control-line bg-raised px-3 py-2.5",
          focused && "outline-2 outline-offset-2 outline-accent",
          error !== null && "border-danger",
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
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
