-- Buckets and objects, with the names and columns of hosted Supabase. File contents are stored outside the database.
create schema if not exists storage authorization supabase_storage_admin;
grant usage on schema storage to anon, authenticated, service_role, postgres;

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  type storage.buckettype not null default 'STANDARD',
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create unique index bname on storage.buckets (name);
comment on table storage.buckets is 'A named place for files with its own size and type limits.';
comment on column storage.buckets.file_size_limit is 'Most bytes of a file; null means the limit of the installation.';
comment on column storage.buckets.allowed_mime_types is 'Allowed MIME types of files, such as image/png or image/*; null allows all.';

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  user_metadata jsonb
);
comment on table storage.objects is 'One row per stored file; row-level security on this table decides who may access it.';
comment on column storage.objects.version is 'Identifies the content in the file store; every write creates a new version.';
comment on column storage.objects.metadata is 'Properties determined by the host: size, mimetype, eTag, cacheControl.';
comment on column storage.objects.user_metadata is 'Metadata given by the uploader; never trusted.';
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index name_prefix_search on storage.objects (name text_pattern_ops);
create index idx_objects_bucket_id_name_lower on storage.objects (bucket_id, lower(name) collate "C");
-- Finds at boot the stored contents that no row references.
create index objects_version on storage.objects (version);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

create function storage.foldername(name text) returns text[] language sql immutable as $$
  select (string_to_array(name, '/'))[1 : array_length(string_to_array(name, '/'), 1) - 1]
$$;
create function storage.filename(name text) returns text language sql immutable as $$
  select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)]
$$;
create function storage.extension(name text) returns text language sql immutable as $$
  select reverse(split_part(reverse(storage.filename(name)), '.', 1))
$$;

-- The storage operation of this transaction, such as storage.object.upload, for use in policies.
create function storage.operation() returns text language sql stable as $$
  select current_setting('storage.operation', true)
$$;
create function storage.allow_any_operation(expected_operations text[]) returns boolean language sql stable as $$
  select exists (
    select from unnest(expected_operations) as expected
     where expected <> ''
       and regexp_replace(expected, '^storage\.', '') = regexp_replace(storage.operation(), '^storage\.', ''))
$$;
create function storage.allow_only_operation(expected_operation text) returns boolean language sql stable as $$
  select storage.allow_any_operation(array[expected_operation])
$$;

-- Folders and files directly below `prefix`, named relative to it; `search` narrows by how the names begin.
-- `levels` is ignored; it exists because the function has it on hosted projects.
create function storage.search(
  prefix text,
  bucketname text,
  limits integer default 100,
  levels integer default 1,
  offsets integer default 0,
  search text default '',
  sortcolumn text default 'name',
  sortorder text default 'asc'
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
) language plpgsql stable security invoker set search_path = '' as $$
declare
  base constant text := coalesce(prefix, '');
  wanted constant text := lower(base || coalesce(search, ''));
  direction constant text := case when lower(sortorder) = 'desc' then 'desc' else 'asc' end;
  sort_by constant text := case when lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at')
                                then lower(sortcolumn) else 'name' end;
begin
  return query execute format($query$
    with hit as (
      select o.*, substr(o.name, length($1) + 1) as rest,
             strpos(substr(o.name, length($2) + 1), '/') as slash
        from storage.objects o
       where o.bucket_id = $3
         -- The largest code point ends the range, so that the index scan stops after the prefix.
         and lower(o.name) collate "C" between $2 and $2 || chr(1114111)
         and starts_with(lower(o.name), $2)
    ), entry as (
      select distinct left(rest, length($2) - length($1) + slash - 1) as name, null::uuid as id,
             null::timestamptz as updated_at, null::timestamptz as created_at,
             null::timestamptz as last_accessed_at, null::jsonb as metadata
        from hit where slash > 0
      union all
      select rest, hit.id, hit.updated_at, hit.created_at, hit.last_accessed_at, hit.metadata
        from hit where slash = 0
    )
    select entry.* from entry
     order by %s lower(entry.name) collate "C" %s
     limit $4 offset $5
  $query$,
    case when sort_by = 'name' then '' else format('(entry.id is null) desc, entry.%I %s,', sort_by, direction) end,
    direction)
  using base, wanted, bucketname, least(greatest(coalesce(limits, 100), 0), 1500), greatest(coalesce(offsets, 0), 0);
end
$$;

create function storage.update_updated_at_column() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at = now();
  return new;
end
$$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();
create trigger update_buckets_updated_at before update on storage.buckets
  for each row execute function storage.update_updated_at_column();

-- Deleting a row without the API would leave its file contents behind.
create function storage.protect_delete() returns trigger language plpgsql set search_path = '' as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end
$$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

alter table storage.buckets owner to supabase_storage_admin;
alter table storage.objects owner to supabase_storage_admin;
alter type storage.buckettype owner to supabase_storage_admin;
do $$
declare
  signature regprocedure;
begin
  for signature in select oid::regprocedure from pg_proc where pronamespace = 'storage'::regnamespace loop
    execute format('alter function %s owner to supabase_storage_admin', signature);
  end loop;
end
$$;
grant all on storage.buckets, storage.objects to postgres with grant option;
grant all on storage.buckets, storage.objects to service_role;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated;
grant execute on all functions in schema storage to anon, authenticated, service_role, postgres;
