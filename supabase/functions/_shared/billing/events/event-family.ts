import { z } from "zod";
import type { BillingClients } from "../billing-context.ts";
import type { EventReference } from "../billing-database.ts";
import { FunctionError } from "../../http/responses.ts";

/** The object to read again after an event. */
export type EventSubject =
  | { kind: "subscription" | "customer" | "charge" | "payout"; id: string }
  | { kind: "invoice"; id: string; subscription: string };

/** Events of the card provider that have one effect. */
export interface EventFamily {
  /** What the events are about, by the provider's name of the object. */
  readonly object: string;
  /** The types that are handled; undefined for every type about such an object. */
  readonly types?: readonly string[];
  /**
   * The object to read again; null when nothing of ours is concerned.
   * @throws {FunctionError} 400 invalid_event when the object does not match the event's type.
   */
  readonly findSubject: (object: unknown) => EventSubject | null;
  /** Updates the database from the event's object. False when nothing was changed. */
  readonly apply: (
    billing: BillingClients,
    object: unknown,
    event: EventReference,
  ) => Promise<boolean>;
}

/** A family from how its subject is found, and from what is done about it. */
export function eventFamily<Subject extends EventSubject>(
  about: Pick<EventFamily, "object" | "types">,
  findSubject: (object: unknown) => Subject | null,
  update: (billing: BillingClients, subject: Subject, event: EventReference) => Promise<boolean>,
): EventFamily {
  return {
    ...about,
    findSubject,
    apply: async (billing, object, event) => {
      const subject = findSubject(object);
      return subject !== null && (await update(billing, subject, event));
    },
  };
}

const id = z.string().regex(/^\w{1,255}$/);

/** An object of an event, of which only the id is used. */
export const identified = z.object({ id });

/** The id of an object that may be expanded. */
export const reference = z.union([id, identified.transform((object) => object.id)]);

/** @throws {FunctionError} 400 invalid_event. */
export function parseObject<T extends z.ZodType>(shape: T, object: unknown): z.infer<T> {
  const parsed = shape.safeParse(object);
  if (parsed.success) return parsed.data;
  throw new FunctionError(400, "invalid_event", "The event's data does not match its type.");
}

const ofCharge = z.object({ charge: reference.nullish() });

/** The payment that a refund or a dispute is about. */
export function findCharge(object: unknown): { kind: "charge"; id: string } | null {
  const { charge } = parseObject(ofCharge, object);
  return charge === null || charge === undefined ? null : { kind: "charge", id: charge };
}
