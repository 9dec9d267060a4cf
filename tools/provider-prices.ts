import type Stripe from "stripe";
import type { CheckAnswer } from "./check-answer.ts";
import { isUnreachable } from "./provider-account.ts";

/** The price of a plan in the database. `amount` is in the currency's smallest unit. */
export interface CataloguePrice {
  plan: string;
  priceId: string;
  amount: number;
  /** In lower case. */
  currency: string;
}

/** Why a plan cannot be sold at this price of the provider; null when it can. */
export function priceProblem(
  price: Pick<Stripe.Price, "active" | "currency" | "livemode" | "recurring" | "unit_amount">,
  listed: CataloguePrice,
  isLive: boolean,
): string | null {
  if (price.livemode !== isLive) return "is of the provider's other mode, test or live";
  if (!price.active) return "is archived at the provider";
  const { recurring } = price;
  if (recurring?.interval !== "month" || recurring.interval_count !== 1) {
    return "is not billed once a month";
  }
  if (price.unit_amount === listed.amount && price.currency === listed.currency) return null;
  const there = `${price.unit_amount ?? "?"} ${price.currency}`;
  return `costs ${there} at the provider and ${listed.amount} ${listed.currency} in the catalogue`;
}

/**
 * Fetches every price from the provider and compares it with the plan.
 * @throws {Error} naming every plan that cannot be sold as listed.
 */
export async function checkPrices(
  retrieve: (id: string) => Promise<Stripe.Price>,
  catalogue: readonly CataloguePrice[],
  isLive: boolean,
): Promise<CheckAnswer> {
  const problems: string[] = [];
  for (const listed of catalogue) {
    let problem: string | null;
    try {
      problem = priceProblem(await retrieve(listed.priceId), listed, isLive);
    } catch (error) {
      if (isUnreachable(error))
        return { warning: "not compared: the card provider cannot be reached from here" };
      problem = (error as Error).message;
    }
    if (problem !== null) problems.push(`${listed.plan} (${listed.priceId}) ${problem}`);
  }
  if (problems.length > 0) throw new Error(problems.join("; "));
  return `${catalogue.length} as in the catalogue (${isLive ? "live" : "test"} mode)`;
}
