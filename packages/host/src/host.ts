// Starts a whole host (port, database, services, schedules) and mounts all routes on one Hono app.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { pino, type Logger } from "pino";
import { startBackups } from "./backup/backup-schedule.ts";
import { createAuthApp } from "./auth/app.ts";
import type { AuthRateLimitOverrides } from "./auth/settings.ts";
import { loadIssuers } from "./auth/known-issuers.ts";
import { isProxy, clientNetworkOfUpgrade } from "./limits/client-address.ts";
import { readHostConfig } from "./config.ts";
import type { HostContext } from "./context.ts";
import type { HostExtensions } from "./host-extensions.ts";
import { createFunctionsApp } from "./functions/app.ts";
import { captureConsole } from "./functions/function-console.ts";
import { functionVariables } from "./functions/function-variables.ts";
import { startSchedules } from "./functions/schedules.ts";
import { JobHealth } from "./functions/job-health.ts";
import { diskCheck } from "./health/disk-check.ts";
import { createHealth, healthRoutes, type Health } from "./health/health.ts";
import type { HealthChecks } from "./health/health-check.ts";
import { logHealth } from "./health/health-log.ts";
import { defaultHttpLimits, type HttpLimits } from "./http/http-limits.ts";
import { closeServer, listen } from "./http/listen.ts";
import { sendHttpErrorToSocket } from "./http/http-error.ts";
import { createHttpServer } from "./http/server.ts";
import { startingError, startingResponse } from "./http/starting-response.ts";
import { Keys } from "./keys.ts";
import { limitRequests } from "./limits/limit-requests.ts";
import { withOverrides, type LimitOverrides } from "./limits/limits.ts";
import { noteWrites } from "./limits/note-writes.ts";
import { RequestLimiter } from "./limits/request-limiter.ts";
import { limitUpgrade } from "./limits/limit-upgrades.ts";
import { warnOfUnnamedProxy } from "./limits/unnamed-proxy.ts";
import { countFailures } from "./mail/count-failures.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { openPostgres, type OpenPostgres } from "./postgres/open-postgres.ts";
import { metricsOf, routesOf, type Metrics } from "./metrics/metrics.ts";
import {
  hasToken,
  listenForMetrics,
  metricsRoutes,
  type MetricsServer,
} from "./metrics/metrics-routes.ts";
import { warnOfIgnored } from "./warn-of-ignored.ts";
import { openProject } from "./project.ts";
import type { RealtimeLimits } from "./realtime/limits/realtime-limits.ts";
import { createRealtime, type Realtime } from "./realtime/server/realtime.ts";
import { requestLog } from "./request-log.ts";
import { createRestApp } from "./rest/app.ts";
import { readReplicaReads, type ReplicaReads } from "./rest/replica-reads.ts";
import { resolveSecrets } from "./secrets.ts";
import { loadSigningKeys } from "./signing-keys.ts";
import { openSharing } from "./shared-by-hosts.ts";
import { createStaticApp } from "./static/app.ts";
import { staticHeaders } from "./static/page-headers.ts";
import { openTracing, traceRequests } from "./tracing/tracing.ts";
import { createStorageApp } from "./storage/app.ts";
import type { BlobStore } from "./storage/blob-store.ts";
import { openOwnBlobStore } from "./storage/open-blob-store.ts";

/** As long as a load balancer takes that asks every second and believes the second answer, as docs/deploy.md has it. */
const leaveMs = 2500;

/** Options of {@link openHost}. */
export interface HostOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder that holds `supabase/`. */
  root: string;
  /** Built web app to serve; none when undefined. */
  staticFolder?: string;
  extensions?: (context: HostContext) => Promise<HostExtensions>;
  /** HTTP server limits that replace the defaults. */
  httpLimits?: Partial<HttpLimits>;
  /** False starts neither the project's scheduled functions nor backups. */
  runSchedules?: boolean;
  /** Limits that replace those read from the environment. */
  limits?: LimitOverrides;
  /** Limits that replace those of `[auth.rate_limit]` in config.toml, such as for tests whose accounts share one address. */
  authRateLimits?: AuthRateLimitOverrides | undefined;
  /** The clock, in milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds in a second between scheduled calls and looks at health; tests shorten it. */
  secondMs?: number;
  /** Realtime limits that replace the defaults, such as for a load test from one address. */
  realtimeLimits?: Partial<RealtimeLimits>;
  log?: Logger;
}

