import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import {
  type AuthRateLimitOverrides,
  createInboxApp,
  createMailCatcherApp,
  type Host,
  type HostContext,
  type HostExtensions,
  isLoopbackHost,
  startHost,
} from "basehost";
import type { Sandbox } from "card-sandbox";
import { brand } from "../supabase/functions/_shared/product/brand.ts";
import { seedLibrary } from "./content/shipped.ts";
import { createEmailPreviewApp } from "./email-preview.ts";
import { reportHealth } from "./host-reports.ts";
import { landingRenderer, landingSource, readLanding } from "./landing-page.ts";
import { createLinkPreviews, readCode } from "./link-previews.ts";
import { productChecks, productFigures } from "./product-figures.ts";
import { derivedPushKeys } from "./push-keys.ts";
import { providerPages } from "./provider-pages.ts";
import { readProductConfig, type ProductConfig, type StripeKeys } from "./product-config.ts";
import { renderAhead } from "./render-ahead.ts";
import { createSalePages, readOffer, saleRenderer } from "./sale-pages.ts";
import { mountSignInStandIns } from "./sign-in-stand-in/mount.ts";
import { openSandbox, sandboxKeys } from "./sandbox.ts";
import { markDemoInstall, refuseTrialData } from "./trial-data.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const webFolder = join(root, "web", "dist");
/** Where a host shows the pages of its own sandbox. */
const sandboxPath = "/sandbox/stripe";

/** The running product. */
export interface Product {
  url: string;
  host: Host;
  /** The offline card provider; undefined with real keys. */
  sandbox: Sandbox | undefined;
  stripe: StripeKeys;
  /** True when demo accounts exist. */
  demo: boolean;
  stop: () => Promise<void>;
}

/**
 * Refuses requests with another host name: from a tunnel in front of a local install, or from a site whose name
 * resolves to this machine (DNS rebinding).
 */
const onlyForThisMachine: MiddlewareHandler = async (c, next) => {
  const { hostname } = new URL(c.req.url);
  if (!isLoopbackHost(hostname))
    return c.text("This page is for the machine the product runs on.", 403);
  return await next();
};

/** Where functions put e-mail on an install without a mail server. */
const mailCatcherPath = "/dev/mail";

/** What functions need to send e-mail. */
function emailEnv({ config, localUrl, publicUrl }: HostContext): Record<string, string> {
  return {
    SITE_URL: publicUrl,
    // Mail programs call functions from outside, where the address that functions know is not reached.
    PUBLIC_FUNCTIONS_URL: `${publicUrl}/functions/v1`,
    MAIL_FROM: config.mailFrom,
    ...(config.smtpUrl === undefined
      ? { MAIL_CATCHER_URL: `${localUrl}${mailCatcherPath}` }
      : { SMTP_URL: config.smtpUrl }),
  };
}

/** How push services reach the operator: they take no address without TLS. */
function pushSubject(publicUrl: string): string {
  return publicUrl.startsWith("https:") ? publicUrl : `mailto:${brand.supportEmail}`;
}

/** Stores the price ids of the environment in the plans, where checkout reads them. */
async function setPrices(context: HostContext, config: ProductConfig): Promise<void> {
  for (const [plan, price] of Object.entries(config.prices)) {
    await context.db.admin.query("select private.set_plan_price($1, $2)", [plan, price]);
  }
}

/**
 * Starts the host, the web app and, without provider keys, the card-provider sandbox, on one port.
 * @throws {BootError} with a message for the operator; nothing is left running.
 */
