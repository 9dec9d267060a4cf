import type { PasswordError } from "../model/password-error.ts";
import { sessionStrings } from "../strings.ts";

/** Why a password was not taken, in plain words. */
export function passwordErrorText(error: PasswordError): string {
  return "codes" in error
    ? error.codes.map((code) => sessionStrings[code]).join(" ")
    : error.message;
}
