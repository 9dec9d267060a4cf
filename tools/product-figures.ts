// What monitoring reads of the product besides the host: mail and pushes that wait, the card provider's events, failed exports.

import type { HealthCheck, HealthChecks, HostContext, ProgramFigure } from "basehost";

interface Waiting {
  readonly emails: number;
  readonly emails_waited: number;
  readonly pushes: number;
  readonly applied: number;
  readonly failures: {
    readonly webhooks: { readonly failed: number };
    readonly emails: { readonly failed: number; readonly retrying: number };
    readonly exports: { readonly failed: number };
  };
}

const figuresSql = `
  select e.emails, e.emails_waited, (select count(*)::int from private.push_outbox p where p.next_attempt_at <= now()) as pushes,
    (select coalesce(extract(epoch from max(b.applied_at)), 0)::float8 from private.billing_events b) as applied,
    private.failure_figures() as failures
  from (
    select count(*)::int as emails, coalesce(extract(epoch from now() - min(o.created_at)), 0)::float8 as emails_waited
    from private.email_outbox o where o.status = 'pending'
  ) e`;

async function readWaiting({ db }: Pick<HostContext, "db">): Promise<Waiting | undefined> {
  const { rows } = await db.lookups.query<Waiting>(figuresSql);
  return rows[0];
}

/** Figures for `/metrics`. Failures are those of the last seven days, as the console shows them. */
export async function productFigures(
  context: Pick<HostContext, "db">,
): Promise<readonly ProgramFigure[]> {
  const row = await readWaiting(context);
  if (row === undefined) return [];
  const { webhooks, emails, exports } = row.failures;
  return [
    { name: "emails_waiting", help: "E-mails that were not sent yet.", value: row.emails },
    {
      name: "emails_oldest_waiting_seconds",
      help: "Age of the oldest e-mail that was not sent yet.",
      value: row.emails_waited,
    },
    {
      name: "emails_failed",
      help: "E-mails given up in the last seven days.",
      value: emails.failed,
    },
    { name: "pushes_waiting", help: "Push messages that are due.", value: row.pushes },
    {
      name: "provider_events_failed",
      help: "Events of the card provider that were refused in the last seven days and not applied since.",
      value: webhooks.failed,
    },
    {
      name: "provider_events_last_applied_timestamp_seconds",
      help: "When an event of the card provider was last applied; 0 for never.",
      value: row.applied,
    },
    {
      name: "exports_failed",
      help: "Accounts whose latest export failed in the last seven days.",
      value: exports.failed,
    },
  ];
}

/** An e-mail that waits longer was not sent by several rounds. */
const longestWaitS = 900;

function checkMail({ emails_waited: waitedS, failures: { emails } }: Waiting): HealthCheck {
  if (waitedS > longestWaitS) {
    const minutes = Math.floor(waitedS / 60);
    return { state: "failing", detail: `an e-mail has waited for ${minutes} minutes` };
  }
  const troubles = [
    ...(emails.retrying > 0 ? [`${emails.retrying} to be tried again`] : []),
    ...(emails.failed > 0 ? [`${emails.failed} given up in seven days`] : []),
  ];
  if (troubles.length === 0) return { state: "ok" };
  return { state: "warning", detail: `e-mails: ${troubles.join(", ")}` };
}

function checkProvider({ failures: { webhooks } }: Waiting): HealthCheck {
  if (webhooks.failed === 0) return { state: "ok" };
  return { state: "failing", detail: `events that could not be applied: ${webhooks.failed}` };
}

/** States for `/readyz?verbose`. */
export async function productChecks(context: Pick<HostContext, "db">): Promise<HealthChecks> {
  const row = await readWaiting(context);
  if (row === undefined) return {};
  return { mail: checkMail(row), "card provider": checkProvider(row) };
}
