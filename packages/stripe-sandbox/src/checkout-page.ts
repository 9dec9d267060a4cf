import type { Hono } from "hono";
import type Stripe from "stripe";
import { StripeApiError } from "./api-errors.ts";
import { payCheckout } from "./billing/checkout.ts";
import type { SandboxState } from "./sandbox-state.ts";

/** The cards to choose from. */
const cards = {
  pm_card_visa: "Visa 4242, which pays",
  pm_card_gb: "A British Visa, which pays",
  pm_card_visa_chargeDeclined: "A card that is declined",
} as const;

const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action *; base-uri 'none'";

const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
}

function money(amount: number, currency: string): string {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount / 100);
}

function form(
  state: SandboxState,
  session: Stripe.Checkout.Session,
  problem: string | null,
): string {
  const lines = (state.tables.checkoutItems.get(session.id) ?? []).map(
    (item) =>
      `<li>${item.quantity ?? 1} × ${escaped(item.description ?? "")}, ${money(item.amount_total, item.currency)}</li>`,
  );
  const options = Object.entries(cards).map(
    ([token, name]) => `<option value="${token}">${name}</option>`,
  );
  const total = money(session.amount_total ?? 0, session.currency ?? "gbp");
  const back =
    session.cancel_url === null ? "" : `<p><a href="${escaped(session.cancel_url)}">Back</a></p>`;
  return page(
    "Checkout of the card sandbox",
    `<ul>${lines.join("")}</ul><form method="post">${problem === null ? "" : `<p role="alert">${escaped(problem)}</p>`}<label>Test card <select name="card">${options.join("")}</select></label> <button>Pay ${total}</button></form>${back}`,
  );
}

/** The page that a session's `url` leads to. Who knows it may pay, as at Stripe. */
export function addCheckoutPage(app: Hono, state: SandboxState, save: () => Promise<void>): void {
  const openSession = (id: string) => {
    const session = state.find("checkoutSessions", id);
    return session?.status === "open" ? session : undefined;
  };
  const over = page("This page is over", "<p>It was paid, or has expired.</p>");
  app.use("/checkout/*", async (c, next) => {
    await next();
    c.res.headers.set("content-security-policy", policy);
    c.res.headers.set("cache-control", "no-store");
  });
  app.get("/checkout/:session", (c) => {
    const session = openSession(c.req.param("session"));
    return session ? c.html(form(state, session, null)) : c.html(over, 404);
  });
  app.post("/checkout/:session", async (c) => {
    const session = openSession(c.req.param("session"));
    if (!session) return c.html(over, 404);
    const { card } = await c.req.parseBody();
    const token = Object.keys(cards).find((each) => each === card);
    if (token === undefined) return c.html(form(state, session, "Choose a card."), 400);
    try {
      payCheckout(state, session.id, token);
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error;
      await save();
      return c.html(form(state, session, error.message), 402);
    }
    await save();
    return c.redirect(
      (session.success_url ?? "/").replaceAll("{CHECKOUT_SESSION_ID}", session.id),
      303,
    );
  });
}
