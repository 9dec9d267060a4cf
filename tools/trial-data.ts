import { BootError, type HostContext } from "basehost";

/** What a local trial leaves in its database, as the error message names it. */
const trialMarks = {
  demo_accounts: "demo accounts, whose password is public",
  card_sandbox: "memberships paid with test cards",
} as const;

/** Records permanently that a database was used for a trial. Call it before the trial's data is created. */
export async function markDemoInstall(
  context: HostContext,
  mark: keyof typeof trialMarks,
): Promise<void> {
  await context.db.admin.query(
    "insert into private.install_marks (mark) values ($1) on conflict do nothing",
    [mark],
  );
}

/**
 * Refuses production over data of a local trial: the password of its demo accounts is printed in the README, and its
 * memberships were paid with test cards. Only records of our own tools count: an address or a row that a client can
 * create must never keep an install from starting.
 * @throws {BootError} saying what to do.
 */
export async function refuseTrialData(context: HostContext): Promise<void> {
  const { production, dataDir, databaseUrl } = context.config;
  if (!production) return;
  const { rows } = await context.db.admin.query<{ mark: keyof typeof trialMarks }>(
    "select mark from private.install_marks order by mark desc",
  );
  if (rows.length === 0) return;
  const found = rows.map(({ mark }) => trialMarks[mark]).join(" and ");
  const place = databaseUrl === undefined ? dataDir : "The database of DATABASE_URL";
  const cure =
    databaseUrl === undefined
      ? "Choose another DATA_DIR, or delete this one with `npm run db:reset`."
      : "Choose another database.";
  throw new BootError(`${place} was used for a trial and holds ${found}. ${cure}`);
}
