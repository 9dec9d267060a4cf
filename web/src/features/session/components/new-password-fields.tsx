import { useState, type KeyboardEvent } from "react";
import { PasswordField } from "@/ui/password-field.tsx";
import { sessionStrings } from "../strings.ts";
import { rateStrength } from "../model/password-strength.ts";
import { PasswordStrengthMeter } from "./password-strength-meter.tsx";

export interface NewPassword {
  readonly password: string;
  readonly confirmation: string;
}

/** True when the password meets every rule and was typed the same way twice. */
export function isAcceptable({ password, confirmation }: NewPassword): boolean {
  return rateStrength(password).acceptable && password === confirmation;
}

export interface NewPasswordFieldsProps {
  readonly label?: string;
  readonly value: NewPassword;
  readonly onChange: (value: NewPassword) => void;
  /** Shows what is wrong at once, before a field was left. */
  readonly attempted: boolean;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/**
 * A new password, typed twice, with its strength. What is wrong is said at the field: when it is
 * left, or on Enter while the button is disabled.
 */
export function NewPasswordFields({
  label = "Password",
  value,
  onChange,
  attempted,
  onKeyDown,
}: NewPasswordFieldsProps) {
  const [left, setLeft] = useState({ password: false, confirmation: false });
  const { password, confirmation } = value;
  const weak = !rateStrength(password).acceptable;
  const differs = password !== confirmation;
  return (
    <>
      <div className="grid gap-3">
        <PasswordField
          label={label}
          name="password"
          autoComplete="new-password"
          required
          value={password}
          aria-describedby="password-strength"
          onChange={(event) => onChange({ ...value, password: event.target.value })}
          onKeyDown={onKeyDown}
          onBlur={() => setLeft((was) => ({ ...was, password: password !== "" }))}
          error={weak && (attempted || left.password) ? sessionStrings.passwordWeak : undefined}
        />
        <PasswordStrengthMeter id="password-strength" password={password} />
      </div>
      <PasswordField
        label="Confirm password"
        name="confirmation"
        autoComplete="new-password"
        required
        value={confirmation}
        onChange={(event) => onChange({ ...value, confirmation: event.target.value })}
        onKeyDown={onKeyDown}
        onBlur={() => setLeft((was) => ({ ...was, confirmation: confirmation !== "" }))}
        error={
          differs && (attempted || left.confirmation) ? sessionStrings.passwordsDiffer : undefined
        }
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
    if (event.key !== "Enter" || usable) return;
    event.preventDefault();
    explain();
  };
}
