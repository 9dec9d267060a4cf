import type Stripe from "stripe";
import { resourceMissing } from "../api-errors.ts";
import { noParams } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { expandableId } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** Takes the latest discount off a subscription; earlier ones stay. */
function deleteDiscount(state: SandboxState, id: string): Stripe.DeletedDiscount {
  const { discounts } = state.get("subscriptions", id);
  const last = discounts.at(-1);
  if (last === undefined) throw resourceMissing("discount for subscription", id);
  const discount = state.get("discounts", expandableId(last));
  const changes = { discounts: discounts.slice(0, -1) };
  state.update("subscriptions", id, changes, "customer.subscription.updated");
  state.emit("customer.discount.deleted", discount);
  const { end: _end, ...rest } = discount;
  return { ...rest, deleted: true };
}

/** Customers have no discounts of their own here, so that there is never one to take off. */
export const discountRoutes: Route[] = [
  route("DELETE", "subscriptions/:id/discount", noParams, ({ state, id }) =>
    deleteDiscount(state, id),
  ),
  route("DELETE", "customers/:id/discount", noParams, ({ state, id }) => {
    state.get("customers", id);
    throw resourceMissing("discount for customer", id);
  }),
];
