-- Part 21 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/reading-sources.sql

create function private.article_analytics(article uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
begin
  perform private.require_own_text(article, null);
  return (
    with figures as materialized (
      select f.event, f.day, f.amount from private.content_figures(array[article]) f
    )
    select jsonb_build_object(
      'id', a.id, 'title', a.title, 'is_published', a.is_published, 'today', today,
      'readers', (select count(*) from public.article_opens o where o.article_id = a.id),
      'reads', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'read'),
      'questions', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'question'),
      'open_questions', (select count(*) from private.content_questions q where q.article_id = a.id and q.answer is null),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'reads', d.reads) order by d.day), '[]')
        from (
          select f.day, sum(f.amount) as reads from figures f where f.event = 'read' and f.day > today - 90 group by f.day
        ) d
      ),
      'comparison', private.article_comparison(a)
    )
    from public.articles a where a.id = article
  );
end
$$;
comment on function private.article_analytics(uuid) is
  'Everything the analytics of one article show but its sources and ratings: figures, 90 days, comparison. FF650, FF740.';

-- studio/reading-trend.sql

-- Who reads a mentor lately: a few figures of a period, readers by day, and where members of courses stop.

-- Of each member and course the first lesson that is not completed; where most stand.
create function private.usual_stop(ids uuid[]) returns jsonb
  language sql stable set search_path = '' as $$
  with lessons as materialized (
    select m.id, m.course_id, row_number() over (partition by m.course_id order by m.module_order, m.id) as place
    from public.course_modules m where m.course_id = any (ids) and m.is_published
  ), stands as (
    select e.course_id, min(l.place) as place
    from public.course_enrollments e
    join lessons l on l.course_id = e.course_id
    where e.completed_at is null
      and not exists (select from public.module_completions d where d.user_id = e.user_id and d.module_id = l.id)
    group by e.course_id, e.user_id
  )
  select jsonb_build_object('course_id', c.id, 'title', c.title, 'module', s.place, 'members', count(*))
  from stands s join public.courses c on c.id = s.course_id
  group by c.id, c.title, s.place order by count(*) desc, c.created_at, s.place limit 1
$$;
comment on function private.usual_stop(uuid[]) is 'The lesson at which most members of some courses stand, with its place; null without any.';

-- @rpc authenticated
-- Mentors: what happened to their articles and courses in the last days, and readers by day.
create function private.my_reading_trend(days integer default 30) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
  today constant date := (now() at time zone 'UTC')::date;
  since constant date := today - least(greatest(coalesce(days, 30), 1), 365) + 1;
  articles constant uuid[] := array(select a.id from public.articles a where a.author_id = caller or is_admin);
  courses constant uuid[] := array(select c.id from public.courses c where c.mentor_id = caller or is_admin);
  lessons constant uuid[] := array(select m.id from public.course_modules m where m.course_id = any (courses));
begin
  return (
    with opened as materialized (
      select o.user_id, o.last_opened_on as day from public.article_opens o
      where o.article_id = any (articles) and o.last_opened_on > today - 365
    ), figures as materialized (
      select f.content_id, f.event, f.amount from private.content_figures(articles || courses || lessons) f where f.day >= since
    )
    select jsonb_build_object(
      'today', today,
      'readers_this_week', (select count(distinct o.user_id) from opened o where o.day > today - 7),
      'readers', (select count(distinct o.user_id) from opened o where o.day >= since),
      'reads', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'read'),
      'enrolments', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'enrolment'),
      'lessons', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'completion' and f.content_id = any (lessons)),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'readers', d.readers) order by d.day), '[]')
        from (
          select o.day, count(distinct o.user_id) as readers from opened o where o.day >= since group by o.day
        ) d
      ),
      'stop', private.usual_stop(courses)
    )
  );
end
$$;
comment on function private.my_reading_trend(integer) is
  'Of the caller''s texts, everyone''s for administrators: figures of at most 365 days and readers by the day on which each last opened an article. FF650 for other callers.';

-- studio/review.sql

-- Publishes now, or at a time to come.
create function private.release_draft(draft uuid, publish_at timestamptz, approved_by uuid) returns text
  language plpgsql volatile set search_path = '' as $$
declare
  former public.drafts;
