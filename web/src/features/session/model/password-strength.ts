export interface PasswordRule {
  readonly id: "length" | "upper" | "lower" | "digit" | "special";
  readonly met: (password: string) => boolean;
}

/** What a password must have; all five are needed. */
export const passwordRules: readonly PasswordRule[] = [
  {
    id: "length",
    met: (password) => password.length >= 12,
  },
  {
    id: "upper",
    met: (password) => /[A-Z]/.test(password),
  },
  {
    id: "lower",
    met: (password) => /[a-z]/.test(password),
  },
  {
    id: "digit",
    met: (password) => /\d/.test(password),
  },
  {
    id: "special",
    met: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
  },
];

export type StrengthName = "Weak" | "Fair" | "Good" | "Strong";

export interface PasswordStrength {
  /** How much of the meter is filled, 0 to 5: how many of the rules are met, or one when it would be refused all the same. */
  readonly filled: number;
  readonly name: StrengthName;
  readonly colour: "red" | "yellow" | "orange" | "green";
  /** True when every rule is met and the server would take it. */
  readonly acceptable: boolean;
}

/** True when a password has all that it must have. */
export function meetsRules(password: string): boolean {
  return passwordRules.every((rule) => rule.met(password));
}

/**
 * Rates a password by the number of rules it meets.
 * @param refused true when the server refuses it although it meets them: it is weak.
 */
export function rateStrength(password: string, refused = false): PasswordStrength {
  const met = passwordRules.filter((rule) => rule.met(password)).length;
  const filled = refused ? Math.min(met, 1) : met;
  const acceptable = !refused && met === passwordRules.length;
  if (filled <= 2) return { filled, name: "Weak", colour: "red", acceptable };
  if (filled === 3) return { filled, name: "Fair", colour: "yellow", acceptable };
  if (filled === 4) return { filled, name: "Good", colour: "orange", acceptable };
  return { filled, name: "Strong", colour: "green", acceptable };
}
