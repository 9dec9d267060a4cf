import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { pino, type Logger } from "pino";
import { createAuthApp } from "./auth/app.ts";
import { openIssuers } from "./auth/issuers.ts";
import { BootError, readHostConfig, type HostConfig } from "./config.ts";
import type { HostContext } from "./context.ts";
import { createFunctionsApp } from "./functions/app.ts";
import { startSchedules } from "./functions/schedules.ts";
import { health } from "./health.ts";
import { Keys } from "./keys.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { openPostgres, type OpenPostgres } from "./postgres/open-postgres.ts";
import { openProject } from "./project.ts";
import { createRealtime, type Realtime } from "./realtime/realtime.ts";
import { requestLog } from "./request-log.ts";
import { createRestApp } from "./rest/app.ts";
import { loadSecrets } from "./secrets.ts";
import { createStaticApp } from "./static/app.ts";
import { createStorageApp } from "./storage/app.ts";

const DRAIN_TIMEOUT_MS = 10_000;

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
  /** False leaves the project's scheduled functions to whoever calls them. */
  runSchedules?: boolean;
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

function starting(): Response {
  return Response.json(
    { message: "The host is starting." },
    { status: 503, headers: { "retry-after": "1" } },
  );
}

async function listen(server: Server, config: HostConfig): Promise<number> {
  return await new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const where = `${config.host}:${config.port}`;
      const reason =
        error.code === "EADDRINUSE"
          ? `Port ${config.port} is already in use; stop the other program or set PORT.`
          : `The host cannot listen on ${where}: ${error.message}`;
      reject(new BootError(reason));
    });
    server.listen(config.port, config.host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : config.port);
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}

/**
 * Starts a host over a `supabase/` folder: database, API, functions and, where given, a web app.
 * The port is taken first, so that a second start ends before it touches any data.
 * @throws {BootError} with a sentence for the operator; nothing is left running.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const config = readHostConfig(options.env);
  const log = options.log ?? pino({ level: options.env["LOG_LEVEL"] ?? "info" });
  let fetch: Fetch = starting;
  // The platform's own Request, so that what handlers get is what Deno would give them.
  const listener = getRequestListener(async (request, env) => await fetch(request, env), {
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  const port = await listen(server, config);
  let realtime: Realtime | undefined;
  server.on("upgrade", (request, socket, head) => {
    if (realtime?.upgrade(request, socket, head) === true) return;
    // An ordinary handler cannot answer what wants to become another protocol.
    const status = realtime === undefined ? "503 Service Unavailable" : "404 Not Found";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
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
    const keys = await Keys.create({ ...config, jwtSecret, issuers, now: Date.now });
    const context: HostContext = {
      config,
      publicUrl,
      localUrl: local,
      db: postgres.db,
      keys,
      log,
      mailer: await createMailer(config),
      project,
      now: Date.now,
    };
    parts = (await options.parts?.(context)) ?? {};
    const functionEnv = {
      ...parts.functionEnv,
      SUPABASE_URL: local,
      SUPABASE_ANON_KEY: keys.api.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: keys.api.serviceRoleKey,
    };
    const app = new Hono();
    app.use(requestLog(log));
    app.route("/", health(context));
    app.route("/auth/v1", createAuthApp(context));
    app.route("/rest/v1", createRestApp(context));
    app.route("/storage/v1", createStorageApp(context));
    app.route("/functions/v1", createFunctionsApp(context, functionEnv));
    const opened = createRealtime(context);
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
        await schedules?.stop();
        await opened.stop();
        await closeServer(server);
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
