import { Hono } from "hono";
import pg from "pg";
import type { HostContext } from "../context.ts";
import { InvalidToken, type Caller } from "../keys.ts";
import { ambiguousLink, ambiguousRoutine } from "./response/ambiguity-errors.ts";
import { CatalogueCache } from "./schema-cache/schema-cache-store.ts";
import type { Catalogue } from "./schema-cache/model.ts";
import { allowAnyOrigin, answerPreflight, isPreflight } from "./response/cors.ts";
import { mayBeStale, RestError } from "./errors.ts";
import { answerTo } from "./execute/database-errors.ts";
import { runWork } from "./execute/transaction.ts";
import { sessionSettings } from "./execute/transaction-settings.ts";
import { answerOptions } from "./response/options.ts";
import { assertForStrangers } from "./parse/pattern-limits.ts";
import { AmbiguousLink } from "./plan/find-relationship.ts";
import { AmbiguousRoutine } from "./plan/find-routine.ts";
import { RememberedRequests } from "./request-cache.ts";
import type { ApiRequest } from "./request/read-request.ts";
import { respond, respondError } from "./response/respond.ts";
import { readRestSettings } from "./settings.ts";

const PREFIX = "/rest/v1";
/** Bytes of a row of Postgres beside the answer: what functions set as headers. */
const headerRoomBytes = 1024 * 1024;

/** The answer to a caller whose key or token is not good. */
function unauthorised(error: InvalidToken): RestError {
  const expired = error.message === "JWT expired";
  return new RestError(401, expired ? "PGRST303" : "PGRST301", error.message, {
    headers: {
      "www-authenticate": `Bearer error="invalid_token", error_description=${JSON.stringify(error.message)}`,
    },
  });
}

/**
 * Tables, views and functions of the project's database over HTTP, as PostgREST serves them.
 * Every request runs as the caller's role in a transaction of its own, so that grants and row-level security
 * decide; this part only finds names, writes SQL and reads its result.
 */
export function createRestApp(context: HostContext): Hono {
  const { db, keys, log } = context;
  const settings = readRestSettings(context.project, context.config.maxAnswerBytes);
  const cache = new CatalogueCache(db, settings, log);
  const remembered = new RememberedRequests(settings);

  async function catalogueNow(load: () => Promise<Catalogue>): Promise<Catalogue> {
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

  async function execute(
    request: ApiRequest,
    caller: Caller,
    catalogue: Catalogue,
    signal: AbortSignal,
  ) {
    if (caller.role === "anon") assertForStrangers(request.query.patterns);
    const prepared = remembered.prepare(request, {
      catalogue,
      settings,
      bypassesRls: catalogue.roles.get(caller.role)?.bypassesRls === true,
    });
    const facts = { ...request, timezone: request.preferences.timezone };
    const work = {
      ...prepared,
      signal,
      maxRowBytes: settings.maxAnswerBytes + headerRoomBytes,
      planKey: `${caller.role} ${catalogue.fingerprint}`,
      settings: sessionSettings(caller, facts, catalogue, settings, prepared.routine),
      preRequest: catalogue.api.preRequest,
      isolation: prepared.isolation ?? catalogue.roles.get(caller.role)?.isolation,
    };
    try {
      return respond(request, prepared, await runWork(db.poolOf(caller), work));
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw answerTo(error, caller.role !== "anon");
      throw error;
    }
  }

  async function translate(error: unknown, caller: Caller | undefined): Promise<RestError> {
    if (error instanceof RestError) return error;
    if (error instanceof InvalidToken) return unauthorised(error);
    const role = caller?.role ?? "anon";
    if (error instanceof AmbiguousLink) return await ambiguousLink(error, db.lookups, role);
    if (error instanceof AmbiguousRoutine) return await ambiguousRoutine(error, db.lookups, role);
    log.error({ err: error }, "a REST request failed");
    return new RestError(500, "PGRSTX00", "Internal error");
  }

  async function answer(raw: Request, address: URL): Promise<Response> {
    // Taken from the address itself: the router's path is already decoded once.
    const path = address.pathname.slice(PREFIX.length);
    let caller: Caller | undefined;
    try {
      caller = await keys.resolveCaller(raw);
      if (raw.method === "OPTIONS") {
        return answerOptions(
          raw,
          path,
          settings,
          await catalogueNow(async () => await cache.get()),
        );
      }
      const request = await remembered.read(raw, path, address.searchParams);
      const catalogue = await catalogueNow(async () => await cache.get());
      const { signal } = raw;
      try {
        return await execute(request, caller, catalogue, signal);
      } catch (error) {
        if (!mayBeStale(error)) throw error;
        const newer = await catalogueNow(async () => await cache.refresh());
        // What failed was rolled back or never sent, so nothing is done twice.
        if (newer === catalogue) throw error;
        return await execute(request, caller, newer, signal);
      }
    } catch (error) {
      const translated = await translate(error, caller).catch(
        () => new RestError(503, "PGRST000", "Database connection error."),
      );
      return respondError(translated, raw.method === "HEAD");
    }
  }

  const app = new Hono();
  app.all("*", async (c) => {
    const raw = c.req.raw;
    if (isPreflight(raw)) return answerPreflight(raw);
    const response = await answer(raw, new URL(raw.url));
    allowAnyOrigin(response.headers);
    return response;
  });
  return app;
}
