import type { HostContext } from "../context.ts";

const everyMs = 5 * 60_000;
/** Rows a table of limits keeps at most; about 100 bytes each. */
const mostRows = 500_000;

/** Accounts, sessions, tokens and audit entries that one run deletes at most of each. */
const mostDeleted = 5000;

/** Deletes expired limits, links and PKCE flows, and what accounts left behind, every five minutes until the database closes. */
export function startAuthUpkeep({
  authPool,
  db,
  log,
}: Pick<HostContext, "authPool" | "db" | "log">): void {
  const timer = setInterval(() => {
    authPool.query("select host.purge_auth($1)", [mostRows]).catch((error: unknown) => {
      log.warn({ err: error }, "expired limits and links could not be deleted");
    });
    authPool.query("select host.purge_accounts($1)", [mostDeleted]).catch((error: unknown) => {
      log.warn({ err: error }, "old sessions, tokens and accounts could not be deleted");
    });
  }, everyMs);
  timer.unref();
  db.beforeClose(async () => {
    clearInterval(timer);
    await Promise.resolve();
  });
}
