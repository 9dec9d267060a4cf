import * as z from "zod/mini";
import { loadIsGuessable } from "../model/guessable-password.ts";
import { passwordRefusal, type NewPassword } from "../model/new-password.ts";
import { meetsRules } from "../model/password-strength.ts";
import { sessionStrings } from "../strings.ts";

/** The fields of a new password, for a form's schema. */
export const newPasswordFields = {
  password: z.string().check(z.refine(meetsRules, sessionStrings.passwordWeak)),
  confirmation: z.string(),
};

/** Compares the two passwords; a check of the whole form. */
export const passwordsMatch = z.refine<NewPassword>(
  ({ password, confirmation }) => password === confirmation,
  { path: ["confirmation"], error: sessionStrings.passwordsDiffer, when: () => true },
);

/** Refuses what the server would refuse although it meets every rule; a check of the whole form, which waits for the list. */
export function passwordAcceptedByServer<Fields extends NewPassword>(
  emailOf: (fields: Fields) => string,
) {
  return z.check<Fields>(async ({ value, issues }) => {
    const { password } = value;
    if (!meetsRules(password)) return;
    const isGuessable = await loadIsGuessable();
    const email = emailOf(value).trim();
    const refusal = passwordRefusal(password, () => isGuessable?.(password, email) === true);
    if (refusal === null) return;
    const message = sessionStrings[refusal];
    issues.push({ code: "custom", input: password, path: ["password"], message });
  });
}
