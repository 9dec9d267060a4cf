/** A second factor as the API returns it, without its secret. */
export interface FactorJson {
  id: string;
  created_at: string;
  updated_at: string;
  status: "unverified" | "verified";
  friendly_name?: string;
  factor_type: "totp" | "webauthn" | "phone";
}

/** SQL expression for the factors of account `u` in that form; null if there are none. */
export const factorsJsonSql = `(select json_agg(json_strip_nulls(json_build_object(
    'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
    'friendly_name', nullif(f.friendly_name, ''), 'factor_type', f.factor_type,
    'last_challenged_at', f.last_challenged_at)) order by f.created_at)
  from auth.mfa_factors f where f.user_id = u.id)`;
