import { LRUCache } from "lru-cache";
import type { Catalogue } from "./schema-cache/model.ts";
import type { Query } from "./parse/ast.ts";
import { prepareWork } from "./plan/plan-action.ts";
import type { Prepared, Surroundings } from "./plan/action-plan.ts";
import { readRequest, type ApiRequest } from "./request/read-request.ts";
import type { RestSettings } from "./settings.ts";

/** Most bytes that remembered requests take, by `requestBytes`. */
const maxBytes = 16 * 1024 * 1024;
/** Longer questions are not kept. Characters. */
const LONGEST_KEY = 2000;
/** Headers that change what a request without a body means. */
const MEANINGFUL = ["accept", "accept-profile", "prefer", "range"] as const;

/**
 * What a request and its plan take in the heap, by the length of what was asked. Measured: 12 kB for the shortest, and
 * 10 to 24 bytes a character beyond.
 */
export function requestBytes(key: string): number {
  return 12 * 1024 + 24 * key.length;
}

interface Planned {
  catalogue: Catalogue;
  bypassesRls: boolean;
  prepared: Prepared;
}

/**
 * What is asked again is not read and planned again: an app asks the same of every member, and whose rows
 * they are is decided in the database.
 */
export class RememberedRequests {
  readonly #settings: RestSettings;
  readonly #read = new LRUCache<string, ApiRequest>({
    maxSize: maxBytes,
    sizeCalculation: (_, key) => requestBytes(key),
  });
  /** By what was read: a request that is remembered keeps its query. */
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
    const key = [path, parameters, ...MEANINGFUL.map((name) => headers.get(name))].join("\n");
    const known = this.#read.get(key);
    if (known !== undefined) return { ...known, headers };
    const request = await readRequest(raw, path, parameters, this.#settings);
    // Without the headers of whoever asked first: they hold a token.
    if (key.length <= LONGEST_KEY) this.#read.set(key, { ...request, headers: new Headers() });
    return request;
  }

  /**
   * The statements of a request.
   * @throws {RestError} for names the catalogue does not have, and for what cannot be asked
   */
  prepare(request: ApiRequest, around: Surroundings): Prepared {
    const { catalogue, bypassesRls } = around;
    const known = this.#prepared.get(request.query);
    if (known?.catalogue === catalogue && known.bypassesRls === bypassesRls) return known.prepared;
    const prepared = prepareWork(request, around);
    this.#prepared.set(request.query, { catalogue, bypassesRls, prepared });
    return prepared;
  }
}
