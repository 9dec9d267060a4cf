import { access } from "node:fs/promises";
import { join } from "node:path";
import { BootError } from "../host/src/config.ts";
import type { HostContext } from "../host/src/context.ts";
import { DEMO_ACCOUNTS } from "./demo/accounts.ts";

async function hasDemoAccount(context: HostContext): Promise<boolean> {
  const { rows } = await context.db.admin.query<{ found: boolean }>(
    "select exists (select from auth.users where lower(email) = any ($1)) as found",
    [DEMO_ACCOUNTS.map(({ email }) => email)],
  );
  return rows[0]?.found === true;
}

async function hasSandboxFile(dataDir: string): Promise<boolean> {
  return await access(join(dataDir, "sandbox.json")).then(
    () => true,
    () => false,
  );
}

/**
 * Refuses production over data of a local trial: the password of its demo accounts is printed in the README, and its
 * memberships were paid with test cards.
 * @throws {BootError} with the ways out.
 */
export async function refuseTrialData(context: HostContext): Promise<void> {
  const { production, dataDir, databaseUrl } = context.config;
  if (!production) return;
  const found = [
    (await hasDemoAccount(context)) && "demo accounts, whose password is public",
    (await hasSandboxFile(dataDir)) && "memberships paid with test cards",
  ].filter((fault) => fault !== false);
  if (found.length === 0) return;
  const place = databaseUrl === undefined ? dataDir : `${dataDir} with this DATABASE_URL`;
  const cure =
    databaseUrl === undefined
      ? "Choose another DATA_DIR, or delete this one with `npm run db:reset`."
      : "Choose another database and another DATA_DIR.";
  throw new BootError(`${place} was used for a trial and holds ${found.join(" and ")}. ${cure}`);
}
