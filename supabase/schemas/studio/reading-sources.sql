-- From where members came to an article or a course: one word of a fixed list, beside the row that is written anyway.
create function private.known_source(source text) returns text
  language sql immutable set search_path = '' as $$
  select case when source in ('category', 'search', 'room', 'today', 'profile') then source else 'other' end
$$;
comment on function private.known_source(text) is 'The source, or other for everything that is not on the list.';
grant execute on function private.known_source to authenticated;

create function private.record_open(article uuid, source text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  is_first_of_day boolean;
begin
  insert into public.article_opens as o (user_id, article_id, last_opened_on, opened_from)
  values (caller, article, (now() at time zone 'UTC')::date, private.known_source(source))
  on conflict (user_id, article_id) do update set last_opened_on = excluded.last_opened_on
    where o.last_opened_on < excluded.last_opened_on;
  is_first_of_day := found;
  update public.article_opens o set last_opened_at = clock_timestamp()
  where o.user_id = caller and o.article_id = article;
  return is_first_of_day;
end
$$;
comment on function private.record_open(uuid, text) is
  'Records that the caller opened an article, and from where the first time; true for the first time on a day.';
grant execute on function private.record_open to authenticated;

-- @rpc authenticated (article_id, course_id)
-- Mentors: from where the readers of one of their articles or courses came.
create function private.sources_of_text(article uuid default null, course uuid default null)
  returns table (source text, members bigint, finished bigint)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_own_text(article, course);
  return query
    select coalesce(o.opened_from, 'unknown'), count(*), count(r.article_id)
    from public.article_opens o
    left join public.article_reads r on r.article_id = o.article_id and r.user_id = o.user_id
    where o.article_id = article group by 1
    union all
    select coalesce(e.enrolled_from, 'unknown'), count(*), count(e.completed_at)
    from public.course_enrollments e where e.course_id = course group by 1
    order by 2 desc, 1;
end
$$;
comment on function private.sources_of_text(uuid, uuid) is
  'From where readers of an article or students of a course came, and how many of them finished. unknown: before it was kept. FF650, FF740.';

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
