-- What mentors read about their own articles and courses. A caller who is not the mentor of a course, nor an administrator, is
-- answered as for a course that does not exist.

-- The variables make plans for the day and the texts at hand: few events are newer than the counted days.
create function private.content_figures(ids uuid[])
  returns table (content_id uuid, event text, day date, amount bigint)
  language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  since constant timestamptz :=
    (select s.counted_until from private.content_days_state s)::timestamp at time zone 'UTC';
begin
  return query
    select v.content_id, v.event, v.day, sum(v.amount)::bigint
    from (
      select d.content_id, d.event, d.day, d.amount::bigint from private.content_days d where d.content_id = any (ids)
      union all
      select r.article_id, 'read', (r.created_at at time zone 'UTC')::date, count(*)
      from public.article_reads r where r.article_id = any (ids) and r.created_at >= since group by 1, 3
      union all
      select e.course_id, 'enrolment', (e.created_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.created_at >= since group by 1, 3
      union all
      select e.course_id, 'completion', (e.completed_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.completed_at >= since group by 1, 3
      union all
      select m.module_id, 'completion', (m.created_at at time zone 'UTC')::date, count(*)
      from public.module_completions m where m.module_id = any (ids) and m.created_at >= since group by 1, 3
      union all
      select coalesce(q.article_id, q.module_id), 'question', (q.created_at at time zone 'UTC')::date, count(*)
      from private.content_questions q
      where (q.article_id = any (ids) or q.module_id = any (ids)) and q.created_at >= since group by 1, 3
    ) v
    group by 1, 2, 3 having sum(v.amount) <> 0;
end
$$;
comment on function private.content_figures(uuid[]) is 'Events of some texts by day (UTC), exact at this moment.';

-- @rpc authenticated
-- Mentors: their articles and courses with readers, reads, enrolments, completions and questions.
create function private.my_content_figures() returns table (
    content_id uuid, kind text, title text, category text, is_published boolean, readers bigint, reads bigint,
    enrolments bigint, completions bigint, questions bigint, open_questions bigint
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
begin
  return query
    with texts as materialized (
      select a.id, 'article' as kind, a.title, a.subcategory_id, a.is_published, a.created_at, 0 as enrolled
      from public.articles a where a.author_id = caller or is_admin
      union all
      select c.id, 'course', c.title, c.subcategory_id, c.is_published, c.created_at, c.enrollment_count
      from public.courses c where c.mentor_id = caller or is_admin
    ),
    -- Questions stand under the lessons of a course.
    parts as materialized (
      select t.id as text_id, t.id as part_id from texts t
      union all
      select m.course_id, m.id from public.course_modules m join texts t on t.id = m.course_id
    ),
    figures as (
      select p.text_id, sum(f.amount) filter (where f.event = 'read') as reads,
        sum(f.amount) filter (where f.event = 'completion' and p.part_id = p.text_id) as completions,
        sum(f.amount) filter (where f.event = 'question') as questions
      from private.content_figures((select array_agg(part_id) from parts)) f
      join parts p on p.part_id = f.content_id group by p.text_id
    ),
    waiting as (
      select p.text_id, count(*) as questions from private.content_questions q
      join parts p on p.part_id = coalesce(q.article_id, q.module_id) where q.answer is null group by p.text_id
    )
    select t.id, t.kind, t.title, s.main_category, t.is_published,
      case t.kind when 'article' then (select count(*) from public.article_opens o where o.article_id = t.id) else 0 end,
      coalesce(f.reads, 0)::bigint, t.enrolled::bigint, coalesce(f.completions, 0)::bigint,
      coalesce(f.questions, 0)::bigint, coalesce(w.questions, 0)
    from texts t
    join public.subcategories s on s.id = t.subcategory_id
    left join figures f on f.text_id = t.id
    left join waiting w on w.text_id = t.id
    order by t.created_at desc, t.id;
end
$$;
comment on function private.my_content_figures() is
  'The caller''s articles and courses with their figures, newest first; everyone''s for administrators. FF650 for other callers.';

create function private.require_own_course(course uuid) returns public.courses
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
  own public.courses;
begin
  select c.* into own from public.courses c where c.id = course and (c.mentor_id = caller or private.caller_is_admin());
  if not found then
    perform private.fail('FF740', 'There is no such course.');
  end if;
  return own;
end
$$;
comment on function private.require_own_course(uuid) is 'A course of the caller, any for administrators; raises FF650 or FF740.';

-- A median of fewer than five courses would tell too much about each of them.
create function private.course_comparison(own public.courses) returns jsonb
  language sql stable set search_path = '' as $$
  with others as materialized (
    select c.id, c.enrollment_count, c.mentor_id = own.mentor_id is true as is_own, s.main_category = o.main_category as is_near
    from public.courses c
    join public.subcategories s on s.id = c.subcategory_id
    join public.subcategories o on o.id = own.subcategory_id
    where c.id <> own.id and c.is_published and c.enrollment_count > 0
      and (s.main_category = o.main_category or c.mentor_id = own.mentor_id)
  ), completed as (
    select f.content_id, sum(f.amount) as members
    from private.content_figures((select array_agg(id) from others)) f where f.event = 'completion' group by f.content_id
  ), rates as (
    select o.is_own, o.is_near, 100.0 * coalesce(d.members, 0) / o.enrollment_count as rate
    from others o left join completed d on d.content_id = o.id
  )
  select jsonb_build_object(
    'own_courses', count(*) filter (where r.is_own),
    'own_rate', round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_own))::numeric),
    'category_rate', case when count(*) filter (where r.is_near) >= 5
      then round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_near))::numeric) end
  )
  from rates r
