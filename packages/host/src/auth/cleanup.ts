import type { HostContext } from "../context.ts";

const intervalMs = 5 * 60_000;
/** Rows kept in each table of limits; about 100 bytes each. */
const maxRowsPerTable = 500_000;

/** Accounts, sessions, tokens and audit entries deleted per run, of each kind. */
const maxDeletedPerRun = 5000;

/** Deletes expired limits, links, PKCE flows, sessions, tokens and accounts every five minutes until the database closes. */
export function startAuthCleanup({
  authPool,
  db,
  log,
}: Pick<HostContext, "authPool" | "db" | "log">): void {
  const timer = setInterval(() => {
    authPool.query("select host.purge_auth($1)", [maxRowsPerTable]).catch((error: unknown) => {
      log.warn({ err: error }, "expired limits and links could not be deleted");
    });
    authPool.query("select host.purge_provider_flows()").catch((error: unknown) => {
      log.warn({ err: error }, "unfinished sign-ins at providers could not be deleted");
    });
    authPool.query("select host.purge_passkey_challenges()").catch((error: unknown) => {
      log.warn({ err: error }, "expired challenges of passkeys could not be deleted");
    });
    authPool.query("select host.purge_accounts($1)", [maxDeletedPerRun]).catch((error: unknown) => {
      log.warn({ err: error }, "old sessions, tokens and accounts could not be deleted");
    });
  }, intervalMs);
  timer.unref();
  db.beforeClose(async () => {
    clearInterval(timer);
    await Promise.resolve();
  });
}