begin
  if publish_at > now() + interval '1 year' then
    perform private.fail('FF655', 'Choose a time within a year.');
  end if;
  select d.* into strict former from public.drafts d where d.id = draft for update;
  update public.drafts d set approved_by = release_draft.approved_by where d.id = draft;
  if publish_at > now() then
    update public.drafts d set status = 'scheduled', publish_at = release_draft.publish_at, updated_at = clock_timestamp()
    where d.id = draft;
    perform private.audit(auth.uid(), 'draft.scheduled', former.owner_id, jsonb_build_object(
      'draft', draft, 'version', former.version, 'before', jsonb_build_object('status', former.status),
      'after', jsonb_build_object('status', 'scheduled', 'publish_at', release_draft.publish_at)
    ));
    return 'scheduled';
  end if;
  perform private.publish_draft_version(draft, auth.uid());
  return 'published';
end
$$;
comment on function private.release_draft(uuid, timestamptz, uuid) is 'Publishes or schedules the newest version; the new status. Audited.';

-- @rpc authenticated (draft_id, expected_version, publish_at)
-- Mentors: hand a draft in for review; trusted mentors publish it. The new status.
create function private.submit_draft(draft uuid, expected_version integer, publish_at timestamptz default null) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  d public.drafts := private.lock_draft(draft, expected_version, '{draft,returned,published,withdrawn}');
begin
  if d.owner_id <> caller then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if d.status = 'published' and d.published_version = d.version then
    perform private.fail('FF653', 'The draft is in another state.', d.status);
  end if;
  perform private.require_time_to_come(submit_draft.publish_at);
  perform private.require_ready(d);
  if private.caller_is_trusted(d) then
    return private.release_draft(draft, submit_draft.publish_at, null);
  end if;
  update public.drafts t
  set status = 'submitted', submitted_at = clock_timestamp(), publish_at = submit_draft.publish_at,
    updated_at = clock_timestamp()
  where t.id = draft;
  return 'submitted';
end
$$;
comment on function private.submit_draft(uuid, integer, timestamptz) is
  'Hands the newest version in for review; trusted mentors publish or schedule it. The new status. publish_at is the wished time; FF655 unless it is to come.';

