// Tells the database each minute how the parts of this host are, for the overview of the console.

import { hostName, type HealthChecks, type HostContext } from "basehost";

const everyMs = 60_000;

const reportSql = `
  with old as (delete from private.host_reports where reported_at < now() - interval '1 day')
  insert into private.host_reports (host, checks) values ($1, $2)
  on conflict (host) do update set checks = excluded.checks, reported_at = excluded.reported_at`;

/** What reports are made of. */
export interface ReportedHost {
  readonly context: Pick<HostContext, "localUrl" | "log"> & {
    db: Pick<HostContext["db"], "admin">;
  };
  readonly checks: () => Promise<HealthChecks>;
}

/** Reports at once and then every minute, until it is stopped: then the host is no longer expected to. */
export function reportHealth({ context, checks }: ReportedHost): { stop: () => Promise<void> } {
  const { admin } = context.db;
  const name = hostName(context);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const report = async () => {
    try {
      const found = await checks();
      await admin.query(reportSql, [name, JSON.stringify(found)]);
    } catch (error) {
      // While the database is away nobody reads the overview either.
      context.log.debug({ err: error }, "the host's health was not reported");
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      running = report();
    }, everyMs);
    timer.unref();
  };
  let running = report();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
      await admin
        .query("delete from private.host_reports where host = $1", [name])
        .catch(() => undefined);
    },
  };
}
