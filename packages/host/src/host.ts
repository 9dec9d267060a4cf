import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { pino, type Logger } from "pino";
import { createAuthApp } from "./auth/app.ts";
import { openIssuers } from "./auth/issuers.ts";
import { isProxy } from "./limits/client-address.ts";
import { readHostConfig } from "./config.ts";
import type { HostContext } from "./context.ts";
import { createFunctionsApp } from "./functions/app.ts";
import { startSchedules } from "./functions/schedules.ts";
import { health } from "./health.ts";
import { HTTP_LIMITS, type HttpLimits } from "./http/limits.ts";
import { closeServer, listen } from "./http/listen.ts";
import { refuseSocket, type Refusal } from "./http/refuse.ts";
import { createHttpServer } from "./http/server.ts";
import { Keys } from "./keys.ts";
import { limitRequests } from "./limits/limit-requests.ts";
import { withOverrides, type LimitOverrides } from "./limits/limits.ts";
import { RequestBudgets } from "./limits/request-budgets.ts";
import { refuseUpgrade } from "./limits/refuse-upgrade.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { openPostgres, type OpenPostgres } from "./postgres/open-postgres.ts";
import { openProject } from "./project.ts";
import { realtimeDefaults, type RealtimeLimits } from "./realtime/limits/realtime-limits.ts";
import { createRealtime, type Realtime } from "./realtime/server/realtime.ts";
import { requestLog } from "./request-log.ts";
import { createRestApp } from "./rest/app.ts";
import { loadSecrets } from "./secrets.ts";
import { createStaticApp } from "./static/app.ts";
import { createStorageApp } from "./storage/app.ts";

/** What the wiring adds once address, keys and database are known. */
export interface HostParts {
  /** Added to what `/config.json` says. */
  publicConfig?: Readonly<Record<string, unknown>>;
  /** Sources added to the content security policy of pages, by directive. */
  contentSecurityPolicy?: Readonly<Record<string, readonly string[]>>;
  /** Origins whose frames may ask the browser for a payment. */
  paymentFrames?: readonly string[];
  /** Variables the project's functions see besides the SUPABASE_ ones. */
  functionEnv?: Readonly<Record<string, string>>;
  /** Routes of the wiring's own, mounted before the static files. */
  extend?: (app: Hono) => void;
  /** Called after the last request, before the database closes. */
  stop?: () => Promise<void>;
}

/** What whoever starts a host decides. */
export interface HostOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder that holds `supabase/`. */
  root: string;
  /** Built web app to serve; none when undefined. */
  staticFolder?: string;
  parts?: (context: HostContext) => Promise<HostParts>;
  /** Limits of the server and its sockets that differ from the usual ones. */
  httpLimits?: Partial<HttpLimits>;
  /** False leaves the project's scheduled functions to whoever calls them. */
  runSchedules?: boolean;
  /** Limits in place of those of the environment. */
  limits?: LimitOverrides;
  /** The clock, in milliseconds since the epoch. */
  now?: () => number;
  /** Limits of realtime other than the usual ones, such as for a load test from one address. */
  realtimeLimits?: Partial<RealtimeLimits>;
  log?: Logger;
}

/** A host that answers. */
export interface Host {
  url: string;
  context: HostContext;
  /** True when this start made the database. */
  isNew: boolean;
  /** Lets running requests finish, then closes everything this host opened. */
  stop: () => Promise<void>;
}

/** `env` carries the node socket, which is where the caller's address comes from. */
type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

const STARTING: Refusal = {
  status: 503,
  code: "starting",
  message: "The host is starting.",
  headers: { "retry-after": "1" },
};

function starting(): Response {
  const { status, code, message, headers = {} } = STARTING;
  return Response.json({ code, message }, { status, headers });
}

/**
 * Starts a host over a `supabase/` folder: database, API, functions and, where given, a web app.
 * The port is taken first, so that a second start ends before it touches any data.
 * @throws {BootError} with a sentence for the operator; nothing is left running.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const read = readHostConfig(options.env);
  const config = { ...read, limits: withOverrides(read.limits, options.limits) };
  const now = options.now ?? Date.now;
  const budgets = new RequestBudgets(config.limits.requests, now);
  const log = options.log ?? pino({ level: options.env["LOG_LEVEL"] ?? "info" });
  let fetch: Fetch = starting;
  // The platform's own Request, so that what handlers get is what Deno would give them.
  const listener = getRequestListener(async (request, env) => await fetch(request, env), {
    overrideGlobalObjects: false,
  });
  let realtime: Realtime | undefined;
  const server = createHttpServer(
    {
      request: listener,
      upgrade: (request, socket, head) => {
        if (refuseUpgrade(request, socket, budgets, config.trustedProxy)) return true;
        if (realtime !== undefined) return realtime.upgrade(request, socket, head);
        refuseSocket(socket, STARTING);
        return true;
      },
    },
    {
      log,
      isExempt: (address) => isProxy(address, config.trustedProxy),
      limits: { ...HTTP_LIMITS, ...options.httpLimits },
    },
  );
  const port = await listen(server, config.port, config.host);
  let postgres: OpenPostgres | undefined;
  let parts: HostParts = {};
  try {
    const project = await openProject(options.root);
    const secrets = await loadSecrets(config.dataDir);
    const jwtSecret = config.jwtSecret ?? secrets.jwtSecret;
    postgres = await openPostgres(
      config,
      { jwtSecret, databasePassword: secrets.databasePassword },
      join(project.folder, "migrations"),
    );
    const local = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
    const publicUrl = config.publicUrl ?? local;
    const issuers = await openIssuers(postgres.db.admin, publicUrl, log);
    const keys = await Keys.create({ ...config, jwtSecret, issuers, now });
    const context: HostContext = {
      config,
      publicUrl,
      localUrl: local,
      db: postgres.db,
      authPool: postgres.authPool,
      keys,
      log,
      mailer: await createMailer(config),
      project,
      now,
    };
    parts = (await options.parts?.(context)) ?? {};
    const functionEnv = {
      ...parts.functionEnv,
      SUPABASE_URL: local,
      SUPABASE_ANON_KEY: keys.api.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: keys.api.serviceRoleKey,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.api.publishableKey }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.api.secretKey }),
    };
    const app = new Hono();
    app.use(requestLog(log));
    app.route("/", health(context));
    for (const service of ["auth", "rest", "storage", "functions"] as const) {
      app.use(`/${service}/v1/*`, limitRequests(context, budgets, service));
    }
    app.route("/auth/v1", createAuthApp(context));
    app.route("/rest/v1", createRestApp(context));
    app.route("/storage/v1", createStorageApp(context));
    app.route("/functions/v1", createFunctionsApp(context, functionEnv));
    const opened = createRealtime(context, { ...realtimeDefaults, ...options.realtimeLimits });
    app.route("/realtime/v1", opened.app);
    parts.extend?.(app);
    app.route("/", createStaticApp(context, { ...parts, staticFolder: options.staticFolder }));
    const schedules =
      options.runSchedules === false ? undefined : await startSchedules(context, functionEnv);
    fetch = (request, env) => app.fetch(request, env);
    realtime = opened;
    const { close } = postgres;
    return {
      url: local,
      context,
      isNew: postgres.isNew,
      stop: async () => {
        await Promise.all([schedules?.stop(), opened.stop(), closeServer(server)]);
        await parts.stop?.();
        await context.mailer.close();
        await close();
      },
    };
  } catch (error) {
    await closeServer(server);
    await parts.stop?.();
    await postgres?.close();
    throw error;
  }
}
