import { SandboxClock } from "./clock.ts";
import { resourceMissing } from "./api-errors.ts";
import type { EventType } from "./event-types.ts";
import { newObjectId } from "./ids.ts";
import {
  emptyTables,
  resourceNames,
  type WebhookDelivery,
  type ResourceTable,
  type StateTables,
} from "./tables.ts";

/** The API version that the pinned `stripe` library asks for. */
export const apiVersion = "2026-10-28.endive";
const maxEvents = 5000;

type Row<T extends ResourceTable> = StateTables[T] extends Map<string, infer R> ? R : never;

/** The API request in progress, for the `request` field of events. */
export interface CurrentRequest {
  id: string;
  idempotencyKey: string | null;
}

/** All state of one sandbox. Changes are synchronous, so each API request is atomic. */
export class SandboxState {
  readonly clock = new SandboxClock();
  /** Browser-visible base such as http://127.0.0.1:3000/sandbox/stripe, without a trailing slash. */
  readonly publicBase: string;
  tables: StateTables = emptyTables();
  outbox: WebhookDelivery[] = [];
  request: CurrentRequest | null = null;
  /** Whether a schedule sets `cancel_at` of its subscription to the end of the phase, as Stripe has done at times. */
  phasesSetCancelAt = false;
  /** Whether the invoice of a renewal stays a draft for an hour before it is charged, as at Stripe. */
  renewalsStayDrafts = false;
  /** Called after every event. */
  onEvent: () => void = () => undefined;

  constructor(publicBase: string) {
    this.publicBase = publicBase.replace(/\/+$/, "");
  }

  now(): number {
    return this.clock.now();
  }

  find<T extends ResourceTable>(table: T, id: string): Row<T> | undefined {
    const rows = this.tables[table] as Map<string, Row<T>>;
    return rows.get(id);
  }

  /**
   * The row with this id.
   * @throws {StripeApiError} `resource_missing`, naming `param` (by default the id in the path).
   */
  get<T extends ResourceTable>(table: T, id: string, param = "id"): Row<T> {
    const row = this.find(table, id);
    if (row === undefined) throw resourceMissing(resourceNames[table], id, param);
    return row;
  }

  rows<T extends ResourceTable>(table: T): Row<T>[] {
    return [...(this.tables[table] as Map<string, Row<T>>).values()];
  }

  put<T extends ResourceTable>(table: T, row: Row<T> & { id: string }): Row<T> {
    (this.tables[table] as Map<string, Row<T>>).set(row.id, row);
    return row;
  }

  /**
   * Replaces fields of a row. With `eventType` it records an event, with `previous_attributes` if the type ends with
   * "updated".
   */
  update<T extends ResourceTable>(
    table: T,
    id: string,
    changes: Partial<Row<T>>,
    eventType?: EventType,
  ): Row<T> {
    const before = this.get(table, id) as object;
    const after = { ...before, ...changes } as Row<T> & { id: string };
    this.put(table, after);
    const previous = Object.fromEntries(
      Object.entries(before).filter(
        ([key, value]) =>
          key in changes &&
          JSON.stringify(value) !== JSON.stringify(Reflect.get(after, key) as unknown),
      ),
    );
    if (eventType !== undefined && !(eventType.endsWith(".updated") && isEmpty(previous))) {
      this.emit(eventType, after, eventType.endsWith(".updated") ? previous : undefined);
    }
    return after;
  }

  /** Records an event with a snapshot of the object and queues it for the webhook. */
  emit(type: EventType, object: object, previous?: object): void {
    const id = newObjectId("evt");
    this.tables.events.set(id, {
      id,
      object: "event",
      api_version: apiVersion,
      created: this.now(),
      data: structuredClone(
        previous === undefined ? { object } : { object, previous_attributes: previous },
      ),
      livemode: false,
      pending_webhooks: 1,
      request: {
        id: this.request?.id ?? null,
        idempotency_key: this.request?.idempotencyKey ?? null,
      },
      type,
    });
    for (const oldest of this.tables.events.keys()) {
      if (this.tables.events.size <= maxEvents) break;
      this.tables.events.delete(oldest);
    }
    this.outbox.push({ eventId: id, attempts: 0, notBefore: 0, badSignature: false });
    this.onEvent();
  }
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
