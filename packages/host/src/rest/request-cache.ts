// Lets GET requests skip parsing and planning when the same one was seen before, no matter who sent it.

import { LRUCache } from "lru-cache";
import type { SchemaCache } from "./schema-cache/model.ts";
import type { ParsedQuery } from "./parse/ast.ts";
import { planAction } from "./plan/plan-action.ts";
import type { ActionPlan, PlanContext } from "./plan/action-plan.ts";
import { readRequest, type ApiRequest } from "./request/read-request.ts";
import type { RestSettings } from "./settings.ts";

/** Most bytes of cached requests, estimated by `requestBytes`. */
const maxBytes = 16 * 1024 * 1024;
/** Characters; a request with a longer key is not cached. */
const maxKeyLength = 2000;
/** Headers that change the meaning of a request without a body. */
const keyHeaders = ["accept", "accept-profile", "prefer", "range"] as const;

/**
 * Estimated heap size of a request and its plan, in bytes, from the length of its key. Measured: 12 kB for the shortest
 * request, and 10 to 24 bytes for each further character.
 */
export function requestBytes(key: string): number {
  return 12 * 1024 + 24 * key.length;
}

interface CachedPlan {
  schemaCache: SchemaCache;
  bypassesRls: boolean;
  plan: ActionPlan;
}

/**
 * Caches parsed and planned GET requests. An app sends the same requests for every user; row-level security decides in
 * the database which rows each user gets.
 */
export class RequestCache {
  readonly #settings: RestSettings;
  readonly #requests = new LRUCache<string, ApiRequest>({
    maxSize: maxBytes,
    sizeCalculation: (_, key) => requestBytes(key),
  });
  /** Keyed by the parsed query, which a cached request keeps. */
  readonly #actionPlans = new WeakMap<ParsedQuery, CachedPlan>();

  constructor(settings: RestSettings) {
    this.#settings = settings;
  }

  /**
   * Parses a request; `path` is the path of its address below the mount path.
   * @throws {RestError} PGRST1xx
   */
  async read(raw: Request, path: string, address: URL): Promise<ApiRequest> {
    const { headers, method } = raw;
    const parse = async () => await readRequest(raw, path, address.searchParams, this.#settings);
    if (method !== "GET") return await parse();
    const key = [path, address.search, ...keyHeaders.map((name) => headers.get(name))].join("\n");
    const known = this.#requests.get(key);
    if (known !== undefined) return { ...known, headers };
    const request = await parse();
    // The headers are left out of the cache: they hold the token of the first caller.
    if (key.length <= maxKeyLength) this.#requests.set(key, { ...request, headers: new Headers() });
    return request;
  }

  /**
   * Builds the plan of a request, or returns the cached one.
   * @throws {RestError} for names that are not in the schema cache, and for unsupported requests
   */
  plan(request: ApiRequest, planContext: PlanContext): ActionPlan {
    const { schemaCache, bypassesRls } = planContext;
    const known = this.#actionPlans.get(request.query);
    if (known?.schemaCache === schemaCache && known.bypassesRls === bypassesRls) return known.plan;
    const plan = planAction(request, planContext);
    this.#actionPlans.set(request.query, { schemaCache, bypassesRls, plan });
    return plan;
  }
}