/** A running host. */
export interface Host {
  url: string;
  context: HostContext;
  /** Port of `/metrics` on this machine; undefined without METRICS_PORT. */
  metricsPort: number | undefined;
  /** The state of every part, as `/readyz?verbose` tells it. */
  checks: () => Promise<HealthChecks>;
  /** True when this start created the database. */
  isNew: boolean;
  /** Resolves with the reason when the embedded database server has ended: this host cannot serve any more. */
  databaseLost: Promise<string>;
  /**
   * Where other hosts serve the same database: says at `/readyz` that this one is stopping, and resolves when load balancers have
   * asked. Requests are answered meanwhile. Resolves at once where there is no other.
   */
  leave: () => Promise<void>;
  /** Waits for running requests, then closes everything this host opened. */
  stop: () => Promise<void>;
}

/** `env` carries the Node.js socket, from which the client's address is read. */
type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

/** Keeps tokens, accounts and rows out of the caches of browsers and proxies, unless the answer itself allows them. */
const refuseStorage: MiddlewareHandler = async (c, next) => {
  await next();
  // `c.header` would make a second response, around the stream of the first one's body.
  const { headers } = c.res;
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
};

/** Every route of the host, in the order in which they are tried. */
function createApp(
  context: HostContext,
  parts: {
    readonly limiter: RequestLimiter;
    readonly functionEnv: Record<string, string>;
    readonly realtime: Realtime;
    readonly extensions: HostExtensions;
    readonly health: Health;
    readonly metrics: Metrics | undefined;
    readonly blobs: BlobStore;
    readonly replicaReads: ReplicaReads;
  },
  {
    authRateLimits,
    env,
    staticFolder,
  }: Pick<HostOptions, "authRateLimits" | "env" | "staticFolder">,
): Hono {
  const { limiter, functionEnv, realtime, extensions } = parts;
  const app = new Hono();
  app.use(requestLog(context.log));
  if (context.config.tracing) app.use(traceRequests(routesOf(context.project)));
  if (parts.metrics) app.use(parts.metrics.countRequests);
  app.use(warnOfUnnamedProxy(context.log, context.config.trustedProxy));
  const { metricsToken } = context.config;
  app.route(
    "/",
    healthRoutes(parts.health, (request) => hasToken(request, metricsToken)),
  );
  if (parts.metrics && metricsToken !== undefined)
    app.route("/", metricsRoutes(parts.metrics, metricsToken));
  for (const service of ["auth", "rest", "storage", "functions"] as const) {
    app.use(`/${service}/v1/*`, limitRequests(context, limiter, service));
  }
  if (context.db.replica !== undefined) {
    for (const service of ["auth", "storage", "functions"] as const)
      app.use(`/${service}/v1/*`, noteWrites(context));
  }
  for (const service of ["auth", "rest"] as const) app.use(`/${service}/v1/*`, refuseStorage);
  const auth = createAuthApp(context, {
    env,
    standIns: extensions.signInStandIns,
    rateLimits: authRateLimits,
    servesSite: staticFolder !== undefined,
  });
  app.route("/auth/v1", auth.app);
  app.route("/rest/v1", createRestApp(context, parts.replicaReads));
  app.route("/storage/v1", createStorageApp(context, parts.blobs));
  app.route("/functions/v1", createFunctionsApp(context, functionEnv));
  app.route("/realtime/v1", realtime.app);
  extensions.addRoutes?.(app, {
    limitRequests: limitRequests(context, limiter, "functions"),
    fileHeaders: staticHeaders(context, {}).all,
  });
  app.route("/", createStaticApp(context, { ...extensions, staticFolder, signIn: auth.signIn }));
  return app;
}

