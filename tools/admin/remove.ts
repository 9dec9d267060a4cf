import { BootError } from "basehost";
import { findUserByEmail } from "basehost/accounts";
import type { AdminCommand } from "./command.ts";

/** `npm run admin -- remove EMAIL`: the account stays, as a member. */
export const remove: AdminCommand = async ({ email, withDatabase }) =>
  await withDatabase(async (pool) => {
    const account = await findUserByEmail(pool, email);
    if (!account) throw new BootError(`There is no account ${email}.`);
    const { rows } = await pool.query<{ removed: boolean }>(
      "select private.remove_admin($1) as removed",
      [account.id],
    );
    if (rows[0]?.removed !== true) throw new BootError(`${email} is not an administrator.`);
    const left = await pool.query<{ admins: number }>(
      "select count(*)::int as admins from public.profiles where role = 'admin'",
    );
    const admins = left.rows[0]?.admins ?? 0;
    const others =
      admins === 0
        ? "There is no administrator now: npm run admin -- create EMAIL makes one."
        : `Administrators left: ${admins}.`;
    return `${email} is no administrator any more and signed out everywhere. The account stays.\n${others}`;
  });
