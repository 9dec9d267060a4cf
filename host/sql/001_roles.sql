-- The roles a hosted Supabase project has, so that a project's migrations find here what they find there.
-- Roles belong to the whole cluster: another database of it may have made them already.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role', 'authenticator', 'postgres',
                                   'supabase_auth_admin', 'supabase_storage_admin', 'supabase_admin'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I noinherit', role_name);
    end if;
  end loop;
end
$$;

alter role service_role bypassrls;
alter role postgres createrole createdb bypassrls login inherit;
alter role authenticator login;
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres;
grant supabase_auth_admin, supabase_storage_admin to postgres;

-- As on hosted projects, a migration may configure the API: `alter role authenticator set pgrst.db_pre_request = …`.
do $$
begin
  grant authenticator to postgres with admin option;
  grant set on parameter "pgrst.db_pre_request", "pgrst.db_max_rows" to postgres;
exception when insufficient_privilege then
  raise notice 'Only a superuser may let role postgres keep settings of the API; comments on functions say the same.';
end
$$;

-- A request may not hold the database for longer than this; hosted projects have the same limits.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role authenticator set idle_in_transaction_session_timeout = '30s';

do $$
begin
  execute format('grant create, connect, temporary on database %I to postgres', current_database());
  execute format('revoke create, temporary on database %I from public', current_database());
end
$$;

create schema if not exists extensions authorization postgres;
grant usage on schema extensions to anon, authenticated, service_role, postgres, supabase_auth_admin, supabase_storage_admin;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;

-- Hosted projects open `public` to the API roles by default; a careful project revokes this first.
alter schema public owner to postgres;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;

do $$
begin
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
end
$$;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
  -- A project's migrations add their tables to the publication.
  alter publication supabase_realtime owner to postgres;
end
$$;
