-- From where members came to an article or a course: one word of a fixed list, beside the row that is written anyway.
create function private.known_source(source text) returns text
  language sql immutable set search_path = '' as $$
  select case when source in ('category', 'search', 'room', 'today', 'profile') then source else 'other' end
$$;
revoke all on function private.known_source from public, anon, authenticated, service_role;
comment on function private.known_source(text) is 'The source, or other for everything that is not on the list.';
grant execute on function private.known_source(text) to authenticated;

alter table public.article_opens add column opened_from text;
alter table public.article_opens add constraint article_opens_source_check
  check (opened_from in ('category', 'search', 'room', 'today', 'profile', 'other')) not valid;
comment on column public.article_opens.opened_from is 'From where the member came the first time; null before sources were kept.';
grant select (opened_from) on table public.article_opens to authenticated;

alter table public.course_enrollments add column enrolled_from text;
alter table public.course_enrollments add constraint course_enrollments_source_check
  check (enrolled_from in ('category', 'search', 'room', 'today', 'profile', 'other')) not valid;
comment on column public.course_enrollments.enrolled_from is 'From where the member came who enrolled; null before sources were kept.';
grant select (enrolled_from), insert (enrolled_from) on table public.course_enrollments to authenticated;

-- The call that counts an opening names the source in this column; the trigger moves it to the opening.
alter table public.articles add column opened_from text;
alter table public.articles add constraint articles_opened_from_check check (opened_from is null) not valid;
comment on column public.articles.opened_from is 'Always null: a reader''s source is sent here with read_count, and kept in article_opens.';
grant select (opened_from), update (opened_from) on table public.articles to authenticated;

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
revoke all on function private.record_open(uuid, text) from public, anon, authenticated, service_role;
comment on function private.record_open(uuid, text) is
  'Records that the caller opened an article, and from where the first time; true for the first time on a day.';
grant execute on function private.record_open(uuid, text) to authenticated;

create or replace function private.tg_articles__count_open() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if not private.is_outside_caller() then
    return new;
  end if;
  if private.record_open(old.id, new.opened_from) then
    old.read_count := old.read_count + 1;
  end if;
  return old;
end
$$;
drop function private.record_open(uuid);

create or replace function private.tg_course_enrollments__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id = auth.uid() then
    if not exists (
      select from public.courses c
      where c.id = new.course_id and c.is_published and c.subcategory_id in (select private.caller_subcategories())
    ) then
      perform private.fail('FF404', 'This course is not open to you.');
    end if;
    new.enrolled_from := private.known_source(new.enrolled_from);
  end if;
  return new;
end
$$;

-- Authors read their own articles as members do, but nobody rises by their own text.
create or replace function private.tg_article_reads__record() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(new.user_id, 'article_read', new.article_id::text, s.main_category)
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.id = new.article_id and a.author_id is distinct from new.user_id;
  return null;
end
$$;

create function private.sources_of_text(article uuid, course uuid)
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
revoke all on function private.sources_of_text from public, anon, authenticated, service_role;
comment on function private.sources_of_text(uuid, uuid) is
  'From where readers of an article or students of a course came, and how many of them finished. unknown: before it was kept. FF650, FF740.';
grant execute on function private.sources_of_text(uuid, uuid) to authenticated;
create function public.sources_of_text(article_id uuid default null, course_id uuid default null)
  returns table (source text, members bigint, finished bigint)
  language sql stable set search_path = '' as $$ select * from private.sources_of_text(article_id, course_id) $$;
revoke all on function public.sources_of_text from public, anon, authenticated, service_role;
comment on function public.sources_of_text(uuid, uuid) is 'Mentors: from where the readers of one of their articles or courses came.';
grant execute on function public.sources_of_text(uuid, uuid) to authenticated;

create function private.my_article_analytics(article uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
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
      )
    )
    from public.articles a where a.id = article
  );
end
$$;
revoke all on function private.my_article_analytics from public, anon, authenticated, service_role;
comment on function private.my_article_analytics(uuid) is
  'Everything the analytics of one article show but its sources and ratings: figures and 90 days. FF650, FF740.';
grant execute on function private.my_article_analytics(uuid) to authenticated;
create function public.my_article_analytics(article_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_article_analytics(article_id) $$;
revoke all on function public.my_article_analytics from public, anon, authenticated, service_role;
comment on function public.my_article_analytics(uuid) is 'Mentors: the analytics of one of their articles as one object.';
grant execute on function public.my_article_analytics(uuid) to authenticated;
