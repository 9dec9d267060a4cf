import * as z from "zod/mini";
import { sessionStrings } from "../strings.ts";
import { rateStrength } from "./password-strength.ts";

/** A new password, typed twice. */
export interface NewPassword {
  readonly password: string;
  readonly confirmation: string;
}

export const emptyPassword: NewPassword = { password: "", confirmation: "" };

/** True when the password meets every rule and was typed the same way twice. */
export function isAcceptable({ password, confirmation }: NewPassword): boolean {
  return rateStrength(password).acceptable && password === confirmation;
}

/** The fields of a new password, for a form's schema. */
export const newPasswordFields = {
  password: z
    .string()
    .check(z.refine((password) => rateStrength(password).acceptable, sessionStrings.passwordWeak)),
  confirmation: z.string(),
};

/** Compares the two passwords; a check of the whole form. */
export const passwordsMatch = z.refine<NewPassword>(
  ({ password, confirmation }) => password === confirmation,
  { path: ["confirmation"], error: sessionStrings.passwordsDiffer, when: () => true },
);
