// Checks the server of DATABASE_URL (version, privileges, wal_level, extensions) and says how to fix what is missing.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

const oldestVersion = 150_000;
/** Free replication slots and WAL senders that a host needs. */
const leastFree = 1;
/** Extensions that `packages/host/sql` installs; a project's migrations may need more. */
const hostExtensions = ["pgcrypto", "uuid-ossp"];
/** Roles that the host creates, or must be allowed to grant when they already exist. */
const managedRoles = [
  "anon",
  "authenticated",
  "service_role",
  "authenticator",
  "supabase_auth_admin",
  "supabase_storage_admin",
  "supabase_realtime_admin",
];
/** The collation that compares texts alike on every server. PostgreSQL has it unless it was compiled without ICU. */
const icuCollation = "und-x-icu";
const createExtension = /\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?"?([\w-]+)"?/gi;

/** A role of the server and what the login may do with it. */
interface RoleProperties {
  name: string;
  isSuperuser: boolean;
  bypassesRls: boolean;
  isAdministered: boolean;
}

/** Properties of the server and the login that the host depends on. */
interface ServerProperties {
  version: number;
  versionText: string;
  login: string;
  database: string;
  encoding: string;
  isReplica: boolean;
  isSuperuser: boolean;
  createsRoles: boolean;
  bypassesRls: boolean;
  replicates: boolean;
  inherits: boolean;
  ownsDatabase: boolean;
  walLevel: string;
  freeSlots: number;
  freeSenders: number;
  hasIcu: boolean;
  roles: RoleProperties[];
  /** Required extensions that are not installed: whether the server offers them, and whether non-superusers may install them. */
  extensions: { name: string; isAvailable: boolean; isTrusted: boolean }[];
}

const serverPropertiesSql = `
  select current_setting('server_version_num')::int as version,
         current_setting('server_version') as "versionText",
         current_user as login,
         current_database() as database,
         pg_encoding_to_char(d.encoding) as encoding,
         pg_is_in_recovery() as "isReplica",
         r.rolsuper as "isSuperuser",
         r.rolcreaterole as "createsRoles",
         r.rolbypassrls as "bypassesRls",
         r.rolreplication as replicates,
         r.rolinherit as inherits,
         pg_has_role(d.datdba, 'usage') as "ownsDatabase",
         current_setting('wal_level') as "walLevel",
         current_setting('max_replication_slots')::int
           - (select count(*)::int from pg_replication_slots) as "freeSlots",
         current_setting('max_wal_senders')::int
           - (select count(*)::int from pg_stat_activity where backend_type = 'walsender') as "freeSenders",
         exists (select from pg_collation where collname = $3) as "hasIcu",
         (select coalesce(json_agg(json_build_object(
                   'name', o.rolname, 'isSuperuser', o.rolsuper, 'bypassesRls', o.rolbypassrls,
                   'isAdministered', current_setting('server_version_num')::int < 160000 or exists (
                     select from pg_auth_members m
                      where m.roleid = o.oid and m.admin_option
                        and pg_has_role(m.member, 'usage')))), '[]')
            from pg_roles o where o.rolname = any($1)) as roles,
         (select coalesce(json_agg(json_build_object(
                   'name', w.name, 'isAvailable', v.name is not null, 'isTrusted', coalesce(v.trusted, false))), '[]')
            from unnest($2::text[]) as w (name)
            left join pg_available_extensions a on a.name = w.name
            left join pg_available_extension_versions v on v.name = a.name and v.version = a.default_version
           where a.installed_version is null) as extensions
    from pg_roles r, pg_database d
   where r.rolname = current_user and d.datname = current_database()`;

const quoted = (name: string) => pg.escapeIdentifier(name);