export async function startProduct(options: {
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
  /** Folder that holds `supabase/`; another one for tests, such as with other schedules. */
  root?: string;
  /** False for tests, which call the scheduled functions themselves. */
  runSchedules?: boolean;
  /** Replace those of config.toml for tests, whose accounts share one address. */
  authRateLimits?: AuthRateLimitOverrides;
}): Promise<Product> {
  const config = readProductConfig(options.env);
  const { sharedSandbox } = config;
  let sandbox: Sandbox | undefined;
  let stripe = config.stripe;
  const extensions = async (context: HostContext): Promise<HostExtensions> => {
    await refuseTrialData(context);
    await setPrices(context, config);
    await seedLibrary(context.db.admin, options.log);
    const keys = config.stripe ?? sandboxKeys(context.keys);
    stripe = keys;
    const takesRealMoney = config.stripe !== undefined && sharedSandbox === undefined;
    if (!takesRealMoney) await markDemoInstall(context, "card_sandbox");
    if (!config.stripe) sandbox = await openSandbox(context, keys, config.prices);
    const provider = sandbox;
    const apiBase = provider?.apiBase ?? sharedSandbox;
    const { scriptUrl, contentSecurityPolicy, paymentFrames } = providerPages(
      context.publicUrl,
      provider ? `${context.publicUrl}${sandboxPath}` : sharedSandbox,
    );
    let ahead: ReturnType<typeof renderAhead> | undefined;
    const standIns = config.signInStandIns
      ? await mountSignInStandIns(context.publicUrl)
      : undefined;
    const pushKeys = config.pushKeys ?? derivedPushKeys(context.keys);
    return {
      publicConfig: {
        // Not the legacy key: that ends with the JWT secret, and pages stay open for longer.
        supabaseAnonKey: context.keys.api.publishableKey,
        stripePublishableKey: keys.publishableKey,
        stripeScriptUrl: scriptUrl,
        vapidPublicKey: pushKeys.publicKey,
        brand,
      },
      contentSecurityPolicy,
      paymentFrames,
      ...(standIns && { signInStandIns: standIns.settings }),
      functionEnv: {
        STRIPE_SECRET_KEY: keys.secretKey,
        STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
        ...(apiBase === undefined ? {} : { STRIPE_API_BASE: apiBase }),
        ...emailEnv(context),
        ...(config.smtpConnections && { SMTP_CONNECTIONS: config.smtpConnections }),
        VAPID_PUBLIC_KEY: pushKeys.publicKey,
        VAPID_PRIVATE_KEY: pushKeys.privateKey,
        VAPID_SUBJECT: config.pushSubject ?? pushSubject(context.publicUrl),
      },
      addRoutes: (app, shared) => {
        const read = async (slug: string) => await readOffer(context.db.admin, slug);
        const render = saleRenderer(webFolder, context.publicUrl);
        if (options.runSchedules !== false) ahead = renderAhead(context, render);
        app.route("/c", createSalePages(context, shared, read, render));
        const landing = landingSource(
          context,
          async () => await readLanding(context.db.admin),
          landingRenderer(webFolder),
        );
        // So that the first visitor does not wait for it.
        if (options.runSchedules !== false) void landing();
        app.route("/", createLinkPreviews(context, shared, readCode(context.db.admin), landing));
        if (provider) app.route(sandboxPath, provider.app);
        standIns?.addRoutes(app);
        // Caught e-mails hold links that sign in, so the inbox is served to this machine only.
        const { production, host: address, trustedProxy } = context.config;
        const isLocal = !production && isLoopbackHost(address) && trustedProxy === undefined;
        if (isLocal && !context.mailer.delivers) {
          app.use("/dev/*", onlyForThisMachine);
          app.route("/dev", createInboxApp(context.mailer));
          app.route("/dev/emails", createEmailPreviewApp(context.publicUrl, context.db.admin));
        }
        if (!context.mailer.delivers) app.route(mailCatcherPath, createMailCatcherApp(context));
      },
      figures: async () => await productFigures(context),
      checks: async () => await productChecks(context),
      stop: async () => {
        ahead?.stop();
        await provider?.stop();
      },
    };
  };
  const host = await startHost({
    env: options.env,
    root: options.root ?? root,
    staticFolder: webFolder,
    extensions,
    runSchedules: options.runSchedules ?? true,
    authRateLimits: options.authRateLimits,
    log: options.log,
  });
  try {
    const demo = config.demo && (await (await import("./demo/seed.ts")).seedDemo(host, sandbox));
    if (!stripe) throw new Error("the host started without its parts");
    const reports = options.runSchedules === false ? undefined : reportHealth(host);
    const stop = async () => {
      await reports?.stop();
      await host.stop();
    };
    return { url: host.url, host, sandbox, stripe, demo, stop };
  } catch (error) {
    await host.stop();
    throw error;
  }
}
