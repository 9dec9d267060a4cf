import type pg from "pg";

/** `npm run admin -- sign-out all --yes`: ends every session, as after a leak of the data key. @returns how many. */
export async function signOutAll(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query("delete from auth.sessions");
  return rowCount ?? 0;
}
