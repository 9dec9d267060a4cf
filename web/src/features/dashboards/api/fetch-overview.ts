import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { queueCountsFrom } from "@/features/moderation/index.ts";
import type { Overview } from "../model/overview.ts";

const funnel = z.tuple([z.number(), z.number(), z.number()]);
const host = z.object({
  host: z.string(),
  is_silent: z.boolean(),
  reported_at: z.string(),
  checks: z.record(z.string(), z.object({ state: z.string(), detail: z.optional(z.string()) })),
});
const churn = z.object({ members: z.number(), lost: z.number() });
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
  churn,
  subscribed: z.number(),
  first_member_at: z.nullable(z.string()),
  before: z.object({ subscribed: z.number(), new: z.number(), lost: z.number(), churn }),
  funnel: z.object({ all: funnel, recent: funnel }),
  monthly_revenue_pence: z.nullable(z.number()),
  queues: z.unknown(),
  failures: z.object({
    webhooks: z.object({ failed: z.number() }),
    emails: z.object({ failed: z.number(), retrying: z.number() }),
    exports: z.object({ failed: z.number() }),
  }),
  hosts: z.array(host),
});

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
    subscribed: found.subscribed,
    firstMemberAt: found.first_member_at === null ? null : Date.parse(found.first_member_at),
    before: {
      subscribed: found.before.subscribed,
      newMembers: found.before.new,
      lostMembers: found.before.lost,
      churn: found.before.churn,
    },
    funnel: found.funnel,
    monthlyRevenuePence: found.monthly_revenue_pence,
    queues: queueCountsFrom(found.queues),
    failures: {
      webhooks: found.failures.webhooks.failed,
      emails: found.failures.emails.failed,
      emailsRetrying: found.failures.emails.retrying,
      exports: found.failures.exports.failed,
    },
    hosts: found.hosts.map(({ host: name, is_silent, reported_at, checks }) => ({
      name,
      silentSince: is_silent ? Date.parse(reported_at) : null,
      checks: Object.entries(checks).map(([part, { state, detail = null }]) => ({
        part,
        state,
        detail,
      })),
    })),
  };
}
