-- A lesson names its film by the storage's path, without an origin, so that it stays right when the server moves.
create function private.film_stem(address text) returns text
  language sql immutable set search_path = '' as $$
  select substring(address from
    '^/storage/v1/object/authenticated/course-films/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20})\.(?:mp4|webm)$')
$$;
comment on function private.film_stem(text) is 'Name of an uploaded film without its extension, from the address in a lesson; null for other addresses.';

create function private.caller_is_mentor() returns boolean
  language sql stable security definer set search_path = '' as $$
  select auth.uid() is not null and private.is_mentor(auth.uid())
$$;
comment on function private.caller_is_mentor() is 'True for a mentor with a live membership, and for administrators.';
grant execute on function private.caller_is_mentor to authenticated;

-- Films of lessons the caller may read: as a member of the course, in the version that was begun, and as a buyer.
create function private.caller_films() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  return query
    select private.film_stem(m.video_url) from public.course_modules m
    where m.is_published and m.video_url like '/storage/%' and m.course_id in (select private.caller_enrolled_courses());
  return query
    select private.film_stem(l.lesson ->> 'video_url')
    from public.course_enrollments e
    join private.course_versions v on v.course_id = e.course_id and v.version = e.course_version
    cross join lateral jsonb_array_elements(v.modules) l (lesson)
    where e.user_id = caller and e.completed_at is null and l.lesson ->> 'video_url' like '/storage/%'
      and e.course_id in (select private.caller_enrolled_courses());
  return query
    select private.film_stem(l.lesson ->> 'video_url')
    from private.live_course_purchases p
    join public.courses c on c.id = p.course_id
    -- A buyer moves on to the newest version when they like, and reads it once the bought one is completed.
    cross join lateral (values (c.version), (private.bought_version(caller, c.id))) t (version)
    cross join lateral private.lessons_of_version(c.id, t.version, caller) l
    where p.user_id = caller and l.lesson ->> 'video_url' like '/storage/%';
end
$$;
comment on function private.caller_films() is 'Names without extension of the uploaded films in lessons that the caller may read.';
grant execute on function private.caller_films to authenticated;

-- Counted and added up under a lock for each account, and by the name, because the storage service of a hosted project
-- writes the row with its own role. P0001 is the code whose sentence the storage passes on.
create function private.tg_storage_objects__limit_films() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  mentor constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
  size constant bigint := coalesce((new.metadata ->> 'size')::bigint, 0);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if mentor is null or auth.uid() <> mentor or not exists (select from auth.users u where u.id = mentor) then
    return new;
  end if;
  if new.name like '%.vtt' and size > 262144 then
    perform private.fail('P0001', 'Captions can have at most 256 KB.');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('course-films:' || mentor, 0));
  if size + (
    select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
    where o.bucket_id = 'course-films' and o.name like mentor || '-%'
  ) > 1073741824 then
    perform private.fail('P0001', 'Your films have reached 1 GB together, which is the most. Unused ones are deleted after 30 days.');
  end if;
  begin
    perform private.enforce_rate_limit(mentor, 'film_upload');
  exception when sqlstate 'FF300' then
    perform private.fail('P0001', 'You can upload 60 files within an hour. Try again later.');
  end;
  return new;
end
$$;
create trigger storage_objects__limit_films before insert on storage.objects
  for each row when (new.bucket_id = 'course-films')
  execute function private.tg_storage_objects__limit_films();

-- A review is about exactly this film. Other captions mean a copy of the film under another name.
create trigger storage_objects__keep_films before update on storage.objects
  for each row when (old.bucket_id = 'course-films' or new.bucket_id = 'course-films')
  execute function private.tg_storage_objects__keep_content();

-- There is no policy for update or delete, so no client replaces a film.
create policy insert_own_course_film on storage.objects for insert to authenticated
  with check (
    bucket_id = 'course-films'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(mp4|webm|vtt)$')
    and (select private.caller_is_mentor())
  );

create policy select_readable_course_film on storage.objects for select to authenticated
  using (
    bucket_id = 'course-films'
    and (
      starts_with(name, (select auth.uid())::text || '-')
      or split_part(name, '.', 1) in (select private.caller_films())
      or (select private.caller_is_admin())
    )
  );

-- Films of other mentors are refused: who publishes a lesson could otherwise read any film whose name they learn.
create function private.film_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  select 'modules.' || m.place, case when f.stem is null or not starts_with(f.stem, d.owner_id || '-') or not exists (
      select from storage.objects o
      where o.bucket_id = 'course-films' and o.name in (f.stem || '.mp4', f.stem || '.webm')
        and m.module ->> 'video_url' like '%/' || o.name
    ) then 'This film is no longer stored. Upload it again.'
    else 'Add captions to the film.' end
  from jsonb_array_elements(v.modules) with ordinality m (module, place)
  cross join lateral (select private.film_stem(m.module ->> 'video_url')) f (stem)
  where m.module ->> 'video_url' like '/storage/%'
    and (f.stem is null or not starts_with(f.stem, d.owner_id || '-') or 2 <> (
      select count(*) from storage.objects o
      where o.bucket_id = 'course-films'
        and o.name in (f.stem || '.vtt', f.stem || substring(m.module ->> 'video_url' from '\.[a-z0-9]+$'))
    ))
$$;
comment on function private.film_issues(public.drafts, public.draft_versions) is
  'What is wrong with the uploaded films of a course: each has to be stored by its owner, with captions.';

-- A version keeps its film for thirty days after a newer one. What is or was published keeps it for good, also when its mentor's
-- account is deleted: members and buyers still have the course.
-- @rpc service_role
-- Server: films to delete now.
create function private.course_films_to_purge(after text default '', batch integer default 100) returns setof text
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
comment on function private.course_films_to_purge(text, integer) is
  'Films and captions older than a day that no lesson and no version shows; by name, after the given one.';
