import type { FactorError } from "../api/second-factor.ts";
import { secondFactorErrors, secondFactorStrings } from "../strings.ts";

/** Why a factor could not be set up or removed, in words for its owner. */
export function factorErrorText({ code }: FactorError): string {
  return secondFactorErrors[code] ?? secondFactorStrings.failed;
}
