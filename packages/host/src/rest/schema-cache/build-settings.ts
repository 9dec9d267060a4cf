import { quoteName } from "../sql/values.ts";
import type { ApiSettings, RoleSettings } from "./model.ts";
import type { RoleRow } from "./read-routines.ts";

/** Settings that SET ROLE does not bring along but that bound what a request may cost or see. */
const notCarriedSettings = new Set(["role", "session_authorization", "search_path"]);

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
        !notCarriedSettings.has(key) &&
        !key.startsWith("pgrst.") &&
        key !== "default_transaction_isolation",
    );
    roles.set(name, { settings: carried, isolation, bypassesRls });
  }
  return roles;
}

/** `schema.name`, or a bare name that the search path finds. */
function functionName(setting: string | undefined): string | undefined {
  if (setting === undefined || setting === "") return undefined;
  const at = setting.indexOf(".");
  const parts = at < 0 ? [setting] : [setting.slice(0, at), setting.slice(at + 1)];
  return parts.map(quoteName).join(".");
}

/**
 * `alter role authenticator set pgrst.…`, the operator's switches.
 * @param annotated the function whose comment begins with `@pre_request`, where no switch names one: only a
 * superuser may store such a switch, and not every database has one to offer.
 */
export function buildApiSettings(
  rows: readonly RoleRow[],
  annotated: string | undefined,
): ApiSettings {
  const login = rows.find(({ name }) => name === "authenticator");
  const values = new Map((login?.settings ?? []).map(split));
  const maxRows = Number(values.get("pgrst.db_max_rows") ?? Number.NaN);
  return {
    aggregates: values.get("pgrst.db_aggregates_enabled") === "true",
    rollbackAllowed: (values.get("pgrst.db_tx_end") ?? "").endsWith("-allow-override"),
    preRequest: functionName(values.get("pgrst.db_pre_request") ?? annotated),
    maxRows: Number.isInteger(maxRows) && maxRows > 0 ? maxRows : undefined,
  };
}
