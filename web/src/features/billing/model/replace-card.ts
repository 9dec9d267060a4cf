import { billingStrings } from "../strings.ts";
import type { CardRefusal, CardUpdateResult } from "../api/update-card.ts";

/** What the provider's script said about the card; `message` is empty when it said nothing. */
export type CardSetupResult =
  | { readonly ok: true; readonly setupIntentId: string }
  | { readonly ok: false; readonly message: string };

/** The outside world of a card update, so that the order of its steps can be tested by itself. */
export interface CardSteps {
  readonly hasSession: () => Promise<boolean>;
  readonly createSetupIntent: () => Promise<
    { readonly kind: "created"; readonly clientSecret: string } | CardRefusal
  >;
  /** Checks the card with the bank, which may ask the member. */
  readonly confirmCardSetup: (clientSecret: string) => Promise<CardSetupResult>;
  readonly requestCardUpdate: (setupIntentId: string) => Promise<CardUpdateResult>;
  /** Shows the bank's question about an overdue payment. Null when it was answered well, else the provider's text. */
  readonly confirmCardPayment: (clientSecret: string) => Promise<string | null>;
}

export type CardOutcome =
  | { readonly kind: "saved"; readonly paid: boolean }
  /** Belongs under the card field. */
  | { readonly kind: "card-problem"; readonly message: string }
  | { readonly kind: "problem"; readonly message: string };

/** Overdue payments approved one after the other at most; more than the provider keeps trying. */
const maxApprovals = 12;

/** Replaces the card, from the field to the subscription. Never throws. */
export async function replaceCard(steps: CardSteps): Promise<CardOutcome> {
  try {
    if (!(await steps.hasSession())) return problem(billingStrings.cancelNoSession);
    const setup = await steps.createSetupIntent();
    if (setup.kind === "refused") return problem(setup.message);
    const card = await steps.confirmCardSetup(setup.clientSecret);
    if (!card.ok) return cardProblem(card.message);
    let result = await steps.requestCardUpdate(card.setupIntentId);
    for (
      let asked = 0;
      result.kind === "needs-authentication" && asked < maxApprovals;
      asked += 1
    ) {
      const refusal = await steps.confirmCardPayment(result.clientSecret);
      if (refusal !== null) return cardProblem(refusal);
      // This brings the payment to the membership without waiting for the webhook, and goes on with the next one due.
      result = await steps.requestCardUpdate(card.setupIntentId);
    }
    if (result.kind === "saved") return { kind: "saved", paid: result.paid };
    return problem(result.kind === "refused" ? result.message : "");
  } catch {
    return problem("");
  }
}

function problem(message: string): CardOutcome {
  return { kind: "problem", message: message === "" ? billingStrings.cardUpdateFailed : message };
}

function cardProblem(message: string): CardOutcome {
  return {
    kind: "card-problem",
    message: message === "" ? billingStrings.cardUpdateFailed : message,
  };
}
