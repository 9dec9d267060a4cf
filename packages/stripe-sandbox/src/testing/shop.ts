import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Stripe } from "stripe";
import type { Sandbox } from "../main.ts";
import { client, openFixture, testPublishableKey, basicPrice } from "./sandbox-fixture.ts";

/** A strict site: no inline script, nothing from elsewhere. */
const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self'";

export interface Shop {
  url: string;
  sandbox: Sandbox;
  stop: () => Promise<void>;
}

const text = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
/** The official loader as the browser gets it; its package's entry only points to this file. */
const loaderFile = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@stripe/stripe-js/package.json")),
  "dist/pure.mjs",
);

/** A small shop that sells one subscription, wired as the product's own site is. */
export async function openShop(): Promise<Shop> {
  const app = new Hono();
  const parts: { sandbox?: Sandbox } = {};
  const server = serve({
    fetch: app.fetch,
    hostname: "127.0.0.1",
    port: 0,
    overrideGlobalObjects: false,
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sandbox = await openFixture({ publicBase: `${url}/sandbox/stripe` });
  parts.sandbox = sandbox;
  app.use("*", async (c, next) => {
    await next();
    if (!c.res.headers.has("content-security-policy")) {
      c.res.headers.set("content-security-policy", contentPolicy);
    }
  });
  app.get("/", (c) => c.html(text("shop.html")));
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.get("/shop.css", (c) => c.body(text("shop.css"), 200, { "content-type": "text/css" }));
  app.get("/shop.js", (c) => c.body(text("shop.js"), 200, { "content-type": "text/javascript" }));
  app.get("/stripe-js/pure.mjs", (c) =>
    c.body(readFileSync(loaderFile, "utf8"), 200, { "content-type": "text/javascript" }),
  );
  app.get("/shop.json", (c) =>
    c.json({ publishableKey: testPublishableKey, scriptUrl: `${url}/sandbox/stripe/v3/` }),
  );
  app.post("/subscribe", async (c) => c.json(await subscribe(sandbox, await c.req.text())));
  app.post("/intents", async (c) => c.json(await openIntents(sandbox)));
  app.route("/sandbox/stripe", sandbox.app);
  return {
    url,
    sandbox,
    stop: async () => {
      await sandbox.stop();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A payment and a setup that the browser confirms. */
async function openIntents(sandbox: Sandbox): Promise<object> {
  const stripe = client(sandbox);
  const payment = await stripe.paymentIntents.create({ amount: 900, currency: "gbp" });
  const setup = await stripe.setupIntents.create({ usage: "off_session" });
  return { payment: payment.client_secret, setup: setup.client_secret };
}

async function subscribe(sandbox: Sandbox, methodId: string): Promise<object> {
  const stripe = client(sandbox);
  try {
    const customer = await stripe.customers.create({ email: "buyer@example.org" });
    await stripe.paymentMethods.attach(methodId, { customer: customer.id });
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: basicPrice }],
      default_payment_method: methodId,
      expand: ["latest_invoice.confirmation_secret"],
    });
    const invoice = subscription.latest_invoice;
    const secret = typeof invoice === "object" ? invoice?.confirmation_secret : undefined;
    return subscription.status === "active"
      ? { active: subscription.id }
      : { clientSecret: secret?.client_secret };
  } catch (cause) {
    if (cause instanceof Stripe.errors.StripeError) return { refused: cause.message };
    throw cause;
  }
}
