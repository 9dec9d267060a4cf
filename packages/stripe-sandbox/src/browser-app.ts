import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { cors } from "hono/cors";
import type Stripe from "stripe";
import { answerIntentChallenge } from "./billing/collect.ts";
import { brandIcon } from "./brand-icons.ts";
import { browserScript } from "./browser-script.ts";
import { answeredPage, challengePage } from "./challenge-page.ts";
import { addCheckoutPage } from "./checkout-page.ts";
import { expandableId } from "./ids.ts";
import { addReceiptPages } from "./receipt-pages.ts";
import { isEqualConstantTime } from "./http/keys.ts";
import type { SandboxState } from "./sandbox-state.ts";

const contentTypes: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Files of the card entry and the challenge. */
const frameFiles = [
  "appearance.js",
  "card-rules.js",
  "card.css",
  "card.html",
  "card.js",
  "challenge-answered.js",
  "challenge.css",
  "entry.js",
  "formats.js",
  "page-port.js",
  "payment.css",
  "payment.html",
  "payment.js",
  "validation.js",
  "wallet.html",
  "wallet.js",
];

const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'";
const challengePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; form-action *; base-uri 'none'";

/** Lets pages of every origin ask, as the provider's API does. */
export const anyOrigin = cors({
  origin: "*",
  allowMethods: ["GET", "POST"],
  allowHeaders: ["authorization", "content-type"],
  exposeHeaders: ["Request-Id"],
  maxAge: 600,
});

/**
 * Browser-facing routes: the library script, the card entry's frame and the 3-D Secure challenge. The frames are
 * sandboxed without an origin, so CORS is open to every origin.
 */
export function createBrowserApp(state: SandboxState, save: () => Promise<void>): Hono {
  const app = new Hono();
  const script = browserScript();
  const files = new Map(
    frameFiles.map((name) => [
      name,
      readFileSync(new URL(`browser/frame/${name}`, import.meta.url), "utf8"),
    ]),
  );
  app.use("*", async (c, next) => {
    await next();
    c.res.headers.set("cross-origin-resource-policy", "cross-origin");
    c.res.headers.set("x-content-type-options", "nosniff");
  });
  for (const path of ["/v1/*", "/v3/*", "/3d-secure/*"]) app.use(path, anyOrigin);
  for (const path of ["/v3", "/v3/"]) {
    app.get(path, (c) =>
      c.body(script, 200, {
        "content-type": contentTypes["js"] ?? "",
        "cache-control": "no-cache",
      }),
    );
  }
  app.get("/v3/elements/:file", (c) => {
    const file = c.req.param("file");
    const content = files.get(file) ?? brandIcon(file);
    if (content === undefined) return c.notFound();
    return c.body(content, 200, {
      "content-type": contentTypes[file.split(".").at(-1) ?? ""] ?? "application/octet-stream",
      "cache-control": "no-cache",
      ...(file.endsWith(".html") && { "content-security-policy": framePolicy }),
    });
  });
  addChallenge(app, state, save);
  addReceiptPages(app, state);
  addCheckoutPage(app, state, save);
  return app;
}

function moneyText({ amount, currency }: Stripe.PaymentIntent): string {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount / 100);
}

/** The challenge page at its secret address, and the routes that complete or fail it. */
function addChallenge(app: Hono, state: SandboxState, save: () => Promise<void>): void {
  const openFor = (id: string, token: string) => {
    const note = state.tables.intentNotes.get(id);
    return note?.challenge && isEqualConstantTime(note.challenge, token) ? note : undefined;
  };
  app.use("/3d-secure/*", async (c, next) => {
    await next();
    c.res.headers.set("content-security-policy", challengePolicy);
    c.res.headers.set("cache-control", "no-store");
    c.res.headers.set("referrer-policy", "no-referrer");
  });
  app.get("/3d-secure/:intent/:token", (c) => {
    const { intent: id, token } = c.req.param();
    if (!openFor(id, token)) {
      return c.html(answeredPage("../../v3/elements", "This authentication is over."), 404);
    }
    const payment = state.find("paymentIntents", id);
    const intent = payment ?? state.get("setupIntents", id);
    const method = state.find("paymentMethods", expandableId(intent.payment_method));
    return c.html(
      challengePage({
        assets: "../../v3/elements",
        amount: payment ? moneyText(payment) : null,
        last4: method?.card?.last4 ?? "",
        action: token,
      }),
    );
  });
  app.post("/3d-secure/:intent/:token/:outcome{complete|fail}", async (c) => {
    const { intent: id, token, outcome } = c.req.param();
    const note = openFor(id, token);
    const assets = "../../../v3/elements";
    if (!note) return c.html(answeredPage(assets, "This authentication is over."), 404);
    const isAccepted = outcome === "complete";
    answerIntentChallenge(state, id, isAccepted);
    await save();
    if (note.returnUrl === null) {
      const sentence = isAccepted ? "Authentication complete" : "Authentication failed";
      return c.html(answeredPage(assets, sentence));
    }
    const back = new URL(note.returnUrl);
    const setup = state.find("setupIntents", id);
    const name = setup ? "setup_intent" : "payment_intent";
    const intent = setup ?? state.get("paymentIntents", id);
    back.searchParams.set(name, id);
    back.searchParams.set(`${name}_client_secret`, intent.client_secret ?? "");
    return c.redirect(back.href, 303);
  });
}
