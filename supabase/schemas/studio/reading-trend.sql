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
  length constant integer := least(greatest(coalesce(days, 30), 1), 365);
  since constant date := today - length + 1;
  articles constant uuid[] := array(select a.id from public.articles a where a.author_id = caller or is_admin);
  courses constant uuid[] := array(select c.id from public.courses c where c.mentor_id = caller or is_admin);
  lessons constant uuid[] := array(select m.id from public.course_modules m where m.course_id = any (courses));
begin
  return (
    with opened as materialized (
      select o.user_id, o.last_opened_on as day from public.article_opens o
      where o.article_id = any (articles) and o.last_opened_on > today - 365
    ), figures as materialized (
      select f.content_id, f.event, f.amount, f.day < since as is_before
      from private.content_figures(articles || courses || lessons) f where f.day >= since - length
    ), sums as (
      select f.is_before, coalesce(sum(f.amount) filter (where f.event = 'read'), 0) as reads,
        coalesce(sum(f.amount) filter (where f.event = 'enrolment'), 0) as enrolments,
        coalesce(sum(f.amount) filter (where f.event = 'completion' and f.content_id = any (lessons)), 0) as lessons
      from figures f group by f.is_before
    )
    select jsonb_build_object(
      'today', today,
      'readers_this_week', (select count(distinct o.user_id) from opened o where o.day > today - 7),
      'readers', (select count(distinct o.user_id) from opened o where o.day >= since),
      'reads', coalesce((select s.reads from sums s where not s.is_before), 0),
      'enrolments', coalesce((select s.enrolments from sums s where not s.is_before), 0),
      'lessons', coalesce((select s.lessons from sums s where not s.is_before), 0),
      -- Of readers only the last day is kept, so that those of earlier days are not known.
      'before', jsonb_build_object(
        'reads', coalesce((select s.reads from sums s where s.is_before), 0),
        'enrolments', coalesce((select s.enrolments from sums s where s.is_before), 0),
        'lessons', coalesce((select s.lessons from sums s where s.is_before), 0)
      ),
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
  'Of the caller''s texts, everyone''s for administrators: figures of at most 365 days, of as many days before them, and readers by the day on which each last opened an article. FF650 for other callers.';
