// Finds settings of config.toml that have no effect on this host, so that a start can warn of them.

import { keptAuthSettings } from "./auth/settings.ts";
import type { Project } from "./project.ts";

type Table = Readonly<Record<string, unknown>>;

/**
 * Settings that the host reads, or that concern tools of the official CLI alone, such as the ports of its containers.
 * `*` stands for one name, `**` for the rest of the path.
 */
const knownPaths = [
  "project_id",
  "api.port",
  "api.schemas",
  "api.extra_search_path",
  "api.max_rows",
  // Privileges of new tables are default privileges here, which a migration may revoke.
  "api.auto_expose_new_tables",
  "api.tls.cert_path",
  "api.tls.key_path",
  "db.port",
  "db.shadow_port",
  "db.major_version",
  "db.health_timeout",
  "db.migrations.schema_paths",
  "db.seed.sql_paths",
  "db.pooler.**",
  "studio.**",
  "inbucket.**",
  "local_smtp.**",
  "analytics.**",
  // Where the CLI's declarative schema lies, and the tool that compares it with the migrations.
  "experimental.pgdelta.**",
  "edge_runtime.policy",
  "edge_runtime.inspector_port",
  "edge_runtime.deno_version",
  "storage.file_size_limit",
  "functions.*.enabled",
  "functions.*.verify_jwt",
  "functions.*.import_map",
  // Limits of sign-in methods that the host does not have.
  "auth.rate_limit.anonymous_users",
  "auth.rate_limit.sms_sent",
  "auth.rate_limit.web3",
].map((path) => path.split("."));

/** Settings that have the effect they ask for as long as they have this value. */
const effectiveValues: Readonly<Record<string, unknown>> = {
  "api.enabled": true,
  "api.tls.enabled": false,
  "auth.enabled": true,
  "auth.enable_anonymous_sign_ins": false,
  "auth.email.enabled": true,
  "auth.email.smtp.enabled": false,
  "auth.mfa.phone.enroll_enabled": false,
  "auth.mfa.phone.verify_enabled": false,
  "auth.sms.enable_signup": false,
  "auth.sms.enable_confirmations": false,
  "db.migrations.enabled": true,
  "db.seed.enabled": false,
  "edge_runtime.enabled": true,
  "realtime.enabled": true,
  "storage.enabled": true,
  "storage.image_transformation.enabled": true,
};

/** Tables that switch a part off by `enabled = false`, so that what else they hold has no effect anywhere. */
const switchableTables =
  /^(auth\.(external|hook|third_party|web3|captcha|sms|passkey|oauth_server)\b|auth\.email\.smtp$|db\.(network_restrictions|ssl_enforcement)$|storage\.(vector|analytics|s3_protocol)$|realtime\.|experimental\.)/;

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === "**") {
    return pattern.slice(0, -1).every((name, at) => name === path[at]);
  }
  return (
    pattern.length === path.length && pattern.every((name, at) => name === "*" || name === path[at])
  );
}

function hasPath(table: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  return isTable(table) && Object.hasOwn(table, name) && hasPath(table[name], rest);
}

/** True for a table that is switched off, also through `auth.sms.<provider>.enabled`. */
function isOff(path: readonly string[], table: Table): boolean {
  return table["enabled"] === false && switchableTables.test(path.join("."));
}

function leavesOf(table: Table, path: readonly string[]): { path: string[]; value: unknown }[] {
  return Object.entries(table).flatMap(([name, value]) => {
    const at = [...path, name];
    if (!isTable(value)) return [{ path: at, value }];
    if (isOff(at, value)) return [];
    return Object.keys(value).length === 0 ? [{ path: at, value }] : leavesOf(value, at);
  });
}

/**
 * The settings of config.toml that ask for something this host does not do, as dotted paths. A setting that asks for what
 * the host does anyway is none of them.
 */
export function ignoredSettings(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const auth = { auth: keptAuthSettings(project, env) };
  return leavesOf(project.settings, [])
    .filter(({ path, value }) => {
      const name = path.join(".");
      if (Object.hasOwn(effectiveValues, name)) return value !== effectiveValues[name];
      return !hasPath(auth, path) && !knownPaths.some((pattern) => matches(pattern, path));
    })
    .map(({ path }) => path.join("."));
}
