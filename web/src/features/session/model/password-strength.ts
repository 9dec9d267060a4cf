import { passwordStrengthStrings } from "../strings.ts";

export interface PasswordRule {
  readonly id: string;
  readonly text: string;
  readonly met: (password: string) => boolean;
}

/** What a password must have; all five are needed. */
export const passwordRules: readonly PasswordRule[] = [
  {
    id: "length",
    text: passwordStrengthStrings.rules.length,
    met: (password) => password.length >= 12,
  },
  {
    id: "upper",
    text: passwordStrengthStrings.rules.upper,
    met: (password) => /[A-Z]/.test(password),
  },
  {
    id: "lower",
    text: passwordStrengthStrings.rules.lower,
    met: (password) => /[a-z]/.test(password),
  },
  {
    id: "digit",
    text: passwordStrengthStrings.rules.digit,
    met: (password) => /\d/.test(password),
  },
  {
    id: "special",
    text: passwordStrengthStrings.rules.special,
    met: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
  },
];

export type StrengthName = "Weak" | "Fair" | "Good" | "Strong";

export interface PasswordStrength {
  /** How many of the rules are met, 0 to 5. */
  readonly met: number;
  readonly name: StrengthName;
  readonly colour: "red" | "yellow" | "orange" | "green";
  /** True when every rule is met. */
  readonly acceptable: boolean;
}

/** Rates a password by the number of rules it meets. */
export function rateStrength(password: string): PasswordStrength {
  const met = passwordRules.filter((rule) => rule.met(password)).length;
  const acceptable = met === passwordRules.length;
  if (met <= 2) return { met, name: "Weak", colour: "red", acceptable };
  if (met === 3) return { met, name: "Fair", colour: "yellow", acceptable };
  if (met === 4) return { met, name: "Good", colour: "orange", acceptable };
  return { met, name: "Strong", colour: "green", acceptable };
}
