// Holds the current schema cache for all requests; `notify pgrst` reloads it, as in PostgREST.

import pg from "pg";
import type { Logger } from "pino";
import type { Database } from "../../postgres/database.ts";
import type { RestSettings } from "../settings.ts";
import { loadSchemaCache } from "./load-schema-cache.ts";
import type { SchemaCache } from "./model.ts";
import { readFingerprint, readTimezones } from "./read-routines.ts";

const reconnectAfterMs = 5_000;
const reloadChannel = "pgrst";

/** Keeps the schema cache in memory and reloads it on NOTIFY, or when a request misses something in it. */
export class SchemaCacheStore {
  readonly #db: Database;
  readonly #settings: RestSettings;
  readonly #log: Logger;
  #schemaCache: SchemaCache | undefined;
  #checking: Promise<SchemaCache> | undefined;
  #nextCheck: Promise<SchemaCache> | undefined;
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #timezones: Promise<ReadonlySet<string>> | undefined;
  /** Settings whose warning was logged. */
  readonly #warned = new Set<string>();

  constructor(db: Database, settings: RestSettings, log: Logger) {
    this.#db = db;
    this.#settings = settings;
    this.#log = log;
    db.beforeClose(async () => await this.#stop());
  }

  /** The schema cache as last loaded; a newer one replaces it once it is complete. */
  async get(): Promise<SchemaCache> {
    if (this.#listener === undefined && this.#timer === undefined) this.#listen();
    return this.#schemaCache ?? (await this.refresh());
  }

  /**
   * A schema cache that was up to date after this call began. Calls during a check share the next check, so that
   * requests for missing objects cost the database one small query at a time.
   */
  async refresh(): Promise<SchemaCache> {
    if (this.#checking === undefined) return await this.#startCheck();
    const again = async () => await this.#startCheck();
    this.#nextCheck ??= this.#checking.then(again, again);
    return await this.#nextCheck;
  }

  /** The time zones of the server, read when the first request names one. */
  async timezones(): Promise<ReadonlySet<string>> {
    this.#timezones ??= readTimezones(this.#db.lookups);
    try {
      return await this.#timezones;
    } catch (error) {
      this.#timezones = undefined;
      throw error;
    }
  }

  async #startCheck(): Promise<SchemaCache> {
    this.#nextCheck = undefined;
    this.#checking = this.#check().finally(() => {
      this.#checking = undefined;
    });
    return await this.#checking;
  }

  async #check(): Promise<SchemaCache> {
    const known = this.#schemaCache;
    const fingerprint = known && (await readFingerprint(this.#db.lookups));
    if (known !== undefined && known.fingerprint === fingerprint) return known;
    this.#schemaCache = await loadSchemaCache(this.#db.lookups, this.#settings);
    for (const setting of this.#schemaCache.ignoredSettings) {
      if (this.#warned.has(setting)) continue;
      this.#warned.add(setting);
      this.#log.warn({ setting }, "a setting of role authenticator has no effect on this host");
    }
    return this.#schemaCache;
  }

  /** Reloads after a notification. A failure is logged; the next request that misses something tries again. */
  async #follow(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      if (!this.#stopped) this.#log.error({ err: error }, "the schema cache could not be reloaded");
    }
  }

  #listen(): void {
    if (this.#stopped) return;
    const client = new pg.Client({
      connectionString: this.#db.url,
      application_name: "host-rest-listen",
    });
    this.#listener = client;
    const again = () => {
      if (this.#stopped || this.#listener !== client) return;
      this.#listener = undefined;
      this.#timer = setTimeout(() => {
        this.#listen();
        // Notifications sent while the connection was down are lost, so check for changes.
        void this.#follow();
      }, reconnectAfterMs);
      this.#timer.unref();
    };
    client.on("error", again);
    client.on("end", again);
    client.on("notification", ({ payload }) => {
      if (payload === undefined || payload === "" || payload.startsWith("reload")) {
        void this.#follow();
      }
    });
    client
      .connect()
      .then(async () => await client.query(`listen ${reloadChannel}`))
      .catch(again);
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#listener?.end().catch(() => undefined);
    await this.#checking?.catch(() => undefined);
  }
}