function loginProblems(server: ServerProperties): string[] {
  if (server.isSuperuser) return [];
  const login = quoted(server.login);
  const problems: string[] = [];
  const attributes = [
    [server.createsRoles, "CREATEROLE", "to make the roles of the API"],
    [server.bypassesRls, "BYPASSRLS", "to do the host's own work"],
    [server.replicates, "REPLICATION", "to read changes for realtime"],
    [server.inherits, "INHERIT", "to use what its roles own"],
  ] as const;
  for (const [has, attribute, purpose] of attributes) {
    if (has) continue;
    problems.push(
      `The login ${server.login} needs ${attribute} ${purpose}: alter role ${login} ${attribute.toLowerCase()};`,
    );
  }
  if (!server.ownsDatabase) {
    problems.push(
      `The login ${server.login} has to own the database: alter database ${quoted(server.database)} owner to ${login};`,
    );
  }
  for (const role of server.roles) {
    if (role.isSuperuser) {
      problems.push(
        `The role ${role.name} is a superuser, which the API must never be: alter role ${quoted(role.name)} nosuperuser;`,
      );
    } else if (!role.isAdministered) {
      problems.push(
        `The role ${role.name} exists and the login may not grant it: grant ${quoted(role.name)} to ${login} with admin option;`,
      );
    }
  }
  // Before PostgreSQL 16 only superusers can grant BYPASSRLS.
  const service = server.roles.find(({ name }) => name === "service_role");
  if (server.version < 160_000 && service?.bypassesRls !== true) {
    const verb =
      service === undefined ? "create role service_role noinherit" : "alter role service_role";
    problems.push(`On PostgreSQL 15 a superuser has to run: ${verb} bypassrls;`);
  }
  for (const { name, isAvailable, isTrusted } of server.extensions) {
    if (isAvailable && !isTrusted) {
      problems.push(
        `A superuser has to install an extension: create extension ${quoted(name)} with schema extensions;`,
      );
    }
  }
  return problems;
}

function serverProblems(server: ServerProperties): string[] {
  const problems: string[] = [];
  if (server.version < oldestVersion) {
    problems.push(`The server is PostgreSQL ${server.versionText}; use version 15 or newer.`);
  }
  if (server.isReplica) {
    problems.push("The server is a read replica; name the primary in DATABASE_URL.");
  }
  if (server.encoding !== "UTF8") {
    problems.push(
      `The database ${server.database} is encoded in ${server.encoding}; make another one with: ` +
        "create database … encoding 'UTF8' template template0;",
    );
  }
  if (server.walLevel !== "logical") {
    problems.push(
      `wal_level is ${server.walLevel}, and realtime reads changes from the log only at logical: ` +
        "alter system set wal_level = 'logical'; then restart PostgreSQL.",
    );
  }
  const places = [
    [server.freeSlots, "max_replication_slots"],
    [server.freeSenders, "max_wal_senders"],
  ] as const;
  for (const [free, setting] of places) {
    if (free >= leastFree) continue;
    problems.push(
      `Nothing of ${setting} is free, and each host needs one: alter system set ${setting} to a larger number, then restart PostgreSQL.`,
    );
  }
  for (const { name, isAvailable } of server.extensions) {
    if (isAvailable) continue;
    problems.push(
      `The extension ${name} is not there; install PostgreSQL's contrib package on the server.`,
    );
  }
  return problems;
}

/** The extensions a folder of migrations asks for, and whether it names the collation. */
async function projectNeeds(
  migrationsFolder: string,
): Promise<{ extensions: string[]; needsIcu: boolean }> {
  const files = (await readdir(migrationsFolder).catch((): string[] => [])).filter((name) =>
    name.endsWith(".sql"),
  );
  const names = new Set<string>();
  let needsIcu = false;
  for (const file of files) {
    const sql = await readFile(join(migrationsFolder, file), "utf8");
    for (const match of sql.matchAll(createExtension)) names.add(match[1] ?? "");
    needsIcu ||= sql.includes(`"${icuCollation}"`);
  }
  return { extensions: [...names], needsIcu };
}

/**
 * What keeps a host from using this server with this login: one sentence per problem, with the statement that solves it.
 * Checks version, encoding, ICU, the rights of the login, `wal_level`, free replication slots and senders, and extensions.
 */
export async function findServerProblems(
  client: pg.Client,
  migrationsFolder: string,
): Promise<string[]> {
  const project = await projectNeeds(migrationsFolder);
  const extensions = new Set([...hostExtensions, ...project.extensions]);
  const { rows } = await client.query<ServerProperties>(serverPropertiesSql, [
    managedRoles,
    [...extensions],
    icuCollation,
  ]);
  const server = rows[0];
  if (server === undefined) return ["The login of DATABASE_URL is unknown to the server."];
  const icuProblems =
    server.hasIcu || !project.needsIcu
      ? []
      : [
          `The server has no collation ${icuCollation}; use a PostgreSQL that is built with ICU, as packages of systems are.`,
        ];
  return [...serverProblems(server), ...icuProblems, ...loginProblems(server)];
}
