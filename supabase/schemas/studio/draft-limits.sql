-- Every save is kept, so that what the versions of one mentor take together has a limit. It is counted with each save.
create table private.draft_usage (
  user_id uuid primary key references auth.users (id) on delete cascade,
  bytes bigint not null
);
comment on table private.draft_usage is 'How many bytes the versions take that an account saved in the studio.';
alter table private.draft_usage enable row level security;

-- What a row takes beside its texts is counted as 500 bytes.
create function private.version_bytes(v public.draft_versions) returns bigint
  language sql immutable set search_path = '' as $$
  select 500 + octet_length(v.title) + octet_length(v.excerpt) + octet_length(v.content) + octet_length(v.modules::text)
$$;
comment on function private.version_bytes(public.draft_versions) is 'What a version counts against the limit of its mentor.';

create function private.tg_draft_versions__count_added() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.draft_usage as u (user_id, bytes)
  select a.saved_by, sum(private.version_bytes(a)) from added a where a.saved_by is not null group by a.saved_by
  on conflict (user_id) do update set bytes = u.bytes + excluded.bytes;
  if exists (
    select from private.draft_usage u where u.user_id in (select a.saved_by from added a) and u.bytes > 524288000
  ) then
    perform private.fail('FF659', 'Your drafts with all their versions have reached 500 MB, which is the most.');
  end if;
  return null;
end
$$;
create trigger draft_versions__count_added after insert on public.draft_versions
  referencing new table as added for each statement execute function private.tg_draft_versions__count_added();

-- An account that is being deleted has no row any more, or one that goes with it.
create function private.tg_draft_versions__count_gone() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.draft_usage u set bytes = greatest(u.bytes - g.bytes, 0)
  from (
    select o.saved_by, sum(private.version_bytes(o)) as bytes from gone o where o.saved_by is not null group by o.saved_by
  ) g
  where u.user_id = g.saved_by;
  return null;
end
$$;
create trigger draft_versions__count_gone after delete on public.draft_versions
  referencing old table as gone for each statement execute function private.tg_draft_versions__count_gone();

-- Which pictures and films the versions of a draft name is noted with each save, so that scheduled work does not read every version.
create table private.draft_pictures (
  name text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  primary key (name, draft_id)
);
comment on table private.draft_pictures is 'Objects of the bucket content-pictures that a version of a draft shows, as its cover or in a text.';
create index draft_pictures_draft_id_idx on private.draft_pictures (draft_id);
alter table private.draft_pictures enable row level security;

create table private.draft_films (
  stem text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  last_version integer not null,
  primary key (stem, draft_id)
);
comment on table private.draft_films is 'Uploaded films that a version of a draft shows, without their extension.';
comment on column private.draft_films.last_version is 'The newest version that shows it.';
create index draft_films_draft_id_idx on private.draft_films (draft_id);
alter table private.draft_films enable row level security;

create function private.note_version_files(v public.draft_versions) returns void
  language sql volatile set search_path = '' as $$
  insert into private.draft_pictures (name, draft_id)
  select p.name, v.draft_id
  from (
    select private.content_picture_name(v.cover) as name
    union
    select private.text_picture_names(v.content)
    union
    select private.text_picture_names(v.modules::text)
  ) p
  -- Names of nothing would let one text add thousands of rows. A picture is stored before a text can show it.
  join storage.objects o on o.bucket_id = 'content-pictures' and o.name = p.name
  on conflict do nothing;
  insert into private.draft_films as f (stem, draft_id, last_version)
  select distinct private.film_stem(m.module ->> 'video_url'), v.draft_id, v.version
  from jsonb_array_elements(v.modules) m (module)
  where private.film_stem(m.module ->> 'video_url') is not null
  on conflict (stem, draft_id) do update set last_version = greatest(f.last_version, excluded.last_version)
$$;
comment on function private.note_version_files(public.draft_versions) is 'Notes the pictures and films that a version shows.';

create function private.tg_draft_versions__note_files() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.note_version_files(new);
  return null;
end
$$;
create trigger draft_versions__note_files after insert or update of cover, content, modules on public.draft_versions
  for each row execute function private.tg_draft_versions__note_files();
