// Serves `/rest/v1`: takes requests through parsing, planning, SQL and a transaction, with PostgREST's errors.

import { Hono } from "hono";
import pg from "pg";
import type { HostContext } from "../context.ts";
import { InvalidToken, type Caller } from "../keys.ts";
import { ambiguousRelationshipError, ambiguousRoutineError } from "./response/ambiguity-errors.ts";
import { markWritten } from "../limits/note-writes.ts";
import { SchemaCacheStore } from "./schema-cache/schema-cache-store.ts";
import type { SchemaCache } from "./schema-cache/model.ts";
import { isPreflight } from "../http/preflight.ts";
import { allowAnyOrigin, buildPreflightResponse } from "./response/cors.ts";
import { isStaleSchemaError, RestError } from "./errors.ts";
import { toRestError } from "./execute/database-errors.ts";
import { runTransaction } from "./execute/transaction.ts";
import { transactionSettings } from "./execute/transaction-settings.ts";
import { buildOptionsResponse } from "./response/options.ts";
import { assertAnonymousPatterns } from "./parse/pattern-limits.ts";
import { AmbiguousRelationship } from "./plan/find-relationship.ts";
import { AmbiguousRoutine } from "./plan/find-routine.ts";
import { RequestCache } from "./request-cache.ts";
import { withKnownTimezone, type Preferences } from "./request/prefer.ts";
import type { ApiRequest } from "./request/read-request.ts";
import { buildResponse, buildErrorResponse } from "./response/build-response.ts";
import { askReplica, mayLag, type ReplicaReads } from "./replica-reads.ts";
import { readRestSettings } from "./settings.ts";

const mountPath = "/rest/v1";
/** Bytes of a result row besides the body: the headers that functions set. */
const headerRoomBytes = 1024 * 1024;

/** The response to an invalid key or token. */
function unauthorized(error: InvalidToken): RestError {
  return new RestError(401, error.isAboutClaims ? "PGRST303" : "PGRST301", error.message, {
    headers: {
      "www-authenticate": `Bearer error="invalid_token", error_description=${JSON.stringify(error.message)}`,
    },
  });
}

/**
 * Tables, views and functions of the project's database over HTTP, as PostgREST serves them.
 * Every request runs as the caller's role in its own transaction, so that grants and row-level security decide what it
 * may do. This part only resolves names, writes SQL and reads its result.
 */
export function createRestApp(
  context: HostContext,
  replicaReads: ReplicaReads = new Set<string>(),
): Hono {
  const { db, keys, log } = context;
  const settings = readRestSettings(context.project, context.config.maxAnswerBytes);
  const schemaCacheStore = new SchemaCacheStore(db, settings, log);
  const requestCache = new RequestCache(settings);

  async function requireDatabase<T>(load: () => Promise<T>): Promise<T> {
    try {
      return await load();
    } catch {
      throw new RestError(
        503,
        "PGRST002",
        "Could not query the database for the schema cache. Retrying.",
      );
    }
  }

  async function knownPreferences(preferences: Preferences): Promise<Preferences> {
    if (preferences.timezone === undefined) return preferences;
    const load = async () => await schemaCacheStore.timezones();
    return withKnownTimezone(preferences, await requireDatabase(load));
  }

  async function execute(
    received: ApiRequest,
    caller: Caller,
    schemaCache: SchemaCache,
    signal: AbortSignal,
  ) {
    if (caller.role === "anon") assertAnonymousPatterns(received.query.patterns);
    const preferences = await knownPreferences(received.preferences);
    const request = { ...received, preferences };
    const plan = requestCache.plan(request, {
      schemaCache,
      settings,
      bypassesRls: schemaCache.roles.get(caller.role)?.bypassesRls === true,
    });
    const info = { ...request, timezone: request.preferences.timezone };
    const transaction = {
      ...plan,
      signal,
      maxRowBytes: settings.maxAnswerBytes + headerRoomBytes,
      planKey: `${caller.role} ${schemaCache.fingerprint}`,
      settings: transactionSettings(caller, info, schemaCache, settings, plan.routine),
      preRequest: schemaCache.api.preRequest,
      isolation: plan.isolation ?? schemaCache.roles.get(caller.role)?.isolation,
    };
    const { replica } = db;
    const asksReplica =
      replica !== undefined && mayLag(plan, replicaReads, settings.schemas[0] ?? "public");
    try {
      const lagging = asksReplica
        ? await askReplica(replica, caller, request.headers, transaction)
        : undefined;
      const result = lagging ?? (await runTransaction(db.poolOf(caller), transaction));
      const response = buildResponse(request, plan, result, schemaCache.api.choosesEnd);
      if (replica !== undefined && !plan.readOnly) markWritten(replica, caller, response.headers);
      return response;
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw toRestError(error, caller.role !== "anon");
      throw error;
    }
  }

  async function asRestError(error: unknown, caller: Caller | undefined): Promise<RestError> {
    if (error instanceof RestError) return error;
    if (error instanceof InvalidToken) return unauthorized(error);
    const role = caller?.role ?? "anon";
    if (error instanceof AmbiguousRelationship)
      return await ambiguousRelationshipError(error, db.lookups, role);
    if (error instanceof AmbiguousRoutine)
      return await ambiguousRoutineError(error, db.lookups, role);
    log.error({ err: error }, "a REST request failed");
    return new RestError(500, "PGRSTX00", "Internal error");
  }

  async function handle(raw: Request, address: URL): Promise<Response> {
    // Taken from the URL itself, because the router's path is already decoded once.
    const path = address.pathname.slice(mountPath.length);
    let caller: Caller | undefined;
    try {
      caller = await keys.resolveCaller(raw);
      if (raw.method === "OPTIONS") {
        return buildOptionsResponse(
          raw,
          path,
          settings,
          await requireDatabase(async () => await schemaCacheStore.get()),
        );
      }
      const request = await requestCache.read(raw, path, address);
      const schemaCache = await requireDatabase(async () => await schemaCacheStore.get());
      const { signal } = raw;
      try {
        return await execute(request, caller, schemaCache, signal);
      } catch (error) {
        if (!isStaleSchemaError(error)) throw error;
        const newer = await requireDatabase(async () => await schemaCacheStore.refresh());
        // The failed attempt was rolled back or never sent, so nothing is done twice.
        if (newer === schemaCache) throw error;
        return await execute(request, caller, newer, signal);
      }
    } catch (error) {
      const translated = await asRestError(error, caller).catch(
        () => new RestError(503, "PGRST000", "Database connection error."),
      );
      return buildErrorResponse(translated, raw.method === "HEAD");
    }
  }

  const app = new Hono();
  app.all("*", async (c) => {
    const raw = c.req.raw;
    if (isPreflight(raw)) return buildPreflightResponse(raw);
    const response = await handle(raw, new URL(raw.url));
    allowAnyOrigin(response.headers);
    return response;
  });
  return app;
}
