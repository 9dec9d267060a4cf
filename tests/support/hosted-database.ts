import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { findBinaries } from "basehost/database";
import { hostSqlFolder } from "basehost/testing";
import { startCleanCluster } from "./clean-cluster.ts";

/**
 * Roles, memberships, owners and default privileges as on a hosted project, with stand-ins for the schemas Supabase
 * provides. Only supabase_admin is a superuser, and `postgres` is not a member of supabase_auth_admin.
 */
const setupStatements = (passwords: Record<string, string>) => [
  `create role postgres login createrole createdb replication bypassrls password '${passwords["postgres"]}'`,
  "create role anon noinherit",
  "create role authenticated noinherit",
  "create role service_role noinherit bypassrls",
  "create role authenticator noinherit login",
  `create role supabase_auth_admin noinherit createrole login password '${passwords["supabase_auth_admin"]}'`,
  "create role supabase_storage_admin noinherit createrole login",
  "create role supabase_realtime_admin noinherit",
  "create role supabase_replication_admin login replication",
  "create role supabase_read_only_user login bypassrls",
  "create role dashboard_user createdb createrole replication",
  "create role pgbouncer login",
  "alter database postgres owner to postgres",
  "create schema host",
  "select set_config('host.project_owner', 'postgres', false)",
];

const hostedStatements = [
  // The host's own schema is no part of a hosted project.
  "drop schema host cascade",
  "alter schema public owner to pg_database_owner",
  "alter schema auth owner to supabase_admin",
  "grant all on schema auth to supabase_auth_admin",
  "grant all on schema auth to dashboard_user",
  // The auth service writes these itself, and cannot read a null.
  `alter table auth.users ${[
    "confirmation_token",
    "recovery_token",
    "email_change_token_new",
    "email_change",
  ]
    .map((column) => `alter ${column} drop default`)
    .join(", ")}`,
  "alter schema storage owner to supabase_admin",
  "grant all on schema storage to supabase_storage_admin, dashboard_user",
  "grant usage, create on schema public to postgres",
  "revoke supabase_auth_admin from postgres",
  "grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres",
  "grant anon, authenticated, service_role, authenticator to postgres with admin option",
  // A hosted project may configure its API: alter role authenticator set pgrst.….
  'grant set on parameter "pgrst.db_pre_request", "pgrst.db_max_rows" to postgres',
  // Hosted projects let `postgres` set this to bring data along.
  "grant set on parameter session_replication_role to postgres",
  // On hosted projects an extension lets `postgres` write policies on these tables; membership stands in for it.
  "grant supabase_storage_admin, supabase_realtime_admin to postgres",
  ...["tables", "functions", "sequences"].map(
    (kind) =>
      `alter default privileges for role supabase_admin in schema public
         grant all on ${kind} to postgres, anon, authenticated, service_role`,
  ),
  // Vault, pg_cron and pg_net, as far as schedules use them.
  "create schema vault",
  "create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, secret text)",
  "create view vault.decrypted_secrets as select id, name, secret as decrypted_secret from vault.secrets",
  `create function vault.create_secret(new_secret text, new_name text) returns uuid language sql security definer as
     'insert into vault.secrets (name, secret) values (new_name, new_secret) returning id'`,
  "create schema cron",
  "create table cron.job (jobname text primary key, schedule text, command text)",
  `create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql security definer as
     'insert into cron.job values (job_name, schedule, command)
        on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning 1::bigint'`,
  "create schema net",
  `create table net.requests (id bigint generated always as identity, url text, body jsonb, params jsonb,
     headers jsonb, timeout_milliseconds integer)`,
  `create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
     headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000)
     returns bigint language sql security definer as
     'insert into net.requests (url, body, params, headers, timeout_milliseconds)
        values (url, body, params, headers, timeout_milliseconds) returning id'`,
  "grant usage on schema vault, cron, net to postgres",
  "grant select on vault.decrypted_secrets, cron.job, net.requests to postgres",
];

/** `postgres` is the operator, `supabase_auth_admin` the auth service, `supabase_admin` Supabase's own superuser. */
type Login = "postgres" | "supabase_auth_admin" | "supabase_admin";

/** A database with the roles of a hosted project, without the product's migrations. */
export interface HostedDatabase {
  url: (login: Login, database?: string) => string;
  /** Runs a statement as one of the logins. */
  query: (
    login: Login,
    sql: string,
    values?: readonly unknown[],
  ) => Promise<Record<string, unknown>[]>;
  stop: () => Promise<void>;
}

export async function startHostedDatabase(): Promise<HostedDatabase> {
  const cluster = await startCleanCluster(await findBinaries(), "supabase_admin");
  const passwords = {
    postgres: randomBytes(12).toString("hex"),
    supabase_auth_admin: randomBytes(12).toString("hex"),
  };
  const names = (await readdir(hostSqlFolder)).filter((name) => name.endsWith(".sql")).toSorted();
  const standIns = await Promise.all(
    names.map(async (name) => await readFile(new URL(name, hostSqlFolder), "utf8")),
  );
  await cluster.run([...setupStatements(passwords), ...standIns, ...hostedStatements]);
  const url: HostedDatabase["url"] = (login, database = "postgres") =>
    login === "supabase_admin"
      ? cluster.url(database)
      : cluster.url(database, login, passwords[login]);
  return {
    url,
    query: async (login, sql, values = []) => {
      const client = new pg.Client({ connectionString: url(login) });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
      } finally {
        await client.end();
      }
    },
    stop: cluster.stop,
  };
}
