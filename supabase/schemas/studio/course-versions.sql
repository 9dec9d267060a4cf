-- The lessons themselves are kept as rows, hidden when they are gone. Here is how each looked, so nothing is shown that was not published.
create table private.course_versions (
  course_id uuid not null references public.courses (id) on delete cascade,
  version integer not null,
  modules jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (course_id, version)
);
comment on table private.course_versions is 'Versions of courses that were replaced by a newer one. Added, never changed.';
comment on column private.course_versions.modules is 'The lessons in their order, with their ids.';
alter table private.course_versions enable row level security;

create function private.modules_of_version(course uuid, wanted integer) returns setof uuid
  language sql stable set search_path = '' as $$
  select m.id from public.courses c join public.course_modules m on m.course_id = c.id
  where c.id = course and c.version = wanted and m.is_published
  union all
  select (m ->> 'id')::uuid from private.course_versions v cross join lateral jsonb_array_elements(v.modules) m
  where v.course_id = course and v.version = wanted
$$;
comment on function private.modules_of_version(uuid, integer) is 'Ids of the lessons of one version of a course.';

-- Titles, texts, films and their order make the version; minutes do not.
create function private.keep_course_version(course uuid, modules jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  current public.courses;
  kept jsonb;
begin
  select c.* into current from public.courses c where c.id = course for no key update;
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'slug', m.slug, 'title', m.title, 'content', m.content, 'module_order', m.module_order,
      'video_url', m.video_url, 'estimated_duration', m.estimated_duration
    ) order by m.module_order, m.id), '[]') into kept
  from public.course_modules m where m.course_id = course and m.is_published;
  if kept = '[]' or (
    select jsonb_agg(jsonb_build_array(k -> 'slug', k -> 'title', k -> 'content', k -> 'video_url') order by k.place)
    from jsonb_array_elements(kept) with ordinality k (k, place)
  ) = (
    select jsonb_agg(jsonb_build_array(
      n -> 'slug', btrim(n ->> 'title'), private.trim_markdown(n ->> 'content'), n -> 'video_url'
    ) order by n.place)
    from jsonb_array_elements(modules) with ordinality n (n, place)
  ) then
    return;
  end if;
  insert into private.course_versions (course_id, version, modules) values (course, current.version, kept);
  update public.courses c set version = c.version + 1 where c.id = course;
end
$$;
comment on function private.keep_course_version(uuid, jsonb) is
  'Keeps the published lessons as a version and begins the next one, when these modules differ from them.';

create function private.tg_course_enrollments__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;
create trigger course_enrollments__begin_version before insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__begin_version();

-- @rpc authenticated (course_id)
-- The lessons of a course as they were when one began it, when a newer version has come out.
create function private.enrolled_course_version(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  return (
    select jsonb_agg(m.module || jsonb_build_object('completions', case when d.module_id is null then '[]'::jsonb
      else jsonb_build_array(jsonb_build_object('module_id', d.module_id)) end) order by m.place)
    from public.course_enrollments e
    join private.course_versions v on v.course_id = e.course_id and v.version = e.course_version
    cross join lateral jsonb_array_elements(v.modules) with ordinality m (module, place)
    left join public.module_completions d on d.user_id = caller and d.module_id = (m.module ->> 'id')::uuid
    where e.user_id = caller and e.course_id = course and e.completed_at is null
  );
end
$$;
comment on function private.enrolled_course_version(uuid) is
  'The lessons of the replaced version the caller takes, in order, with what is completed; null when it is the newest. FF405.';

-- @rpc authenticated (course_id)
-- Moves one's enrolment to the newest version of a course.
create function private.take_newest_version(course uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  -- In the order of all locks: the course first, so that no version comes out in between.
  perform from public.courses c where c.id = course for key share;
  update public.course_enrollments e set course_version = c.version
  from public.courses c where c.id = course and e.course_id = course and e.user_id = caller;
  perform private.refresh_progress(course, caller);
end
$$;
comment on function private.take_newest_version(uuid) is
  'Moves the caller to the newest version of a course; what was completed stays. FF405.';

-- Every save is a version, so that a mentor's history fills the limit of all versions together. They make room themselves.
-- @rpc authenticated (draft_id)
-- Mentors: delete all but the last version of each day of a draft, except those of the last day, the published one and those with
-- comments; how many.
create function private.keep_daily_versions(draft uuid) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  d public.drafts;
  deleted integer;
begin
  perform private.enforce_rate_limit(caller, 'save_draft');
  select t.* into d from public.drafts t where t.id = draft and t.owner_id = caller for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  -- The newest has no later one.
  delete from public.draft_versions v
  where v.draft_id = draft and v.version is distinct from d.published_version
    and v.saved_at < now() - interval '1 day'
    and not exists (select from public.draft_comments c where c.draft_id = v.draft_id and c.version = v.version)
    and exists (
      select from public.draft_versions later
      where later.draft_id = v.draft_id and later.version > v.version
        and (later.saved_at at time zone 'UTC')::date = (v.saved_at at time zone 'UTC')::date
    );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
comment on function private.keep_daily_versions(uuid) is
  'Deletes versions of the caller''s draft that are older than a day, but not the last of each day (UTC), the newest, the published one and those with comments; how many.';
