import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { runDueWork } from "./billing/due-work.ts";
import { anyOrigin, createBrowserApp } from "./browser-app.ts";
import type { Interval } from "./clock.ts";
import { createControl, type SandboxControl } from "./control.ts";
import { createControlApp } from "./control-routes.ts";
import { WebhookSender, type SandboxLog } from "./delivery/webhook-sender.ts";
import { createApi, type ApiOptions } from "./http/api.ts";
import { IdempotentResponses } from "./http/idempotency.ts";
import { SecretKeys } from "./http/keys.ts";
import { NetworkFaults } from "./http/network-faults.ts";
import { stableId } from "./ids.ts";
import { newPrice, newProduct } from "./objects/catalogue-objects.ts";
import { newWebhookEndpoint } from "./objects/webhook-endpoint-objects.ts";
import { Persistence } from "./persistence.ts";
import { balanceRoutes } from "./resources/balance.ts";
import { billingPortalRoutes } from "./resources/billing-portal.ts";
import { catalogueRoutes } from "./resources/catalogue.ts";
import { chargeRoutes } from "./resources/charges.ts";
import { checkoutRoutes } from "./resources/checkout-sessions.ts";
import { couponRoutes } from "./resources/coupons.ts";
import { taxRateRoutes } from "./resources/tax-rates.ts";
import { creditNoteRoutes } from "./resources/credit-notes.ts";
import { customerBalanceRoutes } from "./resources/customer-balance.ts";
import { customerRoutes } from "./resources/customers.ts";
import { discountRoutes } from "./resources/discounts.ts";
import { disputeRoutes } from "./resources/disputes.ts";
import { earlyFraudWarningRoutes } from "./resources/early-fraud-warnings.ts";
import { eventRoutes } from "./resources/events.ts";
import { invoiceItemRoutes } from "./resources/invoice-items.ts";
import { invoiceRoutes } from "./resources/invoices.ts";
import { manualInvoiceRoutes } from "./resources/manual-invoices.ts";
import { paymentIntentRoutes } from "./resources/payment-intents.ts";
import { paymentMethodRoutes } from "./resources/payment-methods.ts";
import { searchRoutes } from "./resources/search.ts";
import { setupIntentRoutes } from "./resources/setup-intents.ts";
import { subscriptionItemRoutes } from "./resources/subscription-items.ts";
import { subscriptionScheduleRoutes } from "./resources/subscription-schedules.ts";
import { subscriptionRoutes } from "./resources/subscriptions.ts";
import { testClockRoutes } from "./resources/test-clocks.ts";
import { tokenRoutes } from "./resources/tokens.ts";
import { webhookEndpointRoutes } from "./resources/webhook-endpoints.ts";
import { SandboxState } from "./sandbox-state.ts";

/** How often due work is done between API calls. */
const dueWorkIntervalMs = 30_000;

/** A recurring price to sell. */
export interface SandboxPrice {
  id: string;
  productName: string;
  /** Minor units. */
  amountPence: number;
  currency: string;
  interval: Interval;
}

export interface SandboxOptions {
  /** Loopback port of the API; a free one when absent. */
  port?: number;
  /** JSON file that keeps the state across restarts; memory only when absent. */
  dataFile?: string;
  /** Where events are sent; they are only recorded when absent. */
  webhookUrl?: string;
  webhookSecret: string;
  secretKey: string;
  publishableKey: string;
  /** Browser-visible base of `app`, such as http://127.0.0.1:3000/sandbox/stripe. */
  publicBase: string;
  prices: SandboxPrice[];
  log?: SandboxLog;
}

/** Shows where events are sent now, whatever a data file says. */
function seedWebhookEndpoint(state: SandboxState, url: string | undefined): void {
  const { webhookEndpoints } = state.tables;
  webhookEndpoints.clear();
  if (url === undefined) return;
  const endpoint = newWebhookEndpoint(url, state.now());
  webhookEndpoints.set(endpoint.id, endpoint);
}

export interface Sandbox {
  /** http://127.0.0.1:<port>, for the server library's host, port and protocol. */
  apiBase: string;
  /** Browser-facing routes, to be mounted at `publicBase`. The API listener serves them too. */
  app: Hono;
  control: SandboxControl;
  /** Stops deliveries, connections and timers, and saves the state. */
  stop: () => Promise<void>;
}

