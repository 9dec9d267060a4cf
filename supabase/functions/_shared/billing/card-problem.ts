import { FunctionError } from "../http/responses.ts";
import { cardErrorOf, isInvalidRequest } from "./stripe-client.ts";

/** What the member is told when nobody knows whether the provider did what was asked. */
export const noAnswer = (cause: unknown) =>
  new FunctionError(
    502,
    "provider_unavailable",
    "This is still being confirmed with your bank. Please wait a moment and try again; you will not be charged twice.",
    { cause },
  );

/** What the member is told about a card that could not be used. */
export function cardProblem(error: unknown): FunctionError {
  const declined = cardErrorOf(error);
  if (declined)
    return new FunctionError(402, "payment_declined", declined.message, { cause: error });
  if (!isInvalidRequest(error)) return noAnswer(error);
  return new FunctionError(
    400,
    "invalid_payment_method",
    "This card cannot be used. Please enter it again.",
    { cause: error },
  );
}
