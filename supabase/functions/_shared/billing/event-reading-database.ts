import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";

/** What the database keeps of the list of events at the provider. Every method throws the database's error. */
export class EventReadingDatabase {
  readonly #service: DatabaseClient;

  constructor(service: DatabaseClient) {
    this.#service = service;
  }

  /** From when on events are to be read, in epoch seconds. */
  async readFrom(): Promise<number> {
    return z.number().parse(await callRpc(this.#service, "billing_events_read_from", {}));
  }

  /** Those of the events that no webhook and no reading has applied. */
  async unread(events: string[]): Promise<Set<string>> {
    const ids = await callRpc(this.#service, "billing_unread_events", { events });
    return new Set(z.array(z.string()).parse(ids));
  }

  /**
   * Keeps that events were read without a gap until a moment in epoch seconds.
   * @param seen times of what was read, by id.
   * @param isPresent whether nothing was left to read.
   */
  async keep(
    readUntil: number,
    seen: ReadonlyMap<string, number>,
    isPresent: boolean,
  ): Promise<void> {
    await callRpc(this.#service, "billing_keep_event_reading", {
      read_until: readUntil,
      seen: Object.fromEntries(seen),
      is_present: isPresent,
    });
  }
}
