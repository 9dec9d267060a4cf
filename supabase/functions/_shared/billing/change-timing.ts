import type Stripe from "stripe";
import type { ListedPrice } from "./billing-database.ts";

const rankOfRole = { student: 0, mentor: 1 } as const;
const rankOfInterval: Readonly<Record<string, number>> = { day: 0, week: 1, month: 2, year: 3 };

/**
 * Whether a change is made and paid at once. What gives less, be it another plan or a shorter time, begins when the time that is
 * paid for is over; of one plan and one rhythm, the dearer price is more.
 */
export function takesEffectAtOnce(
  catalogue: readonly ListedPrice[],
  held: Pick<Stripe.Price, "id" | "unit_amount" | "recurring">,
  to: ListedPrice,
): boolean {
  const from = catalogue.find(({ price_id: price }) => price === held.id);
  const role = rankOfRole[to.role] - rankOfRole[from?.role ?? "student"];
  const time =
    (rankOfInterval[to.interval] ?? 0) - (rankOfInterval[held.recurring?.interval ?? "month"] ?? 0);
  if (role < 0 || time < 0) return false;
  return role > 0 || time > 0 || to.amount > (held.unit_amount ?? 0);
}

/** True when two prices are paid in another rhythm, such as monthly and yearly. */
export function hasOtherInterval(held: Pick<Stripe.Price, "recurring">, to: ListedPrice): boolean {
  return held.recurring?.interval !== to.interval;
}
