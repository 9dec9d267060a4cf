import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { doDueWork } from "./billing/due-work.ts";
import { createBrowserApp } from "./browser-app.ts";
import type { Interval } from "./clock.ts";
import { createControl, type SandboxControl } from "./control.ts";
import { createControlApp } from "./control-routes.ts";
import { Webhook, type SandboxLog } from "./delivery/webhook.ts";
import { createApi, type ApiParts } from "./http/api.ts";
import { IdempotentAnswers } from "./http/idempotency.ts";
import { NetworkFaults } from "./http/network-faults.ts";
import { stableId } from "./ids.ts";
import { newPrice, newProduct } from "./objects/catalogue-objects.ts";
import { Persistence } from "./persistence.ts";
import { catalogueRoutes } from "./resources/catalogue.ts";
import { chargeRoutes } from "./resources/charges.ts";
import { customerRoutes } from "./resources/customers.ts";
import { disputeRoutes } from "./resources/disputes.ts";
import { eventRoutes } from "./resources/events.ts";
import { invoiceRoutes } from "./resources/invoices.ts";
import { paymentIntentRoutes } from "./resources/payment-intents.ts";
import { paymentMethodRoutes } from "./resources/payment-methods.ts";
import { subscriptionItemRoutes } from "./resources/subscription-items.ts";
import { subscriptionRoutes } from "./resources/subscriptions.ts";
import { tokenRoutes } from "./resources/tokens.ts";
import { World } from "./world.ts";

/** How often due work is looked for when nobody asks the API. */
const DUE_WORK_EVERY_MS = 30_000;

interface SandboxPrice {
  id: string;
  productName: string;
  /** Minor units. */
  amountPence: number;
  currency: string;
  interval: Interval;
}

export interface SandboxOptions {
  /** JSON file that keeps everything over restarts; memory only when absent. */
  dataFile?: string;
  /** Where events are posted; they are only kept when absent. */
  webhookUrl?: string;
  webhookSecret: string;
  secretKey: string;
  publishableKey: string;
  /** Browser-visible base of `app`, such as http://127.0.0.1:3000/sandbox/stripe. */
  publicBase: string;
  prices: SandboxPrice[];
  log?: SandboxLog;
}

export interface Sandbox {
  /** http://127.0.0.1:<port>, for the server library's host, port and protocol. */
  apiBase: string;
  /** Browser-facing routes, to be mounted where `publicBase` points; the API listener serves them too. */
  app: Hono;
  control: SandboxControl;
  /** Ends deliveries and connections, keeps the state and leaves no timer. */
  stop: () => Promise<void>;
}

const QUIET: SandboxLog = { debug: () => undefined, warn: () => undefined };

const ROUTES = [
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...tokenRoutes,
  ...catalogueRoutes,
  ...subscriptionItemRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...disputeRoutes,
  ...eventRoutes,
];

/** Puts the configured prices into the catalogue; what is sold under an id follows the configuration. */
function stockCatalogue(world: World, prices: SandboxPrice[]): void {
  for (const entry of prices) {
    const product = stableId("prod", entry.id);
    const held = world.find("prices", entry.id);
    const created = held?.created ?? world.now();
    world.put(
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
        metadata: {},
        active: true,
      },
      created,
    );
    world.put("prices", price);
  }
}

/** Starts the offline card provider on a free loopback port. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? QUIET;
  const world = new World(options.publicBase);
  const persistence = new Persistence(world, options.dataFile);
  persistence.load();
  stockCatalogue(world, options.prices);
  const stopping = new AbortController();
  const keep = () => {
    persistence.save().catch((cause: unknown) => {
      log.warn({ error: String(cause) }, "card sandbox could not keep its state");
    });
  };
  const webhook = new Webhook(world, {
    url: options.webhookUrl,
    secret: options.webhookSecret,
    log,
    onChange: keep,
  });
  world.onEvent = () => webhook.wake();
  const faults = new NetworkFaults();
  const parts: ApiParts = {
    world,
    routes: ROUTES,
    answers: new IdempotentAnswers(world),
    faults,
    secretKey: options.secretKey,
    publishableKey: options.publishableKey,
    log,
    stopping: stopping.signal,
    save: () => persistence.save(),
  };
  const save = () => persistence.save();
  const stock = () => stockCatalogue(world, options.prices);
  const control = createControl({ world, webhook, faults, stock, save });
  const app = new Hono();
  app.route("/", createBrowserApp(world, save));
  app.route("/", createApi(parts, true));
  app.route("/control", createControlApp(control, options.secretKey));
  const listener = new Hono();
  listener.route("/", createApi(parts, false));
  listener.route("/", app);
  const server = await listen(listener);
  const { port } = server.address() as AddressInfo;
  webhook.wake();
  const timer = setInterval(() => {
    if (doDueWork(world) > 0) keep();
  }, DUE_WORK_EVERY_MS);
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

function listen(app: Hono): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => {
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
