import type { Refusal } from "@/lib/refusal.ts";
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

export type CardRefusalCode = "cancelNoSession" | "cardUpdateFailed";

/** Why no card was saved. A card's problem belongs under the card field. */
export type CardProblem = { readonly kind: "card-problem" | "problem" } & Refusal<CardRefusalCode>;

export type CardOutcome = { readonly kind: "saved"; readonly paid: boolean } | CardProblem;

/** Replaces the card, from the field to the subscription. Never throws. */
export async function replaceCard(steps: CardSteps): Promise<CardOutcome> {
  try {
    if (!(await steps.hasSession())) {
      return { kind: "problem", code: "cancelNoSession" };
    }
    const setup = await steps.createSetupIntent();
    if (setup.kind === "refused") return problem("problem", setup.message);
    const card = await steps.confirmCardSetup(setup.clientSecret);
    if (!card.ok) return problem("card-problem", card.message);
    let result = await steps.requestCardUpdate(card.setupIntentId);
    const asked = new Set<string>();
    // The bank asks about each overdue payment. The call after the last answer brings it to the membership without waiting
    // for the webhook.
    while (result.kind === "needs-authentication" && !asked.has(result.clientSecret)) {
      asked.add(result.clientSecret);
      const refusal = await steps.confirmCardPayment(result.clientSecret);
      if (refusal !== null) return problem("card-problem", refusal);
      result = await steps.requestCardUpdate(card.setupIntentId);
    }
    if (result.kind === "saved") return { kind: "saved", paid: result.paid || asked.size > 0 };
    return problem("problem", result.kind === "refused" ? result.message : "");
  } catch {
    return problem("problem", "");
  }
}

function problem(kind: CardProblem["kind"], message: string): CardOutcome {
  return message === "" ? { kind, code: "cardUpdateFailed" } : { kind, message };
}