-- Takes back what is not decided or not published yet.
-- @rpc authenticated (draft_id, expected_version)
-- Mentors: take a draft back from review or from its schedule.
create function private.recall_draft(draft uuid, expected_version integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  former public.drafts;
begin
  perform private.require_caller();
  former := private.lock_draft(draft, expected_version, '{submitted,scheduled}');
  perform private.require_draft_owner_or_admin(former);
  update public.drafts d
  set status = case
      when d.published_version is null then 'draft' when private.is_in_library(d) then 'published' else 'withdrawn'
    end, publish_at = null, updated_at = clock_timestamp()
  where d.id = draft;
  perform private.audit_draft_of_other(former, 'draft.recalled');
end
$$;
comment on function private.recall_draft(uuid, integer) is
  'Takes a draft back from review or from its schedule. Administrators need a second factor (FF005) and are audited.';

-- @rpc authenticated (draft_id, expected_version)
-- Mentors: hide published work from the library.
create function private.withdraw_draft(draft uuid, expected_version integer)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  d public.drafts := private.lock_draft(draft, expected_version, '{published,returned,draft}');
  caller uuid := private.require_draft_owner_or_admin(d);
begin
  if d.published_version is null then
    perform private.fail('FF653', 'The draft is in another state.', d.status);
  end if;
  update public.articles a set is_published = false where a.id = d.article_id;
  update public.courses c set is_published = false where c.id = d.course_id;
  update public.drafts t set status = 'withdrawn', updated_at = clock_timestamp() where t.id = draft;
  -- An administrator's decision is kept as one of the console is, so that trust does not undo it.
  if d.owner_id <> caller then
    perform private.keep_console_edits(coalesce(d.article_id, d.course_id), '{is_published}');
  end if;
  perform private.audit(caller, 'draft.withdrawn', d.owner_id, jsonb_build_object(
    'draft', draft, 'before', jsonb_build_object('status', d.status), 'after', jsonb_build_object('status', 'withdrawn')
  ));
end
$function$;
comment on function private.withdraw_draft(uuid,integer) is 'Hides published work from the library; what an administrator hid is reviewed before it comes back. Administrators need a second factor (FF005). Reads, enrolments and completions stay. Audited.';

-- @rpc authenticated (draft_id, expected_version, archived)
-- Mentors: put a draft away, or take it out again.
create function private.archive_draft(draft uuid, expected_version integer, archived boolean default true) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  d public.drafts;
begin
  perform private.require_caller();
  d := private.lock_draft(
    draft, expected_version, case when archived then '{draft,returned,withdrawn}' else '{archived}' end::text[]
  );
  perform private.require_draft_owner_or_admin(d);
  if archived and private.is_in_library(d) then
    perform private.fail('FF653', 'The draft is in another state.', 'published');
  end if;
  update public.drafts t
  set status = case when archived then 'archived' when t.published_version is null then 'draft' else 'withdrawn' end,
    updated_at = clock_timestamp()
  where t.id = draft;
  perform private.audit_draft_of_other(d, case when archived then 'draft.archived' else 'draft.unarchived' end);
end
$$;
comment on function private.archive_draft(uuid, integer, boolean) is
  'Puts a draft away, or takes it out again. Administrators need a second factor (FF005) and are audited.';

-- @rpc authenticated (draft_id, expected_version, comments)
-- Administrators: send a submitted draft back with comments.
create function private.return_draft(draft uuid, expected_version integer, comments jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  d public.drafts := private.lock_draft(draft, expected_version, '{submitted}');
begin
  if jsonb_typeof(comments) is distinct from 'array' or jsonb_array_length(comments) not between 1 and 100 then
    perform private.fail('FF656', 'Write 1 to 100 comments.');
  end if;
  insert into public.draft_comments (draft_id, version, author_id, quote, comment)
  select d.id, d.version, admin, coalesce(c ->> 'quote', ''), btrim(coalesce(c ->> 'comment', ''))
  from jsonb_array_elements(comments) c;
  update public.drafts t set status = 'returned', publish_at = null, updated_at = clock_timestamp() where t.id = draft;
  perform private.audit(admin, 'draft.returned', d.owner_id, jsonb_build_object(
    'draft', draft, 'version', d.version,
    'before', jsonb_build_object('status', d.status), 'after', jsonb_build_object('status', 'returned')
  ));
end
$function$;
comment on function private.return_draft(uuid,integer,jsonb) is 'Sends a draft back with comments, each with quote and comment; FF656 without any. FF005 without a second factor. Audited.';

-- @rpc authenticated (draft_id, expected_version, publish_at)
-- Administrators: publish a submitted draft, or schedule it. The new status.
create function private.publish_draft(draft uuid, expected_version integer, publish_at timestamptz default null)
returns text
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  d public.drafts := private.lock_draft(draft, expected_version, '{submitted}');
begin
  perform private.require_time_to_come(publish_draft.publish_at);
  perform private.require_ready(d);
  return private.release_draft(draft, publish_draft.publish_at, admin);
end
$function$;
comment on function private.publish_draft(uuid,integer,timestamp with time zone) is 'Approves a submitted draft: publishes it at once, or at the given time, whatever its mentor wished; FF655 unless it is to come. The new status. FF005 without a second factor. Audited.';

-- studio/saving.sql

-- Writing drafts: create, save with optimistic concurrency, restore.
create function private.is_mentor(account uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $function$
  select exists (
    select from public.profiles p
    where p.id = account
      and (private.is_verified_admin(p.id) or p.role = 'mentor' and p.onboarding_complete and private.has_live_membership(p.id))
  )
$function$;
comment on function private.is_mentor(uuid) is 'True for mentors with a live membership, and for administrators with a second factor.';

create function private.require_mentor() returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not private.is_mentor(caller) then
    perform private.fail('FF650', 'Only mentors may do this.');
  end if;
  return caller;
end
$$;
comment on function private.require_mentor() is 'The calling mentor or administrator; FF001 or FF650 for other callers.';

-- Unknown fields are dropped; missing ones get the values of an empty draft.
create function private.draft_modules(modules jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', coalesce(m.module ->> 'slug', ''), 'title', coalesce(m.module ->> 'title', ''),
    'content', coalesce(m.module ->> 'content', ''), 'minutes', (m.module ->> 'minutes')::integer,
    'video_url', nullif(m.module ->> 'video_url', '')
  ) order by m.place), '[]')
  from jsonb_array_elements(case jsonb_typeof(modules) when 'array' then modules else '[]' end)
    with ordinality m (module, place)
$$;
comment on function private.draft_modules(jsonb) is 'Modules of a draft with exactly the known fields. minutes is null when they are to be computed.';

-- @rpc authenticated
-- Mentors: begin an article or a course; its id.
create function private.create_draft(kind text, fields jsonb default '{}') returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  created uuid;
begin
  perform private.enforce_rate_limit(caller, 'create_draft');
  -- A new one that nothing was written in is opened again, instead of a second one without a title.
  if fields = '{}' then
    select d.id into created from public.drafts d
    join public.draft_versions v on v.draft_id = d.id and v.version = d.version
    where d.owner_id = caller and d.kind = create_draft.kind and d.status = 'draft' and d.version = 1
      and private.is_same_version(v, written)
    order by d.created_at desc limit 1 for update of d;
    if found then
      update public.drafts d set updated_at = clock_timestamp() where d.id = created;
      return created;
    end if;
  end if;
  insert into public.drafts (owner_id, kind, title) values (caller, create_draft.kind, written.title) returning id into created;
  perform private.add_draft_version(created, 1, written);
  return created;
end
$$;
comment on function private.create_draft(text, jsonb) is 'Creates a draft with its first version; its id. Without fields, a draft that nothing was written in is given again.';

-- A request that is sent again after its answer was lost finds its own version and is no conflict.
-- @rpc authenticated (draft_id, expected_version, fields)
-- Mentors: save a new version of a draft; its number.
create function private.save_draft(draft uuid, expected_version integer, fields jsonb) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  target public.drafts;
  newest public.draft_versions;
  written public.draft_versions;
begin
  perform private.enforce_rate_limit(caller, 'save_draft');
  select d.* into target from public.drafts d where d.id = draft and d.owner_id = caller for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if target.status in ('submitted', 'scheduled', 'archived') then
    perform private.fail('FF653', 'The draft is in another state.', target.status);
  end if;
  written := private.draft_from(target.kind, fields);
  select v.* into newest from public.draft_versions v where v.draft_id = draft and v.version = target.version;
  if private.is_same_version(newest, written)
    and (expected_version = target.version or expected_version = target.version - 1 and newest.saved_by = caller) then
    return target.version;
  end if;
  if expected_version is distinct from target.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', target.version::text);
  end if;
  perform private.add_draft_version(draft, target.version + 1, written);
  return target.version + 1;
end
$$;
comment on function private.save_draft(uuid, integer, jsonb) is
  'Saves a new version of the caller''s draft; its number. FF652 when the newest version is not the expected one.';

-- @rpc authenticated (draft_id, version, expected_version)
-- Mentors: make an earlier version the newest one.
create function private.restore_draft_version(draft uuid, version integer, expected_version integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  old_version public.draft_versions;
begin
  select v.* into old_version from public.draft_versions v
  where v.draft_id = draft and v.version = restore_draft_version.version and v.draft_id in (select private.caller_drafts());
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  return private.save_draft(draft, expected_version, to_jsonb(old_version));
end
$$;
comment on function private.restore_draft_version(uuid, integer, integer) is 'Saves an earlier version as the newest one; its number.';

-- studio/student-nudges.sql

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

-- studio/written-texts.sql

-- The profile of an author names courses of the mentors' training to mentors at every level, as Today does.
create function private.written_texts(author uuid, reader uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with texts as materialized (select t.* from private.listed_texts(author, reader) t)
  select jsonb_build_object(
    'count', (select count(*) from texts),
    'newest', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.created_at desc, n.id)
      from (select t.* from texts t order by t.created_at desc, t.id limit 5) n
    ), '[]')
  )
