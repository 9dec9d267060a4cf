import type { ApiSettings, RoleSettings } from "./model.ts";
import type { RoleRow } from "./read-routines.ts";

/** Settings that SET ROLE does not bring along but that bound what a request may cost or see. */
const NEVER_CARRIED = new Set(["role", "session_authorization", "search_path"]);

function split(setting: string): [string, string] {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}

/** `alter role … set …` of every role: Postgres applies it at login only, requests change role later. */
export function buildRoleSettings(rows: readonly RoleRow[]): Map<string, RoleSettings> {
  const roles = new Map<string, RoleSettings>();
  for (const { name, settings, bypassesRls } of rows) {
    const pairs = settings.map(split);
    const isolation = pairs.find(([key]) => key === "default_transaction_isolation")?.[1];
    const carried = pairs.filter(
      ([key]) =>
        !NEVER_CARRIED.has(key) &&
        !key.startsWith("pgrst.") &&
        key !== "default_transaction_isolation",
    );
    roles.set(name, { settings: carried, isolation, bypassesRls });
  }
  return roles;
}

/** `alter role authenticator set pgrst.…`, the operator's switches. */
export function buildApiSettings(rows: readonly RoleRow[]): ApiSettings {
  const login = rows.find(({ name }) => name === "authenticator");
  const values = new Map((login?.settings ?? []).map(split));
  const maxRows = Number(values.get("pgrst.db_max_rows") ?? Number.NaN);
  return {
    aggregates: values.get("pgrst.db_aggregates_enabled") === "true",
    rollbackAllowed: (values.get("pgrst.db_tx_end") ?? "").endsWith("-allow-override"),
    maxRows: Number.isInteger(maxRows) && maxRows > 0 ? maxRows : undefined,
  };
}
