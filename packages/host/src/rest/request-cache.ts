import { LRUCache } from "lru-cache";
import type { SchemaCache } from "./schema-cache/model.ts";
import type { Query } from "./parse/ast.ts";
import { planAction } from "./plan/plan-action.ts";
import type { ActionPlan, PlanContext } from "./plan/action-plan.ts";
import { readRequest, type ApiRequest } from "./request/read-request.ts";
import type { RestSettings } from "./settings.ts";

/** Most bytes that requestCache requests take, by `requestBytes`. */
const maxBytes = 16 * 1024 * 1024;
/** Longer questions are not kept. Characters. */
const maxKeyLength = 2000;
/** Headers that change what a request without a body means. */
const keyHeaders = ["accept", "accept-profile", "prefer", "range"] as const;

/**
 * What a request and its plan take in the heap, by the length of what was asked. Measured: 12 kB for the shortest, and
 * 10 to 24 bytes a character beyond.
 */
export function requestBytes(key: string): number {
  return 12 * 1024 + 24 * key.length;
}

interface Planned {
  schemaCache: SchemaCache;
  bypassesRls: boolean;
  prepared: ActionPlan;
}

/**
 * What is asked again is not read and planned again: an app asks the same of every member, and whose rows
 * they are is decided in the database.
 */
export class RequestCache {
  readonly #settings: RestSettings;
  readonly #read = new LRUCache<string, ApiRequest>({
    maxSize: maxBytes,
    sizeCalculation: (_, key) => requestBytes(key),
  });
  /** By what was read: a request that is requestCache keeps its query. */
  readonly #prepared = new WeakMap<Query, Planned>();

  constructor(settings: RestSettings) {
    this.#settings = settings;
  }

  /**
   * Reads a request; `path` is the one below the mount point.
   * @throws {RestError} PGRST1xx
   */
  async read(raw: Request, path: string, parameters: URLSearchParams): Promise<ApiRequest> {
    const { headers, method } = raw;
    if (method !== "GET") return await readRequest(raw, path, parameters, this.#settings);
    parameters.delete("apikey");
    const key = [path, parameters, ...keyHeaders.map((name) => headers.get(name))].join("\n");
    const known = this.#read.get(key);
    if (known !== undefined) return { ...known, headers };
    const request = await readRequest(raw, path, parameters, this.#settings);
    // Without the headers of whoever asked first: they hold a token.
    if (key.length <= maxKeyLength) this.#read.set(key, { ...request, headers: new Headers() });
    return request;
  }

  /**
   * The statements of a request.
   * @throws {RestError} for names the schema cache does not have, and for what cannot be asked
   */
  prepare(request: ApiRequest, planContext: PlanContext): ActionPlan {
    const { schemaCache, bypassesRls } = planContext;
    const known = this.#prepared.get(request.query);
    if (known?.schemaCache === schemaCache && known.bypassesRls === bypassesRls)
      return known.prepared;
    const prepared = planAction(request, planContext);
    this.#prepared.set(request.query, { schemaCache, bypassesRls, prepared });
    return prepared;
  }
}
