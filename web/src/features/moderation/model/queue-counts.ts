import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";

/** The queues of the console, in the order of their tabs. */
export const queueNames = [
  "identity",
  "reports",
  "accounts",
  "disputes",
  "review",
  "payouts",
  "claims",
] as const;
export type QueueName = (typeof queueNames)[number];

export interface QueueCount {
  readonly queue: QueueName;
  readonly waiting: number;
  /** When the oldest item came, epoch milliseconds; null when nothing waits. */
  readonly oldestAt: number | null;
  /** Of the reports, how many of each kind wait. */
  readonly kinds?: Readonly<Record<string, number>> | undefined;
}

const schema = knownItems(
  z.object({
    queue: z.enum(queueNames),
    waiting: z.number(),
    oldest_at: z.nullable(z.string()),
    kinds: z.optional(z.record(z.string(), z.number())),
  }),
);

/** Reads what `admin_queues` answers, which stands in `admin_overview` as well. */
export function queueCountsFrom(answer: unknown): readonly QueueCount[] {
  return schema.parse(answer).map(({ queue, waiting, kinds, oldest_at: oldestAt }) => ({
    queue,
    waiting,
    kinds,
    oldestAt: oldestAt === null ? null : Date.parse(oldestAt),
  }));
}
