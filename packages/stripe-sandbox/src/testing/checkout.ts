import type Stripe from "stripe";
import type { Sandbox } from "../main.ts";
import { basicPrice, customerWith, failure } from "./sandbox-fixture.ts";
import type { Provider } from "./subscription-life.ts";

const shop = "https://shop.example";

/** Opens a session for one thing that is sold once. */
export async function openCheckout(
  stripe: Stripe,
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> {
  return await stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [
      {
        price_data: { currency: "gbp", product_data: { name: "Book" }, unit_amount: 1500 },
        quantity: 2,
      },
    ],
    success_url: `${shop}/done?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${shop}/cart`,
    ...more,
  });
}

/** Opens the page of a session, or pays there with a test card. */
export async function visitCheckout(
  sandbox: Sandbox,
  id: string,
  card?: string,
): Promise<Response> {
  return await sandbox.app.request(
    `/checkout/${id}`,
    card === undefined ? {} : { method: "POST", body: new URLSearchParams({ card }) },
  );
}

/** Sessions that are paid, subscribed with and left, and the page for customers. */
export async function checkOut({ sandbox, stripe }: Provider): Promise<void> {
  const { id: customer } = await customerWith(stripe, "pm_card_visa");
  const once = await openCheckout(stripe, { metadata: { cart: "7" } });
  await stripe.checkout.sessions.listLineItems(once.id);
  await visitCheckout(sandbox, once.id, "pm_card_visa");
  await stripe.checkout.sessions.retrieve(once.id, { expand: ["payment_intent"] });
  const membership = await openCheckout(stripe, {
    mode: "subscription",
    customer,
    line_items: [{ price: basicPrice, quantity: 1 }],
  });
  await visitCheckout(sandbox, membership.id, "pm_card_visa");
  await stripe.checkout.sessions.retrieve(membership.id, { expand: ["subscription", "invoice"] });
  const { id: left } = await openCheckout(stripe);
  await stripe.checkout.sessions.expire(left);
  await failure(stripe.checkout.sessions.expire(left));
  await stripe.checkout.sessions.list();
  await stripe.billingPortal.sessions.create({ customer, return_url: shop });
}
