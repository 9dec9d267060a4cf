import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { ListedPrice } from "./billing-database.ts";
import { FunctionError } from "../http/responses.ts";
import { isResourceMissing, orWhenMissing } from "./stripe-client.ts";

/** A price on sale that differs at the provider, and how. */
export interface PriceMismatch {
  price: string;
  problem: string;
}

/** How a price at the provider differs from the catalogue; null when they agree. */
export function priceMismatch(
  price: Stripe.Price,
  listed: ListedPrice,
  isLiveMode: boolean,
): string | null {
  const shown = (amount: number | null, currency: string) => `${amount ?? "?"} ${currency}`;
  if (price.livemode !== isLiveMode) return "is of the provider's other mode, test or live";
  if (!price.active) return "is archived at the provider";
  if (price.unit_amount !== listed.amount || price.currency !== listed.currency) {
    const here = shown(listed.amount, listed.currency);
    return `costs ${shown(price.unit_amount, price.currency)} at the provider and ${here} in the catalogue`;
  }
  const { recurring } = price;
  if (recurring?.interval !== listed.interval || recurring.interval_count !== 1) {
    return `is not billed once a ${listed.interval} at the provider`;
  }
  return null;
}

/**
 * Requires a price on sale to exist at the provider. With the key of another account, or a test key for a live one, nothing
 * of ours does; what is missing there is then no proof that it is gone.
 * @throws {FunctionError} 502 provider_unavailable for the key of another account.
 */
export async function requireOwnAccount({ stripe, database }: BillingClients): Promise<void> {
  for (const listed of await database.catalogue()) {
    const price = await orWhenMissing(stripe.prices.retrieve(listed.price_id), null);
    if (price !== null) return;
  }
  throw new FunctionError(
    502,
    "provider_unavailable",
    "Your payments can't be looked up at the moment. Nothing was changed. Please try again later.",
    { cause: new Error("no price of the catalogue exists there: is the key another account's?") },
  );
}

/** Compares one price on sale with the provider. Null when they agree. */
export async function findPriceMismatch(
  stripe: Stripe,
  listed: ListedPrice,
  isLiveMode: boolean,
): Promise<PriceMismatch | null> {
  try {
    const price = await stripe.prices.retrieve(listed.price_id);
    const problem = priceMismatch(price, listed, isLiveMode);
    return problem === null ? null : { price: listed.price_id, problem };
  } catch (error) {
    if (!isResourceMissing(error)) throw error;
    return { price: listed.price_id, problem: "does not exist at the provider" };
  }
}

/** Compares everything on sale with the provider. */
export async function findPriceMismatches(
  stripe: Stripe,
  catalogue: readonly ListedPrice[],
  isLiveMode: boolean,
): Promise<PriceMismatch[]> {
  const wrong: PriceMismatch[] = [];
  for (const listed of catalogue.filter(({ is_current: isCurrent }) => isCurrent)) {
    const found = await findPriceMismatch(stripe, listed, isLiveMode);
    if (found !== null) wrong.push(found);
  }
  return wrong;
}
