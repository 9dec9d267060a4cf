// What an embedding program adds to a host: settings for its pages, routes, figures and checks.

import type { Hono, MiddlewareHandler } from "hono";
import type { StandIns } from "./auth/auth-context.ts";
import type { HealthChecks } from "./health/health-check.ts";
import type { ProgramFigure } from "./metrics/metrics.ts";

/** What the host gives to the routes of the embedding program. */
export interface SharedByRoutes {
  /** Counts a request like one to a function, and answers for the route when there are too many. */
  limitRequests: MiddlewareHandler;
  /** Headers of every file of the web app, such as `strict-transport-security`. */
  fileHeaders: Readonly<Record<string, string>>;
}

/** What the embedding program adds once address, keys and database are known. */
export interface HostExtensions {
  /** Fields added to `/config.json`. */
  publicConfig?: Readonly<Record<string, unknown>>;
  /** Sources added to the content security policy of pages, by directive. */
  contentSecurityPolicy?: Readonly<Record<string, readonly string[]>>;
  /** Origins whose frames may use the Payment Request API. */
  paymentFrames?: readonly string[];
  /** Stand-ins for sign-in providers, by name, such as for a demo. */
  signInStandIns?: StandIns;
  /** Environment variables of the project's functions, besides the SUPABASE_ ones. */
  functionEnv?: Readonly<Record<string, string>>;
  /** Adds routes of the embedding program, mounted before the static files. */
  addRoutes?: (app: Hono, shared: SharedByRoutes) => void;
  /** Figures of the embedding program, added to `/metrics` at each scrape. */
  figures?: () => Promise<readonly ProgramFigure[]>;
  /** States of parts of the embedding program, added to `/readyz?verbose`. */
  checks?: () => Promise<HealthChecks>;
  /** Called after the last request, before the database closes. */
  stop?: () => Promise<void>;
}
