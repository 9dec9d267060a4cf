const hourMs = 3_600_000;

/** What `admin_overview` answers for a small community. */
export const overviewRow = {
  accounts: 12,
  by_status: { paying: 8, complimentary: 2, past_due: 1, never_paid: 1 },
  by_level: [1, 5, 2, 0, 0],
  paying_students: 7,
  paying_mentors: 1,
  on_trial: 2,
  cancelling: 0,
  new_30_days: 2,
  lost_30_days: 1,
  churn: { members: 31, lost: 1 },
  subscribed: 10,
  first_member_at: "2026-03-02T10:00:00+00:00",
  before: { subscribed: 9, new: 4, lost: 1, churn: { members: 40, lost: 3 } },
  funnel: { all: [12, 9, 8], recent: [5, 2, 1] },
  monthly_revenue_pence: 55_000,
  queues: [
    { queue: "identity", waiting: 4, oldest_at: new Date(Date.now() - 3.5 * hourMs).toISOString() },
    {
      queue: "reports",
      waiting: 3,
      oldest_at: "2026-11-20T10:00:00+00:00",
      kinds: { submission: 1, comment: 2 },
    },
    { queue: "accounts", waiting: 0, oldest_at: null },
    { queue: "disputes", waiting: 0, oldest_at: null },
    { queue: "review", waiting: 0, oldest_at: null },
    { queue: "payouts", waiting: 0, oldest_at: null },
    { queue: "claims", waiting: 1, oldest_at: new Date(Date.now() - 3.5 * hourMs).toISOString() },
  ],
  failures: {
    webhooks: { failed: 2, oldest_at: "2026-11-20T10:00:00+00:00" },
    emails: { failed: 0, retrying: 1, oldest_at: null },
    exports: { failed: 1, oldest_at: "2026-11-20T10:00:00+00:00" },
  },
  hosts: [
    {
      host: "one:3000",
      is_silent: false,
      reported_at: new Date().toISOString(),
      checks: {
        mail: { state: "failing", detail: "an e-mail has waited for 61 minutes" },
        disk: { state: "warning", detail: "less than a tenth of the disk is free" },
        database: { state: "ok" },
      },
    },
  ],
};
