// What hosts of one database tell each other of broadcasts and presence, and how it is written.

import { z } from "zod";

const name = z.object({ topic: z.string(), isPrivate: z.boolean() });
const clusterMessage = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("broadcast"),
    name,
    event: z.string(),
    payload: z.string(),
    isBytes: z.boolean(),
  }),
  z.object({
    kind: z.literal("track"),
    name,
    trackerId: z.string(),
    key: z.string(),
    ref: z.string(),
    json: z.string(),
  }),
  z.object({ kind: z.literal("untrack"), name, trackerId: z.string() }),
  // All presences of the sender come between these two.
  z.object({ kind: z.literal("presencesBegin") }),
  z.object({ kind: z.literal("presencesEnd") }),
  z.object({ kind: z.literal("hello") }),
  z.object({ kind: z.literal("heartbeat") }),
  z.object({ kind: z.literal("bye") }),
]);
const envelope = z.object({
  from: z.string(),
  /** Counts the sender's envelopes. One that was sent twice, because nobody knew whether it had arrived, is taken once. */
  number: z.int().optional(),
  /** True when its sender hears what is published in Redis. */
  hasRedis: z.boolean().default(false),
  /** What operators know the sender by; an earlier version does not say. */
  host: z.string().default("unnamed"),
  messages: z.array(z.unknown()),
});

/** One thing a host tells the others. */
export type ClusterMessage = z.infer<typeof clusterMessage>;

/** Messages of one host. */
export interface Envelope extends Omit<z.infer<typeof envelope>, "messages"> {
  messages: ClusterMessage[];
}

/** Larger ones are not read: no host writes them. */
const maxReceivedBytes = 8 * 1024 * 1024;

/** Undefined for unknown content, which must not end the stream. Unknown messages, of a later version, are left out. */
export function parseEnvelope(content: Buffer): Envelope | undefined {
  if (content.length > maxReceivedBytes) return undefined;
  try {
    const { data } = envelope.safeParse(JSON.parse(content.toString("utf8")));
    return (
      data && {
        ...data,
        messages: data.messages.flatMap((one) => clusterMessage.safeParse(one).data ?? []),
      }
    );
  } catch {
    return undefined;
  }
}

/** @param messages as JSON */
export function writeEnvelope(
  about: Required<Omit<Envelope, "messages">>,
  messages: readonly string[],
): string {
  return `${JSON.stringify(about).slice(0, -1)},"messages":[${messages.join(",")}]}`;
}
