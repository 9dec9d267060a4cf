-- A mentor reminds a student who paused a course. Nobody has a privilege on the table.
create table private.student_nudges (
  course_id uuid not null references public.courses (id) on delete cascade,
  student_id uuid not null references public.profiles (id) on delete cascade,
  nudged_at timestamptz not null default clock_timestamp(),
  primary key (course_id, student_id)
);
comment on table private.student_nudges is 'When a student of a course was reminded of it last.';
create index student_nudges_student_id_idx on private.student_nudges (student_id);
alter table private.student_nudges enable row level security;

create function private.may_take_course(member uuid, course uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  level constant integer := private.effective_level(member);
  allowed constant text[] := private.open_categories(level);
begin
  return exists (
    select from public.courses c join public.subcategories s on s.id = c.subcategory_id
    where c.id = course and c.is_published and s.is_active
      and (s.main_category = any (allowed)
        or s.open_to_mentors and level > 0 and exists (select from public.profiles p where p.id = member and p.role = 'mentor'))
  );
end
$$;
comment on function private.may_take_course(uuid, uuid) is 'True when the course is open to the account now.';

create function private.last_course_activity(member uuid, course uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select greatest(e.created_at, e.completed_at, (
    select max(d.created_at) from public.module_completions d
    where d.user_id = member and d.module_id in (select m.id from public.course_modules m where m.course_id = course)
  ))
  from public.course_enrollments e where e.user_id = member and e.course_id = course
$$;
comment on function private.last_course_activity(uuid, uuid) is 'When a student enrolled, completed a lesson or the course last.';

create function private.has_paused(last_active_at timestamptz) returns boolean
  language sql stable set search_path = '' as $$ select last_active_at <= now() - interval '7 days' $$;
comment on function private.has_paused(timestamptz) is 'True a week after the last activity.';

create function private.may_nudge_again(nudged_at timestamptz) returns boolean
  language sql stable set search_path = '' as $$ select coalesce(nudged_at <= now() - interval '14 days', true) $$;
comment on function private.may_nudge_again(timestamptz) is 'True two weeks after the last reminder, or without one.';

-- Who is not listed, blocked by the mentor or has finished is answered as an account that never enrolled. A student whose
-- membership has lapsed or who has blocked the mentor is told nothing, and the mentor learns nothing of either.
-- @rpc authenticated (course_id, student_id)
-- Mentors: remind a student who paused one of their courses.
create function private.nudge_student(course uuid, student uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  perform private.require_own_course(course);
  if student = caller or not exists (
    select from public.course_enrollments e left join public.profile_choices c on c.user_id = e.user_id
    where e.course_id = course and e.user_id = student and e.completed_at is null
      and coalesce(c.is_listed, true)
      and not exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = student)
  ) then
    perform private.fail('FF741', 'This student cannot be reminded.');
  end if;
  if not private.has_paused(private.last_course_activity(student, course)) then
    perform private.fail('FF742', 'This student was active in the last seven days.');
  end if;
  perform private.enforce_rate_limit(caller, 'nudge');
  insert into private.student_nudges as n (course_id, student_id) values (course, student)
  on conflict (course_id, student_id) do update set nudged_at = excluded.nudged_at
    where private.may_nudge_again(n.nudged_at);
  if not found then
    perform private.fail('FF743', 'This student was reminded in the last 14 days.');
  end if;
  if private.may_take_course(student, course) then
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, detail)
    select p.id, 'nudge', caller, course, course, (now() at time zone 'UTC')::date::text
    from public.profiles p where p.id = student for key share of p skip locked on conflict do nothing;
  end if;
end
$$;
comment on function private.nudge_student(uuid, uuid) is
  'Reminds a student of the caller''s course who paused it; raises FF650, FF740, FF741, FF742, FF743 or FF300.';

create function private.notification_part_nudges(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  return query
  select n.id, jsonb_build_object('place', jsonb_build_object(
    'category', s.main_category, 'shelf', 'courses', 'subcategory', s.slug, 'item_id', c.id, 'module', null, 'title', c.title
  ))
  from private.newest_notifications(member, array['nudge']) n
  join public.course_enrollments e on e.course_id = n.group_id and e.user_id = member and e.completed_at is null
  join public.courses c on c.id = n.group_id
  join public.subcategories s on s.id = c.subcategory_id
  -- A student whom the mentor has blocked keeps the line, because its going would tell them.
  where private.may_take_course(member, c.id)
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = n.actor_id);
end
$$;
comment on function private.notification_part_nudges(uuid) is
  'Reminders of courses that the member still takes and may open now, from nobody whom the member has blocked.';

create function private.export_part_nudges(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('student_nudges', coalesce((
    select jsonb_agg(to_jsonb(n) - 'student_id' order by n.nudged_at, n.course_id)
    from private.student_nudges n where n.student_id = member
  ), '[]'))
$$;
comment on function private.export_part_nudges(uuid) is 'When one account was reminded of courses.';

-- @rpc authenticated (course_id, after_time, after_id)
-- Mentors: the students of one of their courses with progress, last activity and whom one may remind, fifty at a time.
create function private.my_students(course uuid, after_time timestamptz default null, after_id uuid default null) returns table (
    user_id uuid, name text, progress integer, enrolled_at timestamptz, last_active_at timestamptz, completed_at timestamptz,
    nudged_at timestamptz, may_nudge boolean
  )
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  caller constant uuid := auth.uid();
begin
  perform private.require_own_course(course);
  return query
    select n.user_id, n.name, n.progress_percentage, n.created_at, a.at, n.completed_at, g.nudged_at,
      n.user_id <> caller and n.completed_at is null and private.has_paused(a.at) and private.may_nudge_again(g.nudged_at)
    from (
      select e.user_id, btrim(concat_ws(' ', p.first_name, p.last_name)) as name, e.progress_percentage, e.created_at, e.completed_at
      from public.course_enrollments e
      join public.profiles p on p.id = e.user_id
      left join public.profile_choices c on c.user_id = e.user_id
      where e.course_id = course and coalesce(c.is_listed, true)
        and (after_time is null or (e.created_at, e.user_id) < (after_time, after_id))
        -- The caller's own blocks alone: a student who goes from the list would tell of theirs.
        and not exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = e.user_id)
      order by e.created_at desc, e.user_id desc limit 50
    ) n
    cross join lateral (select private.last_course_activity(n.user_id, course) as at) a
    left join private.student_nudges g on g.course_id = course and g.student_id = n.user_id
    order by n.created_at desc, n.user_id desc;
end
$$;
comment on function private.my_students(uuid, timestamptz, uuid) is
  'Fifty students of a course of the caller who may be named, the last enrolled first, after one of them. FF650, FF740.';