$$;
comment on function private.course_comparison(public.courses) is
  'Median share of members who completed, in per cent: of the mentor''s other courses, and of at least five others of the category.';

create function private.course_analytics(course uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  own constant public.courses := private.require_own_course(course);
  today constant date := (now() at time zone 'UTC')::date;
  first_week constant date := date_trunc('week', today)::date - 77;
begin
  return (
    with lessons as materialized (
      select m.id, m.title, m.module_order, m.is_published from public.course_modules m where m.course_id = course
    ), figures as materialized (
      select f.* from private.content_figures(array(select id from lessons) || course) f
    ), totals as materialized (
      select f.content_id, f.event, sum(f.amount) as amount from figures f group by f.content_id, f.event
    ), days as (
      select f.day, sum(f.amount) filter (where f.event = 'enrolment') as enrolments,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id <> course) as lessons,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id = course) as completions
      from figures f where f.day > today - 90 group by f.day
    )
    select jsonb_build_object(
      'id', own.id, 'title', own.title, 'is_published', own.is_published, 'enrolments', count(*), 'completions', count(e.completed_at),
      'median_days', round((percentile_cont(0.5) within group (
        order by extract(epoch from e.completed_at - e.created_at) / 86400
      ))::numeric, 1),
      'questions', (select coalesce(sum(t.amount), 0) from totals t where t.event = 'question'),
      'open_questions', (
        select count(*) from private.content_questions q where q.module_id in (select id from lessons) and q.answer is null
      ),
      'modules', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', m.id, 'title', m.title, 'is_published', m.is_published, 'completions', coalesce(t.amount, 0)
        ) order by m.module_order, m.id), '[]')
        from lessons m left join totals t on t.content_id = m.id and t.event = 'completion'
      ),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'day', d.day, 'enrolments', coalesce(d.enrolments, 0), 'lessons', coalesce(d.lessons, 0),
          'completions', coalesce(d.completions, 0)
        ) order by d.day), '[]') from days d
      ),
      'cohorts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'week', k.week, 'enrolments', k.members, 'completions', k.completions
        ) order by k.week desc), '[]')
        from (
          select date_trunc('week', n.created_at at time zone 'UTC')::date as week, count(*) as members,
            count(n.completed_at) as completions
          from public.course_enrollments n
          where n.course_id = course and n.created_at >= first_week::timestamp at time zone 'UTC' group by 1
        ) k
      ),
      'today', today,
      'comparison', private.course_comparison(own)
    )
    from public.course_enrollments e where e.course_id = course
  );
end
$$;
comment on function private.course_analytics(uuid) is
  'Everything the analytics of one course show: lessons in order, 90 days, cohorts of twelve weeks, comparison. FF650, FF740.';