const silentLog: SandboxLog = { debug: () => undefined, warn: () => undefined };

/** All endpoints of the API. */
export const apiRoutes = [
  // Before what reads an object by its id, which "search" is not.
  ...searchRoutes,
  ...customerRoutes,
  ...customerBalanceRoutes,
  ...discountRoutes,
  ...paymentMethodRoutes,
  ...tokenRoutes,
  ...catalogueRoutes,
  ...couponRoutes,
  ...taxRateRoutes,
  ...subscriptionItemRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
  ...invoiceRoutes,
  ...manualInvoiceRoutes,
  ...invoiceItemRoutes,
  ...creditNoteRoutes,
  ...checkoutRoutes,
  ...billingPortalRoutes,
  ...paymentIntentRoutes,
  ...setupIntentRoutes,
  ...chargeRoutes,
  ...disputeRoutes,
  ...earlyFraudWarningRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
  ...testClockRoutes,
  ...balanceRoutes,
];

/** Writes the configured prices and their products, replacing earlier ones with the same id. */
function seedCatalogue(state: SandboxState, prices: SandboxPrice[]): void {
  for (const entry of prices) {
    const product = stableId("prod", entry.id);
    const existing = state.find("prices", entry.id);
    const created = existing?.created ?? state.now();
    state.put(
      "products",
      newProduct(product, entry.productName, created, { default_price: entry.id }),
    );
    const price = newPrice(
      {
        id: entry.id,
        product,
        unitAmount: entry.amountPence,
        currency: entry.currency,
        recurring: { interval: entry.interval, intervalCount: 1 },
        nickname: null,
        lookupKey: null,
        taxBehavior: "inclusive",
        metadata: {},
        active: true,
      },
      created,
    );
    state.put("prices", price);
  }
}

/** Starts the sandbox on a loopback port. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? silentLog;
  const state = new SandboxState(options.publicBase);
  const persistence = new Persistence(state, options.dataFile);
  persistence.load();
  const seed = () => {
    seedCatalogue(state, options.prices);
    seedWebhookEndpoint(state, options.webhookUrl);
  };
  seed();
  const stopping = new AbortController();
  const saveInBackground = () => {
    persistence.save().catch((cause: unknown) => {
      log.warn({ error: String(cause) }, "card sandbox could not save its state");
    });
  };
  const webhook = new WebhookSender(state, {
    url: options.webhookUrl,
    secret: options.webhookSecret,
    log,
    onChange: saveInBackground,
  });
  state.onEvent = () => webhook.wake();
  const faults = new NetworkFaults();
  const secretKeys = new SecretKeys(options.secretKey);
  const api: ApiOptions = {
    state,
    routes: apiRoutes,
    responses: new IdempotentResponses(state),
    faults,
    secretKeys,
    publishableKey: options.publishableKey,
    log,
    stopping: stopping.signal,
    save: () => persistence.save(),
  };
  const save = () => persistence.save();
  const control = createControl({ state, webhook, faults, secretKeys, seed, save });
  const app = new Hono();
  app.route("/", createBrowserApp(state, save));
  app.route("/", createApi(api, true));
  app.route("/control", createControlApp(control, secretKeys));
  const listener = new Hono();
  listener.use("/v1/*", anyOrigin);
  listener.route("/", createApi(api, false));
  listener.route("/", app);
  const server = await listen(listener, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  webhook.wake();
  const timer = setInterval(() => {
    if (runDueWork(state) > 0) saveInBackground();
  }, dueWorkIntervalMs);
  timer.unref();
  return {
    app,
    control,
    apiBase: `http://127.0.0.1:${port}`,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await webhook.stop();
      await close(server);
      await persistence.save();
    },
  };
}

function listen(app: Hono, port: number): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const options = { hostname: "127.0.0.1", port, overrideGlobalObjects: false };
    const server = serve({ ...options, fetch: app.fetch }, () => {
      server.off("error", reject);
      resolve(server);
    });
    server.once("error", reject);
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
}
