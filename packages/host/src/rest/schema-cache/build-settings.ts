// Interprets settings made with `alter role … set`, among them those of PostgREST (`pgrst.…`).

import { quoteName } from "../sql/values.ts";
import type { ApiSettings, RoleSettings } from "./model.ts";
import type { RoleRow } from "./read-routines.ts";

/** Settings of a role that requests must not take over. */
const notCarriedSettings = new Set(["role", "session_authorization", "search_path"]);

function split(setting: string): [string, string] {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}

/** The `alter role … set …` settings of every role. Postgres applies them at login only; requests change role later. */
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

/** Quotes `schema.name`, or a name without a schema, which the search path resolves. */
function functionName(setting: string | undefined): string | undefined {
  if (setting === undefined || setting === "") return undefined;
  const at = setting.indexOf(".");
  const parts = at < 0 ? [setting] : [setting.slice(0, at), setting.slice(at + 1)];
  return parts.map(quoteName).join(".");
}

/** The settings that `buildApiSettings` reads. */
const appliedSettings = new Set([
  "pgrst.db_aggregates_enabled",
  "pgrst.db_max_rows",
  "pgrst.db_pre_request",
  "pgrst.db_tx_end",
]);

function isOn(value: string | undefined): boolean {
  return ["true", "yes", "on", "1"].includes(value?.toLowerCase() ?? "");
}

/** The names of the settings of PostgREST that were made for its login role and have no effect here. */
export function ignoredApiSettings(rows: readonly RoleRow[]): string[] {
  const login = rows.find(({ name }) => name === "authenticator");
  return (login?.settings ?? [])
    .map((setting) => split(setting)[0])
    .filter((name) => name.startsWith("pgrst.") && !appliedSettings.has(name));
}

/**
 * The operator's settings from `alter role authenticator set pgrst.…`.
 * @param annotated the function whose comment begins with `@pre_request`; used when `pgrst.db_pre_request` is not set,
 * because only a superuser may set it and not every database offers one.
 */
export function buildApiSettings(
  rows: readonly RoleRow[],
  annotated: string | undefined,
): ApiSettings {
  const login = rows.find(({ name }) => name === "authenticator");
  const values = new Map((login?.settings ?? []).map(split));
  const maxRows = Number(values.get("pgrst.db_max_rows") ?? Number.NaN);
  return {
    aggregates: isOn(values.get("pgrst.db_aggregates_enabled")),
    choosesEnd: (values.get("pgrst.db_tx_end") ?? "").endsWith("-allow-override"),
    rollsBack: (values.get("pgrst.db_tx_end") ?? "").startsWith("rollback"),
    preRequest: functionName(values.get("pgrst.db_pre_request") ?? annotated),
    maxRows: Number.isInteger(maxRows) && maxRows > 0 ? maxRows : undefined,
  };
}
