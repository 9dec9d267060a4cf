import type Stripe from "stripe";
import * as z from "zod";
import { nonEmptyString } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newObjectId, randomText, stableId } from "../ids.ts";

/** The provider's own page for customers. The sandbox answers with an address, behind which there is no page. */
export const billingPortalRoutes: Route[] = [
  route(
    "POST",
    "billing_portal/sessions",
    z.strictObject({ customer: nonEmptyString, return_url: nonEmptyString.optional() }),
    ({ state, params }): Stripe.BillingPortal.Session => {
      const customer = state.get("customers", params.customer, "customer").id;
      const session: Stripe.BillingPortal.Session = {
        id: newObjectId("bps"),
        object: "billing_portal.session",
        configuration: stableId("bpc", "default"),
        created: state.now(),
        customer,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: null,
        on_behalf_of: null,
        return_url: params.return_url ?? null,
        url: `${state.publicBase}/portal/${randomText(40)}`,
      };
      state.emit("billing_portal.session.created", session);
      return session;
    },
  ),
];
