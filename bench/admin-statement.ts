import type pg from "pg";

/** Makes the connection that of an administrator with a second factor. */
export async function signInAdmin(owner: pg.Client): Promise<void> {
  const id = "00000000-0000-4000-8000-00000000ad01";
  await owner.query(`
    insert into auth.users (id, email) values ('${id}', 'admin@example.test');
    insert into public.profiles (id, role) values ('${id}', 'admin');
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status) values ('${id}', '${id}', 'x', 'totp', 'verified');
    insert into auth.sessions (id, user_id, aal, factor_id) values ('${id}', '${id}', 'aal2', '${id}')`);
  const claims = JSON.stringify({ sub: id, session_id: id, aal: "aal2", role: "authenticated" });
  await owner.query("select set_config('request.jwt.claims', $1, false)", [claims]);
}

/** The time of one statement by the database's own clock, in milliseconds; the second run, when its pages are in memory. */
export async function timeOf(owner: pg.Client, sql: string): Promise<number> {
  const explain = `explain (analyze, format json) ${sql}`;
  await owner.query(explain);
  type Plan = { "QUERY PLAN": [{ "Execution Time": number }] };
  const { rows } = await owner.query<Plan>(explain);
  return rows[0]?.["QUERY PLAN"][0]["Execution Time"] ?? Infinity;
}
