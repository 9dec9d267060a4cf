-- The roles of a hosted Supabase project, on which a project's migrations rely.
-- Roles belong to the whole cluster, so another database may have created them already.
-- `host.project_owner` is the owner of the objects of migrations: role `postgres` when the host's login is a superuser,
-- otherwise the login itself, because a role `postgres` may then be a superuser of the server.
do $$
declare
  owner constant text := current_setting('host.project_owner');
  is_superuser constant boolean := (select rolsuper from pg_roles where rolname = current_user);
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role', 'authenticator', 'postgres',
                                   'supabase_auth_admin', 'supabase_storage_admin', 'supabase_admin'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I noinherit', role_name);
    end if;
    -- A login that is not a superuser must be a member of these roles to give them tables and to read those.
    if not is_superuser and role_name not in ('postgres', 'supabase_admin')
       and not pg_has_role(current_user, role_name, 'usage') then
      execute format('grant %I to %I', role_name, current_user);
    end if;
  end loop;

  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
  if owner = 'postgres' then
    alter role postgres createrole createdb bypassrls login inherit;
    grant anon, authenticated, service_role, supabase_auth_admin, supabase_storage_admin to postgres;
  end if;
end
$$;

-- The API and the auth service log in as their own roles; the host sets their passwords at every start.
alter role authenticator login;
alter role supabase_auth_admin login;
grant anon, authenticated, service_role to authenticator;

-- As on hosted projects, a migration may configure the API: `alter role authenticator set pgrst.db_pre_request = …`.
-- Only a superuser may allow that. Otherwise a comment `@pre_request` on the function has the same effect.
do $$
begin
  if current_setting('host.project_owner') = 'postgres' then
    grant authenticator to postgres with admin option;
    grant set on parameter "pgrst.db_pre_request", "pgrst.db_max_rows" to postgres;
  end if;
end
$$;

-- Timeouts of requests; hosted projects have the same ones.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role authenticator set idle_in_transaction_session_timeout = '30s';
-- As on hosted projects, so that a trigger that needs another search path fails here, too.
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';

-- Tables of the auth service outside schema auth.
grant usage on schema host to supabase_auth_admin;
alter default privileges in schema host grant select, insert, update, delete on tables to supabase_auth_admin;
alter default privileges in schema host grant usage, select on sequences to supabase_auth_admin;

do $$
declare
  owner constant text := current_setting('host.project_owner');
begin
  execute format('grant create, connect, temporary on database %I to %I', current_database(), owner);
  execute format('revoke create, temporary on database %I from public', current_database());
  execute format('create schema if not exists extensions authorization %I', owner);
end
$$;
grant usage on schema extensions to anon, authenticated, service_role, postgres, supabase_auth_admin, supabase_storage_admin;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;

-- Default privileges of the API roles in `public`, as on hosted projects; a project may revoke them.
do $$
declare
  owner constant text := current_setting('host.project_owner');
  kind text;
begin
  execute format('alter schema public owner to %I', owner);
  foreach kind in array array['tables', 'functions', 'sequences'] loop
    execute format('alter default privileges for role %I in schema public
      grant all on %s to anon, authenticated, service_role', owner, kind);
  end loop;
end
$$;
grant usage on schema public to anon, authenticated, service_role;

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
  execute format('alter publication supabase_realtime owner to %I', current_setting('host.project_owner'));
end
$$;