$$;
comment on function private.written_texts(uuid, uuid) is
  'How many articles and courses of an author the reader may open, or buy where only the level is missing, and the newest five. Mentors open courses of their training at every level.';

-- Everything a member wrote can be paged through from the profile, not only the newest five. A page has what the profile has: the
-- texts the reader may open, and courses on sale. Who sees no profile sees no texts either.
create function private.has_profile_for(member uuid, reader uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select private.effective_level(member) > 0
    and exists (
      select from auth.users u
      where u.id = member and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
    )
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = reader)
$$;
comment on function private.has_profile_for(uuid, uuid) is
  'True while a member has a profile that the reader may see: a membership, not suspended, and no block of the reader.';

create function private.listed_texts(author uuid, reader uuid)
  returns table (
    id uuid, kind text, title text, category text, subcategory text, minutes integer, sale_slug text, is_training boolean,
    created_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  level constant integer := private.effective_level(reader);
  open_to_reader constant text[] := private.open_categories(level);
  is_mentor constant boolean := level > 0
    and exists (select from public.profiles p where p.id = reader and p.role = 'mentor');
begin
  return query
  select a.id, 'article', a.title, s.main_category, s.slug, a.estimated_read_time, null, false, a.created_at
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.author_id = author and a.is_published and s.is_active and s.main_category = any (open_to_reader)
  union all
  select c.id, 'course', c.title, s.main_category, s.slug, c.estimated_duration,
    case when access.is_training or access.is_open then null else o.slug end, access.is_training, c.created_at
  from public.courses c join public.subcategories s on s.id = c.subcategory_id
  cross join lateral (
    select s.is_active and s.main_category = any (open_to_reader) as is_open,
      s.is_active and s.open_to_mentors and is_mentor as is_training
  ) access
  left join private.open_course_offers o on o.course_id = c.id
  where c.mentor_id = author and c.is_published and (access.is_training or access.is_open or o.slug is not null);
end
$$;
comment on function private.listed_texts(uuid, uuid) is
  'The articles and courses of an author that the reader may open, or buy where only the level is missing.';

-- @rpc authenticated
-- Articles and courses of a member that the caller may open or buy, page by page; at most 50 a page.
create function private.written_texts_page(
  author uuid, before timestamptz default null, after_id uuid default null, page_size integer default 24
) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  perform private.enforce_rate_limit(caller, 'people');
  if not private.has_profile_for(author, caller)
    or exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = author) then
    return '[]';
  end if;
  return coalesce((
    select jsonb_agg(to_jsonb(n) order by n.created_at desc, n.id)
    from (
      select t.* from private.listed_texts(author, caller) t
      where before is null or t.created_at < before or t.created_at = before and t.id > after_id
      order by t.created_at desc, t.id limit least(greatest(coalesce(page_size, 24), 1), 50)
    ) n
  ), '[]');
