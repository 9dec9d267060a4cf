-- Which pictures and films the versions of a draft name is noted with each save, so that scheduled work does not read every version.
create table private.draft_pictures (
  name text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  primary key (name, draft_id)
);
revoke all on table private.draft_pictures from public, anon, authenticated, service_role;
comment on table private.draft_pictures is 'Objects of the bucket content-pictures that a version of a draft shows, as its cover or in a text.';
create index draft_pictures_draft_id_idx on private.draft_pictures (draft_id);
alter table private.draft_pictures enable row level security;

create table private.draft_films (
  stem text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  last_version integer not null,
  primary key (stem, draft_id)
);
revoke all on table private.draft_films from public, anon, authenticated, service_role;
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
revoke all on function private.note_version_files from public, anon, authenticated, service_role;
comment on function private.note_version_files(public.draft_versions) is 'Notes the pictures and films that a version shows.';

create function private.tg_draft_versions__note_files() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.note_version_files(new);
  return null;
end
$$;
revoke all on function private.tg_draft_versions__note_files from public, anon, authenticated, service_role;
create trigger draft_versions__note_files after insert or update of cover, content, modules on public.draft_versions
  for each row execute function private.tg_draft_versions__note_files();

do $$
begin
  perform private.note_version_files(v) from public.draft_versions v;
end
$$;

-- A picture stays as long as its draft, so that every version can be restored with it.
create or replace function private.content_pictures_to_purge(after text, batch integer) returns setof text
  language sql stable security definer set search_path = '' as $$
  with used as (
    select private.image_name(a.featured_image_url) as name from public.articles a where a.featured_image_url is not null
    union
    select private.image_name(c.thumbnail_url) from public.courses c where c.thumbnail_url is not null
    union
    select private.text_picture_names(a.content) from public.articles a
    union
    select private.text_picture_names(m.content) from public.course_modules m
    union
    select private.text_picture_names(v.modules::text) from private.course_versions v
  )
  select o.name from storage.objects o
  where o.bucket_id = 'content-pictures' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (select from used u where u.name = o.name)
    and not exists (select from private.draft_pictures p where p.name = o.name)
  order by o.name
  limit batch
$$;

-- A version keeps its film for thirty days after a newer one. What is or was published keeps it for good, also when its mentor's
-- account is deleted: members and buyers still have the course.
create or replace function private.course_films_to_purge(after text, batch integer) returns setof text
  language sql stable security definer set search_path = '' as $$
  with used as (
    select private.film_stem(m.video_url) as stem from public.course_modules m where m.video_url like '/storage/%'
    union
    select private.film_stem(l.lesson ->> 'video_url')
    from private.course_versions v cross join lateral jsonb_array_elements(v.modules) l (lesson)
    where l.lesson ->> 'video_url' like '/storage/%'
    union
    select f.stem from private.draft_films f
    where not exists (
      select from public.draft_versions n
      where n.draft_id = f.draft_id and n.version > f.last_version and n.saved_at < now() - interval '30 days'
    )
  )
  select o.name from storage.objects o
  where o.bucket_id = 'course-films' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (select from used u where u.stem = split_part(o.name, '.', 1))
  order by o.name
  limit batch
$$;
