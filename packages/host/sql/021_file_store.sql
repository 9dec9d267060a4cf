-- Which store keeps the files of this database, so that a host with another disk or bucket is refused: it would find no bytes
-- behind the rows, and sweep away what belongs to other rows.
create table host.file_store (
  id uuid primary key,
  bucket text,
  is_only boolean not null default true unique check (is_only)
);
comment on table host.file_store is 'The id that is also written in the folder or bucket of the stored files.';
comment on column host.file_store.bucket is 'The name of the bucket; null for a folder.';