end
$$;
comment on function private.written_texts_page(uuid, timestamptz, uuid, integer) is
  'A page of what a member wrote, newest first, after the text with this time and id; empty where the caller sees no profile. FF700 or FF300.';

-- submissions/edits.sql

create function private.edit_submission(submission uuid, new_title text, new_content text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  kept_title text := private.trimmed_message(new_title);
  kept_content text := private.trimmed_message(new_content);
  edited public.learning_submissions;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  if kept_title is null or kept_content is null or private.is_blank(kept_title) or private.is_blank(kept_content) then
    perform private.fail('FF330', 'A submission needs a title and some text.');
  end if;
  if char_length(kept_title) > 150 or char_length(kept_content) > 10000 then
    perform private.fail('FF760', 'A title has at most 150 characters, a text at most 10,000.');
  end if;
  select s.* into edited from public.learning_submissions s
  where s.id = submission and s.user_id = caller for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  -- Its witnesses accepted these words.
  if exists (select from private.pacts p where p.submission_id = submission) then
    perform private.fail('FF762', 'A pact stays as it was made.');
  end if;
  if edited.title = kept_title and edited.content = kept_content then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'edit_submission');
  update public.learning_submissions s set title = kept_title, content = kept_content, edited_at = clock_timestamp(), is_featured = false
  where s.id = submission;
end
$$;
comment on function private.edit_submission(uuid, text, text) is
  'Changes title and text of the caller''s own submission, which is then no longer featured. The same text again changes nothing.';
grant execute on function private.edit_submission to authenticated;

-- submissions/retention.sql

-- The data export of levels and submissions, and the deletion of unused pictures.
create function private.export_part_levels(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'level_completions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.level) from public.level_completions c where c.user_id = member
    ), '[]'),
    'progress_events', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.id) from private.progress_ledger l where l.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_levels(uuid) is 'Completed levels and progress events of one account.';

create function private.export_part_submissions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at, s.id)
      from public.learning_submissions s where s.user_id = member
    ), '[]'),
    'submission_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.submission_id)
      from public.learning_submission_likes l where l.user_id = member
    ), '[]'),
    'submission_comments', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at, c.id)
      from public.learning_submission_comments c where c.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_submissions(uuid) is 'Submissions, likes of submissions and comments of one account.';

-- A picture that no submission uses a day after its upload is deleted: it was never shared, or its submission is gone.
-- @rpc service_role
-- Server: pictures of submissions to delete now.
create function private.learning_images_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  where o.bucket_id = 'learning-images' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (
      select from public.learning_submissions s
      where s.image_url is not null and private.image_name(s.image_url) = o.name
    )
  order by o.name
  limit batch
$$;
comment on function private.learning_images_to_purge(text,integer) is 'Pictures older than a day that no submission shows; by name, after the given one.';