/**
 * What `startHost` of `start-host.ts`, the package's door to it, calls.
 * Binds the port first, so that a second start fails before it touches any data.
 * @throws {BootError} with a message for the operator; nothing is left running.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const read = readHostConfig(options.env);
  const config = { ...read, limits: withOverrides(read.limits, options.limits) };
  const now = options.now ?? Date.now;
  const limiter = new RequestLimiter(config.limits.requests, now);
  const log = options.log ?? pino({ level: options.env["LOG_LEVEL"] ?? "info" });
  captureConsole();
  let fetch: Fetch = startingResponse;
  // Handlers get the platform's own Request, as they would under Deno.
  const listener = getRequestListener(async (request, env) => await fetch(request, env), {
    overrideGlobalObjects: false,
    // Of requests by HTTP/1.0, which need not name one, such as a load balancer's. It is no name of this machine.
    hostname: "unnamed.invalid",
  });
  let realtime: Realtime | undefined;
  const server = createHttpServer(
    {
      request: listener,
      upgrade: (request, socket, head) => {
        if (limitUpgrade(request, socket, limiter, config.trustedProxy)) return true;
        if (realtime !== undefined) return realtime.upgrade(request, socket, head);
        sendHttpErrorToSocket(socket, startingError);
        return true;
      },
    },
    {
      log,
      rules: {
        isExempt: (address) => isProxy(address, config.trustedProxy),
        networkOf: (request) => clientNetworkOfUpgrade(request, config.trustedProxy),
        isStreamed: (request) => request.url?.startsWith("/storage/v1/") === true,
      },
      limits: { ...defaultHttpLimits, ...options.httpLimits },
    },
  );
  const port = await listen(server, config.port, config.host);
  const tracing = config.tracing && (await openTracing(config.tracing));
  let postgres: OpenPostgres | undefined;
  let extensions: HostExtensions = {};
  let metricsServer: MetricsServer | undefined;
  let blobs: BlobStore | undefined;
  let made: Realtime | undefined;
  try {
    const project = await openProject(options.root);
    warnOfIgnored(project, options.env, log);
    const signingKeys = await loadSigningKeys(project, options.env);
    const secrets = await resolveSecrets(config);
    const migrations = join(project.folder, "migrations");
    postgres = await openPostgres(config, secrets, migrations, "host", log);
    blobs = await openOwnBlobStore(config, postgres.db.admin, log);
    const local = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
    const publicUrl = config.publicUrl ?? local;
    const issuers = await loadIssuers(postgres.db.admin, publicUrl, log);
    const mailer = countFailures(await createMailer(config));
    const keys = await Keys.create({ ...config, ...secrets, signingKeys, issuers, now });
    const context: HostContext = {
      config,
      publicUrl,
      localUrl: local,
      db: postgres.db,
      authPool: postgres.authPool,
      keys,
      log,
      mailer,
      project,
      now,
    };
    const { close, watch } = postgres;
    const closeStore = blobs.close;
    extensions = (await options.extensions?.(context)) ?? {};
    const functionEnv = { ...extensions.functionEnv, ...functionVariables(context) };
    const sharing = await openSharing(context, limiter);
    const opened = createRealtime(context, options.realtimeLimits, sharing);
    made = opened;
    const backups =
      options.runSchedules === false || config.backups === undefined
        ? undefined
        : startBackups(config.backups, { dataDir: config.dataDir, url: postgres.db.url }, log);
    const jobs = new JobHealth();
    let isLeaving = false;
    const health = createHealth(context, {
      outage: watch.outage,
      isLeaving: () => isLeaving,
      failedBackups: () => backups?.failures(),
      disk: diskCheck(config.dataDir),
      jobs: () => jobs.check(),
      realtime: opened.checks,
      failedMails: mailer.failures,
      programChecks: async () => (await extensions.checks?.()) ?? {},
    });
    const metrics = metricsOf(context, {
      openSockets: opened.openSockets,
      changeFigures: opened.changeFigures,
      failedBackups: () => backups?.failures() ?? 0,
      failedMails: mailer.failures,
      programFigures: async () => (await extensions.figures?.()) ?? [],
    });
    metricsServer = metrics && (await listenForMetrics(metrics, health, config));
    const replicaReads = await readReplicaReads(project);
    const shared = { limiter, functionEnv, realtime: opened, extensions, replicaReads };
    const parts = { ...shared, health, metrics, blobs };
    const app = createApp(context, parts, options);
    const { runSchedules = true, secondMs } = options;
    const schedules = runSchedules
      ? await startSchedules(context, functionEnv, secondMs, (name, succeeded, counts) => {
          jobs.record(name, succeeded, counts);
          metrics?.countRun(name, succeeded, counts);
        })
      : undefined;
    // One that runs no schedules is a test's, or one that only migrates.
    const look = { checks: health.checks, log, secondMs };
    const healthLog = runSchedules ? logHealth(look) : undefined;
    fetch = (request, env) => app.fetch(request, env);
    realtime = opened;
    return {
      url: local,
      context,
      metricsPort: metricsServer?.port,
      checks: health.checks,
      isNew: postgres.isNew,
      databaseLost: watch.lost,
      leave: async () => {
        if (!opened.hasPeers()) return;
        isLeaving = true;
        log.info("this host leaves its requests to the others, then stops");
        await sleep(leaveMs);
      },
      stop: async () => {
        healthLog?.stop();
        await Promise.all([
          schedules?.stop(),
          backups?.stop(),
          opened.stop(),
          closeServer(server),
          metricsServer?.stop(),
        ]);
        await extensions.stop?.();
        await context.mailer.close();
        closeStore();
        await close();
        await tracing?.stop();
      },
    };
  } catch (error) {
    await closeServer(server);
    await tracing?.stop();
    await metricsServer?.stop();
    await made?.stop();
    await extensions.stop?.();
    blobs?.close();
    await postgres?.close();
    throw error;
  }
}
