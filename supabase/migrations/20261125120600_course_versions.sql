-- What the studio publishes over a published course is a new version. Members in the middle finish the one they began, or move on.
alter table public.courses add column version integer not null default 1;
comment on column public.courses.version is 'Counts the publications that changed the lessons; kept by the server.';
grant select (version) on table public.courses to authenticated;
alter table public.course_enrollments add column course_version integer not null default 1;
comment on column public.course_enrollments.course_version is 'The version the member takes; older than the course''s own for who began before it changed.';
grant select (course_version) on table public.course_enrollments to authenticated;

-- The lessons themselves are kept as rows, hidden when they are gone. Here is how each looked, so nothing is shown that was not published.
create table private.course_versions (
  course_id uuid not null references public.courses (id) on delete cascade,
  version integer not null,
  modules jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (course_id, version)
);
revoke all on table private.course_versions from public, anon, authenticated, service_role;
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
revoke all on function private.modules_of_version from public, anon, authenticated, service_role;
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
revoke all on function private.keep_course_version from public, anon, authenticated, service_role;
comment on function private.keep_course_version(uuid, jsonb) is
  'Keeps the published lessons as a version and begins the next one, when these modules differ from them.';

create or replace function private.publish_course(d public.drafts, v public.draft_versions) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  place integer;
  target uuid := d.course_id;
begin
  if target is null then
    select coalesce(max(c.display_order), 0) + 1 into place from public.courses c where c.subcategory_id = v.subcategory_id;
    insert into public.courses (subcategory_id, slug, title, description, difficulty_level, price, display_order,
      is_published, mentor_id, created_at)
    values (v.subcategory_id, v.slug, v.title, v.excerpt, v.difficulty_level, v.price, place, true, d.owner_id,
      date_trunc('day', now(), 'UTC') - make_interval(secs => place))
    returning id into target;
  else
    perform private.keep_course_version(target, v.modules);
    update public.courses c
    set title = v.title, description = v.excerpt, difficulty_level = v.difficulty_level, price = v.price,
      is_published = true
    where c.id = target;
  end if;
  perform private.publish_modules(target, v.modules);
  return target;
end
$$;

-- Progress is a share of the version the member takes.
create or replace function private.refresh_progress(course uuid, member uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  category text := (
    select s.main_category from public.courses c join public.subcategories s on s.id = c.subcategory_id where c.id = course
  );
  mentor constant uuid := (select c.mentor_id from public.courses c where c.id = course);
  taken integer;
  modules uuid[];
  enrolment record;
begin
  -- Counted after the lock is taken.
  perform from public.course_enrollments e
  where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member)
  order by e.user_id for update;
  for taken in
    select distinct e.course_version from public.course_enrollments e
    where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member) order by 1
  loop
    modules := array(select private.modules_of_version(course, taken));
    continue when cardinality(modules) = 0;
    for enrolment in
      select e.user_id, (
        select count(*) from public.module_completions d where d.user_id = e.user_id and d.module_id = any (modules)
      )::integer as done
      from public.course_enrollments e
      where e.course_id = course and e.completed_at is null and e.course_version = taken and (member is null or e.user_id = member)
      order by e.user_id
    loop
      update public.course_enrollments e
      set progress_percentage = round(100.0 * enrolment.done / cardinality(modules)),
        completed_at = case when enrolment.done = cardinality(modules) then clock_timestamp() end
      where e.course_id = course and e.user_id = enrolment.user_id;
      -- Mentors complete their own courses as members do, but nobody rises by their own text.
      if enrolment.done = cardinality(modules) and enrolment.user_id is distinct from mentor then
        perform private.record_progress_event(enrolment.user_id, 'course_completed', course::text, category);
      end if;
    end loop;
  end loop;
end
$$;

-- A lesson that is gone from the course is still completed by who takes the version it belongs to.
create or replace function private.lock_enrollment(module uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  course uuid;
begin
  select m.course_id into course from public.course_modules m
  where m.id = module and (m.is_published or exists (
    select from public.course_enrollments e
    where e.user_id = caller and e.course_id = m.course_id and e.completed_at is null
      and m.id in (select private.modules_of_version(e.course_id, e.course_version))
  )) for key share;
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  perform from public.course_enrollments e where e.user_id = caller and e.course_id = course for update;
end
$$;

create function private.tg_course_enrollments__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;
revoke all on function private.tg_course_enrollments__begin_version from public, anon, authenticated, service_role;
create trigger course_enrollments__begin_version before insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__begin_version();

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
revoke all on function private.enrolled_course_version from public, anon, authenticated, service_role;
comment on function private.enrolled_course_version(uuid) is
  'The lessons of the replaced version the caller takes, in order, with what is completed; null when it is the newest. FF405.';
grant execute on function private.enrolled_course_version(uuid) to authenticated;
create function public.enrolled_course_version(course_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.enrolled_course_version(course_id) $$;
revoke all on function public.enrolled_course_version from public, anon, authenticated, service_role;
comment on function public.enrolled_course_version(uuid) is 'The lessons of a course as they were when one began it, when a newer version has come out.';
grant execute on function public.enrolled_course_version(uuid) to authenticated;

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
revoke all on function private.take_newest_version from public, anon, authenticated, service_role;
comment on function private.take_newest_version(uuid) is
  'Moves the caller to the newest version of a course; what was completed stays. FF405.';
grant execute on function private.take_newest_version(uuid) to authenticated;
create function public.take_newest_version(course_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.take_newest_version(course_id) $$;
revoke all on function public.take_newest_version from public, anon, authenticated, service_role;
comment on function public.take_newest_version(uuid) is 'Moves one''s enrolment to the newest version of a course.';
grant execute on function public.take_newest_version(uuid) to authenticated;

create function private.export_part_course_versions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('course_versions', coalesce((
    select jsonb_agg(to_jsonb(v) order by v.replaced_at, v.course_id)
    from private.course_versions v join public.courses c on c.id = v.course_id where c.mentor_id = member
  ), '[]'))
$$;
revoke all on function private.export_part_course_versions from public, anon, authenticated, service_role;
comment on function private.export_part_course_versions(uuid) is 'Earlier versions of the courses one account wrote.';