-- submissions/rules.sql

-- Limits uploads to twenty an hour; unused pictures are deleted after a day. A trigger counts them, serialised for each
-- account, for the reasons given in verification_documents.
create function private.tg_storage_objects__limit_images() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member text := left(new.name, 36);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('learning-images:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'learning-images' and o.name like member || '-%'
      and o.created_at > now() - interval '1 hour'
  ) >= 20 then
    perform private.fail('42501', 'This account has stored twenty pictures within the hour, which is the most.');
  end if;
  return new;
end
$$;

create trigger storage_objects__limit_images before insert on storage.objects
  for each row when (new.bucket_id = 'learning-images')
  execute function private.tg_storage_objects__limit_images();

-- There is no policy for select, update or delete, so no client lists the bucket or replaces a picture.
create policy insert_own_learning_image on storage.objects for insert to authenticated
  with check (
    bucket_id = 'learning-images'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
    and (select private.caller_effective_level()) >= 1
  );

create function private.caller_has_image(image text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from storage.objects o
    where o.bucket_id = 'learning-images' and o.name = image
      and o.name ~ ('^' || auth.uid()::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
  )
$$;
comment on function private.caller_has_image(text) is 'True when a picture of that name exists and belongs to the caller.';
grant execute on function private.caller_has_image to authenticated;

-- Trims title and content, and accepts only a picture the author uploaded.
create function private.tg_learning_submissions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  image text;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.title := private.trimmed_message(new.title);
  new.content := private.trimmed_message(new.content);
  if private.is_blank(new.title) or private.is_blank(new.content) then
    perform private.fail('FF330', 'A submission needs a title and some text.');
  end if;
  new.created_at := clock_timestamp();
  if new.image_url is not null then
    -- Clients send the object's public URL. Only its name is kept, because the URL could point to another server.
    image := private.image_name(new.image_url);
    if not private.caller_has_image(image) then
      perform private.fail('FF331', 'The picture has not been uploaded.');
    end if;
    new.image_url := coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/learning-images/' || image;
  end if;
  return new;
end
$$;

create function private.tg_learning_submissions__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'submission');
  end if;
  return new;
end
$$;

create function private.tg_learning_submission_likes__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'like');
  end if;
  return new;
end
$$;

create function private.tg_learning_submission_comments__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    new.content := private.trimmed_message(new.content);
    new.created_at := clock_timestamp();
    if private.is_blank(new.content) then
      perform private.fail('FF330', 'A comment needs some text.');
    end if;
  end if;
  return new;
end
$$;

create function private.tg_learning_submission_comments__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'comment');
  end if;
  return new;
end
$$;

-- Authors delete their own submissions; administrators delete any, audited. Likes and comments are locked before the
-- submission, in the same order as when a like or a comment is deleted.
-- @rpc authenticated
-- Deletes a submission with its likes and comments.
create function private.delete_submission(submission_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  author uuid;
begin
  select s.user_id into author from public.learning_submissions s where s.id = submission_id;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  if author <> caller then
    perform private.require_aal2();
  end if;
  perform from public.learning_submission_likes l
    where l.submission_id = delete_submission.submission_id order by l.user_id for update;
  perform from public.learning_submission_comments c
    where c.submission_id = delete_submission.submission_id order by c.id for update;
  delete from public.learning_submissions s where s.id = delete_submission.submission_id;
  if author <> caller then
    perform private.audit(
      caller, 'submission.deleted', author, jsonb_build_object('submission_id', delete_submission.submission_id)
    );
  end if;
end
$function$;
comment on function private.delete_submission(uuid) is 'Deletes the caller''s own submission, or any for administrators with a second factor (FF005), audited.';

-- @rpc authenticated
-- Deletes a comment.
create function private.delete_comment(comment_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  author uuid;
begin
  select c.user_id into author from public.learning_submission_comments c where c.id = comment_id for update;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF333', 'There is no such comment of yours.');
  end if;
  if author <> caller then
    perform private.require_aal2();
  end if;
  delete from public.learning_submission_comments c where c.id = comment_id;
  if author <> caller then
    perform private.audit(caller, 'comment.deleted', author, jsonb_build_object('comment_id', comment_id));
  end if;
end
$function$;
comment on function private.delete_comment(uuid) is 'Deletes the caller''s own comment, or any for administrators with a second factor (FF005), audited.';

reset check_function_bodies;
