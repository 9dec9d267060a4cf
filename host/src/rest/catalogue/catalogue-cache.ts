import pg from "pg";
import type { Logger } from "pino";
import type { Database } from "../../postgres/database.ts";
import type { RestSettings } from "../settings.ts";
import { loadCatalogue } from "./load-catalogue.ts";
import type { Catalogue } from "./model.ts";
import { readFingerprint } from "./read-routines.ts";

const RECONNECT_MS = 5_000;
const CHANNEL = "pgrst";

/** The catalogue in memory, loaded again when the database says so or when something is missing from it. */
export class CatalogueCache {
  readonly #db: Database;
  readonly #settings: RestSettings;
  readonly #log: Logger;
  #current: Promise<Catalogue> | undefined;
  #checking: Promise<Catalogue> | undefined;
  #nextCheck: Promise<Catalogue> | undefined;
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(db: Database, settings: RestSettings, log: Logger) {
    this.#db = db;
    this.#settings = settings;
    this.#log = log;
    db.beforeClose(async () => await this.#stop());
  }

  /** The catalogue as last loaded. */
  async get(): Promise<Catalogue> {
    if (this.#listener === undefined && this.#timer === undefined) this.#listen();
    return await (this.#current ?? this.#load());
  }

  /**
   * A catalogue that was up to date after this call began. Callers that come while a check runs share the
   * next one, so that asking for things that do not exist costs the database one small query at a time.
   */
  async refresh(): Promise<Catalogue> {
    if (this.#checking === undefined) return await this.#startCheck();
    this.#nextCheck ??= this.#checking.then(
      async () => await this.#startCheck(),
      async () => await this.#startCheck(),
    );
    return await this.#nextCheck;
  }

  async #startCheck(): Promise<Catalogue> {
    this.#nextCheck = undefined;
    this.#checking = this.#check().finally(() => {
      this.#checking = undefined;
    });
    return await this.#checking;
  }

  async #check(): Promise<Catalogue> {
    const known = await this.get();
    const fingerprint = await readFingerprint(this.#db.admin);
    return fingerprint === known.fingerprint ? known : await this.#load();
  }

  async #load(): Promise<Catalogue> {
    const loading = loadCatalogue(this.#db.admin, this.#settings);
    this.#current = loading;
    // A failed load is not kept: the next request tries again.
    loading.catch((error: unknown) => {
      this.#log.error({ err: error }, "the catalogue could not be loaded");
      if (this.#current === loading) this.#current = undefined;
    });
    return await loading;
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
        // What was announced while nobody listened is found out by looking.
        this.refresh().catch(() => undefined);
      }, RECONNECT_MS);
      this.#timer.unref();
    };
    client.on("error", again);
    client.on("end", again);
    client.on("notification", ({ payload }) => {
      if (payload === undefined || payload === "" || payload.startsWith("reload")) {
        this.#load().catch(() => undefined);
      }
    });
    client
      .connect()
      .then(async () => await client.query(`listen ${CHANNEL}`))
      .catch(again);
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#listener?.end().catch(() => undefined);
    await this.#current?.catch(() => undefined);
  }
}
