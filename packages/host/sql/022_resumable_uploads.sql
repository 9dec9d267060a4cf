-- Resumable uploads (TUS): how far each has come. Its bytes are parts in the store of files until it is complete; only then is there an object.
create table host.resumable_uploads (
  id uuid primary key,
  owner text not null,
  bucket_id text not null,
  name text not null,
  size bigint not null check (size > 0),
  received bigint not null default 0,
  parts uuid[] not null default '{}',
  metadata text not null,
  upsert boolean not null,
  operation text not null,
  created_at timestamptz not null,
  claimed_until timestamptz,
  finished_at timestamptz,
  check (received between 0 and size)
);
comment on table host.resumable_uploads is 'Resumable uploads of the last day, finished ones with them, so that a client which missed the last answer learns of it.';
comment on column host.resumable_uploads.owner is 'Role and account that began it; nobody else can go on with it.';
comment on column host.resumable_uploads.parts is 'Versions in the store of files, in their order; empty once it is finished.';
comment on column host.resumable_uploads.claimed_until is 'Until then one request makes the object of it.';
create index resumable_uploads_owner on host.resumable_uploads (owner) where finished_at is null;
create index resumable_uploads_created on host.resumable_uploads (created_at);
