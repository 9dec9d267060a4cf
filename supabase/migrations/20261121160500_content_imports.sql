-- Which library was imported last, so that a start reads its files only when they have changed.
create table private.content_imports (
  id bigint generated always as identity primary key,
  imported_at timestamptz not null default now(),
  source text not null check (source in ('shipped', 'operator')),
  digest text not null,
  changes integer not null
);
comment on table private.content_imports is 'Imports of the library, oldest first.';
comment on column private.content_imports.source is
  'shipped follows the product''s own library; after operator a start leaves the library alone.';
comment on column private.content_imports.digest is 'Fingerprint of the files.';
alter table private.content_imports enable row level security;
