import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";
import { queueNames, type Overview, type QueueCount } from "../model/overview.ts";

const queues = knownItems(
  z.object({
    queue: z.enum(queueNames),
    waiting: z.number(),
    oldest_at: z.nullable(z.string()),
    kinds: z.optional(z.record(z.string(), z.number())),
  }),
);
const funnel = z.tuple([z.number(), z.number(), z.number()]);
const overview = z.object({
  accounts: z.number(),
  by_status: z.record(z.string(), z.number()),
  by_level: z.array(z.number()),
  paying_students: z.number(),
  paying_mentors: z.number(),
  on_trial: z.number(),
  cancelling: z.number(),
  new_30_days: z.number(),
  lost_30_days: z.number(),
  churn: z.object({ members: z.number(), lost: z.number() }),
  funnel: z.object({ all: funnel, recent: funnel }),
  monthly_revenue_pence: z.nullable(z.number()),
  queues,
  failures: z.object({
    webhooks: z.object({ failed: z.number() }),
    emails: z.object({ failed: z.number(), retrying: z.number() }),
    exports: z.object({ failed: z.number() }),
  }),
});

function toQueueCounts(rows: z.infer<typeof queues>): readonly QueueCount[] {
  return rows.map(({ queue, waiting, kinds, oldest_at: oldestAt }) => ({
    queue,
    waiting,
    kinds,
    oldestAt: oldestAt === null ? null : Date.parse(oldestAt),
  }));
}

/** Reads what is true of the community. Administrators only. Throws the database's error. */
export async function fetchOverview(client: BackendClient): Promise<Overview> {
  const { data, error } = await client.rpc("admin_overview");
  if (error) throw error;
  const found = overview.parse(data);
  return {
    accounts: found.accounts,
    byStatus: found.by_status,
    byLevel: found.by_level,
    payingStudents: found.paying_students,
    payingMentors: found.paying_mentors,
    onTrial: found.on_trial,
    cancelling: found.cancelling,
    newMembers: found.new_30_days,
    lostMembers: found.lost_30_days,
    churn: found.churn,
    funnel: found.funnel,
    monthlyRevenuePence: found.monthly_revenue_pence,
    queues: toQueueCounts(found.queues),
    failures: {
      webhooks: found.failures.webhooks.failed,
      emails: found.failures.emails.failed,
      emailsRetrying: found.failures.emails.retrying,
      exports: found.failures.exports.failed,
    },
  };
}

/** Reads how many items wait in each queue. Administrators only. Throws the database's error. */
export async function fetchQueueCounts(client: BackendClient): Promise<readonly QueueCount[]> {
  const { data, error } = await client.rpc("admin_queues");
  if (error) throw error;
  return toQueueCounts(queues.parse(data));
}
