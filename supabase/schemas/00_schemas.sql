-- First of all files, because it decides what everything below may be used by before its own grants: nothing by nobody.
-- Postgres gives every new function to PUBLIC, and hosted Supabase gives new objects of `public` to the API's roles. With these
-- defaults an object is closed until the file that creates it says who may use it.
alter default privileges revoke all on schemas from public, anon, authenticated, service_role;
alter default privileges revoke all on tables from public, anon, authenticated, service_role;
alter default privileges revoke all on sequences from public, anon, authenticated, service_role;
alter default privileges revoke all on functions from public, anon, authenticated, service_role;
alter default privileges revoke all on types from public, anon, authenticated, service_role;
-- What hosted Supabase grants in one schema is revoked in that schema.
alter default privileges in schema public revoke all on tables from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from public, anon, authenticated, service_role;

revoke all on schema public from public, anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;

-- Rules and server-only data live in a schema the API does not expose.
create schema private;
comment on schema private is 'Rules and server-only data. Not exposed by the API; callers reach it through policies, triggers and wrappers.';
grant usage on schema private to authenticated, service_role;

-- What the platform calls has its own schema, because it also runs for visitors, who have no access to `private`.
create schema hooks;
comment on schema hooks is 'Functions that the platform calls: before a request, after a restore. Not exposed.';
grant usage on schema hooks to anon, authenticated, service_role;

create extension if not exists pg_trgm with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;
