-- What happened with each article, course and lesson on each finished day. Days that are not finished are counted from the
-- events themselves, so the sum of both is exact at any moment.
create table private.content_days (
  id bigint generated always as identity primary key,
  content_id uuid not null,
  event text not null constraint content_days_event_check check (event in ('read', 'enrolment', 'completion', 'question')),
  day date not null,
  amount integer not null constraint content_days_amount_check check (amount <> 0)
);
comment on table private.content_days is 'Events of finished days by article, course or lesson. Written by count_content_days.';
comment on column private.content_days.content_id is 'An article, a course or a lesson; without a reference, because rows of what is gone are never read.';
comment on column private.content_days.event is 'read: an article marked as read. completion: of a course, or of a lesson.';
comment on column private.content_days.day is 'Day in UTC.';
comment on column private.content_days.amount is 'Number of events; negative for events that were deleted after their day was counted.';
create index content_days_content_id_idx on private.content_days (content_id, event, day) include (amount);
create index content_days_day_idx on private.content_days (day);
alter table private.content_days enable row level security;

-- Until the first run everything is counted from the events.
create table private.content_days_state (
  is_only boolean primary key default true constraint content_days_state_is_only_check check (is_only),
  counted_until date not null
);
comment on table private.content_days_state is 'How far content_days reaches, in one row.';
comment on column private.content_days_state.counted_until is 'The first day that is not in content_days.';
alter table private.content_days_state enable row level security;

create function private.content_events(since timestamptz, until timestamptz)
  returns table (content_id uuid, event text, day date, amount integer)
  language sql stable set search_path = '' as $$
  select v.content_id, v.event, (v.happened_at at time zone 'UTC')::date, count(*)::integer
  from (
    select r.article_id as content_id, 'read' as event, r.created_at as happened_at
    from public.article_reads r where r.created_at >= since and r.created_at < until
    union all
    select e.course_id, 'enrolment', e.created_at
    from public.course_enrollments e where e.created_at >= since and e.created_at < until
    union all
    select e.course_id, 'completion', e.completed_at
    from public.course_enrollments e where e.completed_at >= since and e.completed_at < until
    union all
    select d.module_id, 'completion', d.created_at
    from public.module_completions d where d.created_at >= since and d.created_at < until
    union all
    select coalesce(q.article_id, q.module_id), 'question', q.created_at
    from private.content_questions q where q.created_at >= since and q.created_at < until
  ) v
  group by 1, 2, 3
$$;
comment on function private.content_events(timestamptz, timestamptz) is 'Events of all texts in a span of time by text and day (UTC), from the events themselves.';

create function private.lock_content_days(is_counting boolean) returns date
  language plpgsql volatile set search_path = '' as $$
declare
  lock_key constant bigint := hashtextextended('private.content_days', 0);
begin
  if is_counting then
    perform pg_advisory_xact_lock(lock_key);
  else
    perform pg_advisory_xact_lock_shared(lock_key);
  end if;
  -- Read after the lock was given.
  return (select s.counted_until from private.content_days_state s);
end
$$;
comment on function private.lock_content_days(boolean) is
  'Keeps deletions of events and the counting of days apart until the transaction ends; the first day that is not counted.';

-- A day is finished an hour after its end: by then every transaction that began in it has ended.
create function private.count_content_days(since date default null) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  counted_until constant date := private.lock_content_days(true);
  first constant date := least(coalesce(since, counted_until), counted_until);
  last constant date := greatest(((now() - interval '1 hour') at time zone 'UTC')::date, counted_until);
  written integer;
begin
  delete from private.content_days d where d.day >= first;
  insert into private.content_days (content_id, event, day, amount)
  select v.content_id, v.event, v.day, v.amount
  from private.content_events(first::timestamp at time zone 'UTC', last::timestamp at time zone 'UTC') v;
  get diagnostics written = row_count;
  update private.content_days_state set counted_until = last;
  return written;
end
$$;
comment on function private.count_content_days(date) is
  'Counts the finished days that are not counted yet, and those from a day on again; the number of rows written.';
grant execute on function private.count_content_days to service_role;

create function public.count_content_days() returns integer
  language sql volatile set search_path = '' as $$ select private.count_content_days() $$;
comment on function public.count_content_days() is 'Server: count the finished days that are not counted yet; the number of rows written.';
grant execute on function public.count_content_days to service_role;

-- Events that go away (a deleted account, a question taken back) go away from the day they were counted in.
create function private.tg_article_reads__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.article_id, 'read', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;
create trigger article_reads__uncount after delete on public.article_reads
  referencing old table as gone for each statement execute function private.tg_article_reads__uncount();

create function private.tg_course_enrollments__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.course_id, v.event, (v.happened_at at time zone 'UTC')::date, -count(*)
  from gone g
  cross join lateral (values ('enrolment', g.created_at), ('completion', g.completed_at)) as v (event, happened_at)
  where v.happened_at < counted_until group by 1, 2, 3;
  return null;
end
$$;
create trigger course_enrollments__uncount after delete on public.course_enrollments
  referencing old table as gone for each statement execute function private.tg_course_enrollments__uncount();

create function private.tg_module_completions__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.module_id, 'completion', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;
create trigger module_completions__uncount after delete on public.module_completions
  referencing old table as gone for each statement execute function private.tg_module_completions__uncount();

create function private.tg_content_questions__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select coalesce(g.article_id, g.module_id), 'question', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;
create trigger content_questions__uncount after delete on private.content_questions
  referencing old table as gone for each statement execute function private.tg_content_questions__uncount();
