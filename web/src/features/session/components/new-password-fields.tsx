import type { KeyboardEvent } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { isComposing } from "@/ui/composition.ts";
import { PasswordField } from "@/ui/password-field.tsx";
import type { NewPassword, NewPasswordRating } from "../model/new-password.ts";
import { authPageStrings, sessionStrings } from "../strings.ts";
import { PasswordStrengthMeter } from "./password-strength-meter.tsx";

/**
 * A new password, typed twice, with its strength. Must stand inside a form with the fields of
 * `newPasswordFields`, whose mode is `onTouched`: what is wrong is said at the field once it was left, and at once
 * when the server would refuse a password that meets every rule.
 */
export function NewPasswordFields({
  label = authPageStrings.password,
  rating,
  onKeyDown,
}: {
  readonly label?: string;
  readonly rating: NewPasswordRating;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}) {
  const { register, control, formState } = useFormContext<NewPassword>();
  const password = useWatch({ control, name: "password" });
  const { errors, dirtyFields, touchedFields, isSubmitted } = formState;
  const shown = (name: keyof NewPassword) =>
    isSubmitted || (dirtyFields[name] === true && touchedFields[name] === true)
      ? errors[name]?.message
      : undefined;
  return (
    <>
      <div className="grid gap-3">
        <PasswordField
          label={label}
          autoComplete="new-password"
          required
          aria-describedby="password-strength"
          onKeyDown={onKeyDown}
          error={rating.refusal === null ? shown("password") : sessionStrings[rating.refusal]}
          {...register("password", { deps: "confirmation" })}
        />
        <PasswordStrengthMeter
          id="password-strength"
          password={password}
          strength={rating.strength}
        />
      </div>
      <PasswordField
        label={authPageStrings.confirmPassword}
        autoComplete="new-password"
        required
        onKeyDown={onKeyDown}
        error={shown("confirmation")}
        {...register("confirmation")}
      />
    </>
  );
}

/**
 * A disabled button also swallows Enter. This handler, placed on the inputs, turns the key press
 * into an explanation instead.
 */
export function explainOnEnter(usable: boolean, explain: () => void) {
  return (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter" || usable || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    explain();
  };
}
