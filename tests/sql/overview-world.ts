import type pg from "pg";
import type { World } from "./world.ts";

export const adminOverviewSql = "select public.admin_overview() as overview";

interface Overview {
  accounts: number;
  by_status: Record<string, number>;
  by_level: number[];
  paying_students: number;
  paying_mentors: number;
  on_trial: number;
  cancelling: number;
  new_30_days: number;
  lost_30_days: number;
  churn: { members: number; lost: number };
  subscribed: number;
  first_member_at: string | null;
  before: { subscribed: number; new: number; lost: number; churn: Overview["churn"] };
  funnel: { all: number[]; recent: number[] };
  monthly_revenue_pence: number | null;
  queues: { queue: string; waiting: number; oldest_at: string | null }[];
  failures: {
    webhooks: { failed: number; oldest_at: string | null };
    emails: { failed: number; retrying: number; oldest_at: string | null };
    exports: { failed: number; oldest_at: string | null };
  };
  hosts: { host: string; checks: object; reported_at: string; is_silent: boolean }[];
}

/** Hides what other test files commit meanwhile. Has to be the first statement of a test. */
export async function hideOthers(owner: pg.Client): Promise<void> {
  await owner.query("set transaction isolation level repeatable read");
}

export async function readAdminOverview(world: World, admin: string): Promise<Overview> {
  // Periods are written at the end of a transaction, and this one is rolled back.
  await world.run("owner", "set constraints all immediate");
  return (await world.one(admin, adminOverviewSql))["overview"] as Overview;
}

export const daysAgo = (days: number) => `now() - interval '${days} days'`;

/** Sets when an account's only membership began and, with a second number, ended. In days before now. */
export async function setPeriod(
  world: World,
  user: string,
  began: number,
  ended?: number,
): Promise<void> {
  await world.run("owner", "set constraints all immediate");
  await world.run(
    "owner",
    `update private.membership_periods set started_at = ${daysAgo(began)},
       ended_at = ${ended === undefined ? "null" : daysAgo(ended)} where user_id = $1`,
    [user],
  );
}
