import type { HostContext } from "../context.ts";

const everyMs = 5 * 60_000;
/** Rows a table of limits keeps at most; about 100 bytes each. */
const mostRows = 500_000;

/** Deletes expired limits, links and PKCE flows every five minutes until the database closes. */
export function startAuthUpkeep({
  db,
  authPool,
  log,
}: Pick<HostContext, "db" | "authPool" | "log">): void {
  const timer = setInterval(() => {
    authPool.query("select host.purge_auth($1)", [mostRows]).catch((error: unknown) => {
      log.warn({ err: error }, "expired limits and links could not be deleted");
    });
  }, everyMs);
  timer.unref();
  db.beforeClose(async () => {
    clearInterval(timer);
    await Promise.resolve();
  });
}
