-- Part 13 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- levels/progress-ledger.sql
alter table private.engagement_histogram enable row level security;

create function private.engagement_bucket(engagements integer) returns integer
  language sql immutable set search_path = '' as $$
  select case
    when engagements <= 512 then engagements
    else 512 + floor(64 * ln(engagements / 512.0::double precision) / ln(2::double precision))::integer
  end
$$;
comment on function private.engagement_bucket(integer) is
  'Bucket of a number of engagements: one for each number up to 512, then 64 for each doubling, which limits their number.';

create function private.tg_user_progress__count_engagements() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  left_bucket integer := case when tg_op <> 'INSERT' then private.engagement_bucket(old.message_engagements) end;
  new_bucket integer := case when tg_op <> 'DELETE' then private.engagement_bucket(new.message_engagements) end;
begin
  if left_bucket is not distinct from new_bucket then
    return null;
  end if;
  -- Engagements only grow, so every transaction locks these rows in ascending order, which rules out deadlocks.
  if left_bucket is not null then
    update private.engagement_histogram h set members = h.members - 1 where h.bucket = left_bucket;
  end if;
  if new_bucket is not null then
    insert into private.engagement_histogram as h (bucket, members) values (new_bucket, 1)
    on conflict (bucket) do update set members = h.members + 1;
  end if;
  return null;
end
$$;

-- Deferred to the end of the transaction, to keep the lock on a shared row short.
create constraint trigger user_progress__count_engagements
  after insert or delete or update of message_engagements on public.user_progress
  deferrable initially deferred for each row execute function private.tg_user_progress__count_engagements();

-- levels/progress-reports.sql

-- What members see of their own progress: rank, history, and the events behind each counter.
create function private.engagement_label(engagements integer, percentile numeric) returns text
  language sql immutable set search_path = '' as $$
  select case
    when percentile >= 95 then 'Top 5% Elite'
    when percentile >= 90 then 'Top 10% Engager'
    when percentile >= 75 then 'Top 25% Active'
    when percentile >= 50 then 'Above Average'
    when percentile >= 25 then 'Active Member'
    when engagements > 0 then 'Getting Started'
    else 'New Member'
  end
$$;
comment on function private.engagement_label(integer, numeric) is 'Name of an engagement rank.';

-- The share of all members, the caller included, who have fewer engagements. Equal counts give equal ranks. A member
-- without engagements ranks above no other member.
-- @rpc authenticated
-- The caller's engagements, the percentage of all members with fewer, the number of members, and the rank's name.
create function private.engagement_rank()
  returns table (engagements integer, percentile numeric, members integer, label text)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  own_bucket integer;
  below bigint;
begin
  select p.message_engagements into engagements from public.user_progress p where p.user_id = caller;
  own_bucket := private.engagement_bucket(engagements);
  select coalesce(sum(h.members) filter (where h.bucket < own_bucket), 0),
    coalesce(sum(h.members), 0)
  into below, members
  from private.engagement_histogram h;
  -- A caller without a row is not counted in the histogram yet.
  if engagements is null then
    engagements := 0;
    members := members + 1;
  end if;
  -- Truncated, not rounded, so that the percentage never reaches a label's threshold too early.
  percentile := trunc(100.0 * below / greatest(members, 1), 2);
  label := private.engagement_label(engagements, percentile);
  return next;
end
$$;
comment on function private.engagement_rank() is 'Where the caller stands among all members by engagements, one row.';

-- @rpc authenticated
-- Number of the caller's progress events on each of the last days (UTC, at most 366), oldest first.
create function private.progress_history(days integer default 90)
  returns table (day date, rooms integer, submissions integer, engagements integer, articles integer, courses integer)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  first_day date := (now() at time zone 'utc')::date - least(greatest(coalesce(days, 90), 1), 366) + 1;
begin
  return query
    select (l.happened_at at time zone 'utc')::date,
      count(*) filter (where l.kind = 'room_opened')::integer,
      count(*) filter (where l.kind = 'submission')::integer,
      count(*) filter (where l.kind in ('message', 'like'))::integer,
      count(*) filter (where l.kind = 'article_read')::integer,
      count(*) filter (where l.kind = 'course_completed')::integer
    from private.progress_ledger l
    where l.user_id = caller and l.happened_at >= first_day::timestamp at time zone 'utc'
    group by 1 order by 1;
end
$$;
comment on function private.progress_history(integer) is 'The caller''s progress events by day (UTC), oldest first, only days with any.';

-- One page of progress events with their subjects. A subject that was deleted, or that the caller may not read, is null.
create type public.progress_event as (
  id bigint, kind text, category text, reference text, label text, path text, happened_at timestamptz
);
comment on type public.progress_event is 'A progress event with the title and the path of its subject; both are null when the subject was deleted.';

create function private.progress_event_subject(caller uuid, allowed integer, kind text, reference text)
  returns table (label text, path text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  case progress_event_subject.kind
    when 'room_opened' then
      return query select r.name, '/chats/' || r.id from public.chat_rooms r where r.id = reference;
    when 'submission' then
      return query select s.title, '/learning/submissions'
        from public.learning_submissions s where s.id = reference::uuid;
    when 'message', 'like' then
      return query select left(m.content, 140), '/chats/' || m.chat_room_id
        from public.chat_messages m join public.chat_rooms r on r.id = m.chat_room_id
        where m.id = reference::uuid and m.deleted_at is null
          and (m.user_id = caller or (r.is_active and r.min_level_required <= allowed));
    when 'article_read' then
      return query select a.title, private.shelf_path(c.main_category, 'foundations', c.slug) || '/' || a.id
        from public.articles a join public.subcategories c on c.id = a.subcategory_id
        where a.id = reference::uuid and a.is_published and c.is_active
          and private.category_level(c.main_category) <= allowed;
    when 'course_completed' then
      return query select o.title, private.shelf_path(c.main_category, 'courses', c.slug) || '/' || o.id
        from public.courses o join public.subcategories c on c.id = o.subcategory_id
        where o.id = reference::uuid and o.is_published and c.is_active
          and private.category_level(c.main_category) <= allowed;
  end case;
end
$$;
comment on function private.progress_event_subject(uuid, integer, text, text) is
  'Title and path of the subject of a progress event; no row when it was deleted or the caller''s level is too low.';

create function private.shelf_path(category text, shelf text, slug text) returns text
  language sql immutable set search_path = '' as $$
  select '/' || case category when 'general' then 'knowledge' else category end || '/' || shelf || '/' || slug
$$;
comment on function private.shelf_path(text, text, text) is 'Path in the app of a subcategory''s articles or courses.';

-- @rpc authenticated
-- The progress events behind one of the caller's counters (rooms, submissions, engagements, articles, courses), newest first, paged by
-- id.
create function private.progress_evidence(
    kind text, category text default null, before_id bigint default null, page_size integer default 30
  )
  returns setof public.progress_event
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  allowed integer := private.effective_level(caller);
  wanted text[] := case progress_evidence.kind
    when 'rooms' then array['room_opened']
    when 'submissions' then array['submission']
    when 'engagements' then array['message', 'like']
    when 'articles' then array['article_read']
    when 'courses' then array['course_completed']
  end;
begin
  if wanted is null then
    perform private.fail('FF301', 'There is no such kind of progress.');
  end if;
  return query
    with page as (
      select l.* from private.progress_ledger l
      where l.user_id = caller and l.kind = any (wanted)
        and (progress_evidence.category is null or l.category = progress_evidence.category)
        and (before_id is null or l.id < before_id)
      order by l.id desc limit least(greatest(coalesce(page_size, 30), 1), 100)
    )
    select p.id, p.kind, p.category, p.reference, s.label, s.path, p.happened_at
    from page p left join lateral private.progress_event_subject(caller, allowed, p.kind, p.reference) s on true
    order by p.id desc;
end
$$;
comment on function private.progress_evidence(text, text, bigint, integer) is 'The caller''s progress events of one kind, newest first.';

-- levels/requirements.sql

-- The counter of rooms opened stops at the most any level requires, and at five at least. It is filled from the ledger,
-- so that after a higher requirement the rooms opened before it count as well.
create function private.room_count_limit() returns integer
  language sql stable set search_path = '' as $$
  select greatest(5, max(r.needed)) from public.level_requirements r where r.kind = 'rooms'
$$;
comment on function private.room_count_limit() is 'How many opened rooms are counted: five, or more if a level requires more.';

create function private.count_opened_rooms(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  opened text[];
begin
  perform from public.user_progress p
  where p.user_id = member and cardinality(p.chat_rooms_opened) < private.room_count_limit();
  if not found then
    return;
  end if;
  opened := array(
    select l.reference from private.progress_ledger l
    where l.user_id = member and l.kind = 'room_opened' order by l.id limit private.room_count_limit()
  );
  update public.user_progress p set chat_rooms_opened = opened
  where p.user_id = member and cardinality(p.chat_rooms_opened) < cardinality(opened);
end
$$;
comment on function private.count_opened_rooms(uuid) is
  'Brings the counter of rooms opened up to the ledger, at most room_count_limit. Never lowers it.';

-- The preview of a requirement counts every room a member has opened, and a requirement above what there is is refused.
create function private.progress_count_uncapped(progress public.user_progress, kind text, category text) returns integer
  language sql stable set search_path = '' as $$
  select case progress_count_uncapped.kind
    when 'rooms' then (
      select count(*)::integer from private.progress_ledger l
      where l.user_id = progress.user_id and l.kind = 'room_opened'
    )
    else private.progress_count(progress, progress_count_uncapped.kind, category)
  end
$$;
comment on function private.progress_count_uncapped(public.user_progress, text, text) is
  'A member''s count for one kind of requirement as it would be without room_count_limit.';

-- levels/today.sql

-- What stands first on a member's dashboard, in one answer. Each part asks the rules of reading now.

-- The order is that of the requirements on the screen.
create function private.next_requirement(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed, 'done', c.done,
    'room', case when r.kind = 'rooms' then private.next_room(member) end
  )
  from public.level_requirements r
  cross join lateral (
    select coalesce((
      select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
    ), 0) as done
  ) c
  where r.level = coalesce((select l.current_level from public.user_levels l where l.user_id = member), 1) and c.done < r.needed
  order by array_position(array['rooms', 'submissions', 'articles', 'courses', 'engagements'], r.kind)
  limit 1
$$;
comment on function private.next_requirement(uuid) is
  'The first requirement of a member''s level that is not met, with the member''s count and, for rooms, the one to open; null when all are met.';

-- Likes, a new level and an approved document ask nothing of the member. Questions are counted by themselves, because they
-- wait until they are answered, not until they are seen.
create function private.caller_waiting() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  kinds constant text[] := array(select k.kind from private.notification_kinds k where k.asks);
  total constant integer := (
    select count(*) from (
      select distinct v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
      from private.visible_notifications(caller) v where v.read_at is null and v.kind = any (kinds)
    ) groups
  );
  page jsonb;
  before timestamptz;
  items jsonb := '[]';
begin
  while jsonb_array_length(items) < least(total, 3) loop
    page := private.my_notifications(before, 50) -> 'items';
    exit when page = '[]';
    items := items || coalesce((
      select jsonb_agg(i.item order by i.place) from jsonb_array_elements(page) with ordinality i (item, place)
      where (i.item -> 'unread')::boolean and i.item ->> 'kind' = any (kinds)
    ), '[]');
    before := page -> -1 ->> 'created_at';
  end loop;
  return jsonb_build_object(
    'count', least(total, 99), 'items', jsonb_path_query_array(items, '$[0 to 2]'),
    'questions', case when private.is_mentor(caller) then jsonb_array_length(private.waiting_questions()) else 0 end
  );
end
$$;
comment on function private.caller_waiting() is
  'Unread notifications that ask something of the caller: how many (at most 99), the newest three, and the questions to answer.';

-- A course is offered by when the member last enrolled in it or completed one of its lessons.
create function private.caller_next_lesson() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'course_id', c.id, 'course', c.title, 'progress', e.progress_percentage, 'module', m.slug, 'title', m.title,
    'category', s.main_category, 'subcategory', s.slug,
    'is_training', s.open_to_mentors and exists (select from public.profiles p where p.id = e.user_id and p.role = 'mentor')
  )
  from public.course_enrollments e
  join public.courses c on c.id = e.course_id
  join public.subcategories s on s.id = c.subcategory_id
  cross join lateral (
    select n.slug, n.title from public.course_modules n
    where n.course_id = c.id and n.is_published
      and not exists (select from public.module_completions d where d.user_id = e.user_id and d.module_id = n.id)
    order by n.module_order, n.id limit 1
  ) m
  where e.user_id = auth.uid() and e.completed_at is null and c.id in (select private.caller_enrolled_courses())
  order by greatest(e.created_at, (
    select max(d.created_at) from public.module_completions d join public.course_modules n on n.id = d.module_id
    where d.user_id = e.user_id and n.course_id = c.id
  )) desc, c.id
  limit 1
$$;
comment on function private.caller_next_lesson() is
  'The next lesson of the course the caller last worked on and has not completed; null when there is none.';

create function private.caller_last_article() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'article_id', a.id, 'title', a.title, 'minutes', a.estimated_read_time, 'category', s.main_category, 'subcategory', s.slug
  )
  from public.article_opens o
  join public.articles a on a.id = o.article_id
  join public.subcategories s on s.id = a.subcategory_id
  where o.user_id = auth.uid() and a.is_published and s.id in (select private.caller_subcategories())
    and not exists (select from public.article_reads r where r.user_id = o.user_id and r.article_id = a.id)
  order by o.last_opened_on desc, o.last_opened_at desc nulls last, a.id
  limit 1
$$;
comment on function private.caller_last_article() is
  'The article the caller opened last of those not marked as read and open to them now; null when there is none.';

create function private.caller_latest_room_messages() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  open_rooms constant text[] := private.caller_room_ids();
  hidden constant uuid[] := array(
    select b.blocked_id from private.member_blocks b where b.user_id = caller
  );
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'room_id', w.room_id, 'room', w.room, 'unread', private.unread_count(caller, w.room_id), 'said_at', w.created_at,
      'excerpt', w.excerpt, 'author_id', p.id, 'author', btrim(concat_ws(' ', p.first_name, p.last_name)), 'avatar_url', p.avatar_url
    ) order by w.created_at desc, w.room_id)
    from (
      select r.id as room_id, r.name as room, m.user_id, m.created_at, m.excerpt
      from public.chat_rooms r
      cross join lateral (
        select g.user_id, g.created_at, private.excerpt(g.content) as excerpt from public.chat_messages g
        where g.chat_room_id = r.id and g.deleted_at is null and g.user_id <> all (hidden)
        order by g.created_at desc, g.id limit 1
      ) m
      where r.id = any (open_rooms)
      order by m.created_at desc, r.id limit 3
    ) w
    join public.profiles p on p.id = w.user_id
  ), '[]');
end
$$;
comment on function private.caller_latest_room_messages() is
  'The three rooms open to the caller with the newest messages, each with its last one by nobody the caller has blocked.';

create function private.caller_pact() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', p.submission_id, 'title', s.title, 'due_on', p.due_on, 'is_overdue', private.is_overdue(p.due_on)
  )
  from private.pacts p join public.learning_submissions s on s.id = p.submission_id
  where s.user_id = auth.uid() and p.closed_at is null
  order by p.due_on, p.submission_id limit 1
$$;
comment on function private.caller_pact() is 'The open pact of the caller that is due next; null when there is none.';

-- @rpc authenticated
-- What stands first on the caller's dashboard, in one answer.
create function private.my_today() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  level constant integer := private.effective_level(caller);
begin
  return jsonb_build_object(
    'level', level,
    'next_step', case when level > 0 then private.next_requirement(caller) end,
    'waiting', private.caller_waiting(),
    'baseline_until', private.baseline_until(caller),
    'pact', case when level > 0 then private.caller_pact() end,
    'continue', jsonb_build_object('lesson', private.caller_next_lesson(), 'article', private.caller_last_article()),
    'rooms', private.caller_latest_room_messages()
  );
end
$$;
comment on function private.my_today() is
  'The caller''s next step, what waits, until when the start of the guarantee can be written down, what was left open and the newest words of rooms. Without a level only what is told of the account.';

-- library/access.sql

-- What the caller may read. Policies call each function once a statement; plpgsql caches the plans.
create function private.open_categories(level integer) returns text[]
  language sql immutable set search_path = '' as $$
  select array(
    select c from unnest(array['general', 'business', 'wealth']) c where private.category_level(c) <= level
  )
$$;
comment on function private.open_categories(integer) is 'Main categories a level opens.';

create function private.caller_subcategories() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  level integer := private.caller_effective_level();
  open_to_caller text[] := private.open_categories(level);
  is_mentor boolean := level > 0
    and exists (select from public.profiles p where p.id = auth.uid() and p.role = 'mentor');
begin
  return query
    select s.id from public.subcategories s
    where s.is_active and (s.main_category = any (open_to_caller) or (is_mentor and s.open_to_mentors));
end
$$;
comment on function private.caller_subcategories() is 'Active subcategories in the categories the caller''s level opens, and for mentors those open to all mentors.';
grant execute on function private.caller_subcategories to authenticated;

-- Mentors see their own articles and courses at any level, and the subcategories those belong to.
create function private.caller_studio_subcategories() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select private.caller_subcategories();
  return query select a.subcategory_id from public.articles a where a.author_id = auth.uid();
  return query select c.subcategory_id from public.courses c where c.mentor_id = auth.uid();
end
$$;
comment on function private.caller_studio_subcategories() is 'Subcategories the caller may see: those of the caller''s level and those with the caller''s own work.';
grant execute on function private.caller_studio_subcategories to authenticated;

create function private.caller_enrolled_courses() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select c.id from public.course_enrollments e
    join public.courses c on c.id = e.course_id
    where e.user_id = auth.uid() and c.is_published and c.subcategory_id in (select private.caller_subcategories());
end
$$;
comment on function private.caller_enrolled_courses() is 'Published courses the caller is enrolled in and has the level for.';
grant execute on function private.caller_enrolled_courses to authenticated;

create function private.caller_own_courses() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select c.id from public.courses c where c.mentor_id = auth.uid();
end
$$;
comment on function private.caller_own_courses() is 'Courses the caller wrote.';
grant execute on function private.caller_own_courses to authenticated;

-- library/content-pages.sql

-- Titles and minutes only: the lessons themselves are for who is enrolled.
-- @rpc authenticated (course_id)
-- What a course holds, also before one enrols: titles and minutes of its modules.
create function private.course_syllabus(course uuid) returns table (title text, minutes integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_caller();
  if not exists (
    select from public.courses c where c.id = course
      and (c.is_published and c.subcategory_id in (select private.caller_subcategories())
        or c.mentor_id = auth.uid() or private.caller_is_admin())
  ) then
    perform private.fail('FF404', 'This course is not open to you.');
  end if;
  return query
    select m.title, m.estimated_duration from public.course_modules m
    where m.course_id = course and m.is_published order by m.module_order, m.id;
end
$$;
comment on function private.course_syllabus(uuid) is 'Titles and minutes of the published modules of a course the caller may see, in order; FF404.';

-- The mentor reads the sentences without names. What could tell whose they are is left out: the day, their order within a month,
-- and gaps made by a block.
create function private.require_own_text(article uuid, course uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
begin
  if num_nonnulls(article, course) <> 1 or not exists (
    select from public.articles a where a.id = article and (a.author_id = caller or private.caller_is_admin())
    union all
    select from public.courses c where c.id = course and (c.mentor_id = caller or private.caller_is_admin())
  ) then
    perform private.fail('FF740', 'There is no such text.');
  end if;
  return caller;
end
$$;
comment on function private.require_own_text(uuid, uuid) is
  'The caller, to whom the article or course belongs, any for administrators; raises FF650 or FF740.';

-- @rpc authenticated (article_id, course_id)
-- Mentors: the ratings of one of their articles or courses with the sentences.
create function private.ratings_of_text(article uuid default null, course uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_own_text(article, course);
  return (
    with ratings as materialized (
      select r.* from private.content_ratings r where r.article_id = article or r.course_id = course
    )
    select jsonb_build_object(
      'count', (select count(*) from ratings), 'average', (select round(avg(r.stars), 1) from ratings r),
      'distribution', (
        select jsonb_agg((select count(*) from ratings r where r.stars = s) order by s) from generate_series(1, 5) s
      ),
      'may_take_down', private.caller_is_verified_admin(),
      'sentences', coalesce((
        select jsonb_agg(jsonb_build_object('id', w.id, 'stars', w.stars, 'sentence', w.sentence, 'month', w.month)
          order by w.month desc, w.id)
        from (
          select r.id, r.stars, r.sentence, date_trunc('month', r.rated_at at time zone 'utc')::date as month
          from ratings r where r.sentence is not null order by month desc, r.id limit 100
        ) w
      ), '[]')
    )
  );
end
$$;
comment on function private.ratings_of_text(uuid, uuid) is
  'How many members gave one to five stars to a text of the caller, and a hundred sentences of the newest months. FF650, FF740.';

-- @rpc authenticated
-- Administrators: remove the sentence of a rating.
create function private.remove_rating_comment(rating_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  changed private.content_ratings;
begin
  update private.content_ratings r set sentence = null where r.id = rating_id and r.sentence is not null returning r.* into changed;
  if changed.id is null then
    perform private.fail('FF734', 'This sentence is no longer here.');
  end if;
  perform private.audit(admin, 'rating.sentence_removed', changed.user_id, jsonb_build_object(
    'rating_id', changed.id, 'article_id', changed.article_id, 'course_id', changed.course_id,
    'before', 'shown', 'after', 'removed'
  ));
end
$$;
comment on function private.remove_rating_comment(uuid) is 'Removes the sentence of a rating; its stars stay. FF005, FF734. Audited without its words.';

-- library/course-films.sql

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

-- There is no policy for update or delete, so no client replaces a film.
create policy insert_own_course_film on storage.objects for insert to authenticated
  with check (
    bucket_id = 'course-films'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(mp4|webm|vtt)$')
    and (select private.caller_is_mentor())
  );

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

-- library/courses.sql

-- Courses. Counts and progress sent by a client are replaced with the stored values.
create function private.tg_courses__keep_counts() returns trigger
  language plpgsql set search_path = '' as $$
begin
  return case when private.is_outside_caller() then old else new end;
end
$$;

create function private.tg_course_enrollments__keep_progress() returns trigger
  language plpgsql set search_path = '' as $$
begin
  return case when private.is_outside_caller() then old else new end;
end
$$;

create function private.tg_course_enrollments__guard_insert() returns trigger
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

-- Courses are always locked in the same order, which rules out deadlocks.
create function private.tg_course_enrollments__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.courses c where c.id in (select course_id from changed) order by c.id for no key update;
  update public.courses c
  set enrollment_count = greatest(0, c.enrollment_count + case tg_op when 'INSERT' then n.members else -n.members end)
  from (select course_id, count(*)::integer as members from changed group by course_id) n
  where c.id = n.course_id;
  return null;
end
$$;

-- Progress is a share of the version the member takes.
create function private.refresh_progress(course uuid, member uuid default null) returns void
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
comment on function private.refresh_progress(uuid, uuid) is
  'Updates the progress of uncompleted enrolments of one member or of all; completes those with every module done.';

-- A lesson that is gone from the course is still completed by who takes the version it belongs to.
create function private.lock_enrollment(module uuid) returns void
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
comment on function private.lock_enrollment(uuid) is 'Locks the caller''s enrolment in the course of a module; raises FF405 without one.';
grant execute on function private.lock_enrollment to authenticated;

create function private.tg_module_completions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() and new.user_id = auth.uid() then
    perform private.lock_enrollment(new.module_id);
  end if;
  return new;
end
$$;

create function private.tg_module_completions__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.refresh_progress(p.course_id, p.user_id)
  from (
    select distinct m.course_id, a.user_id from added a
    join public.course_modules m on m.id = a.module_id order by m.course_id, a.user_id
  ) p;
  return null;
end
$$;

-- Adding or removing a module changes the progress of every member who has not completed the course.
create function private.tg_course_modules__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  course uuid;
begin
  for course in select distinct c.course_id from changed c order by c.course_id loop
    perform from public.courses c where c.id = course for no key update;
    update public.courses c set module_count = m.modules
    from (
      select count(*)::integer as modules from public.course_modules m where m.course_id = course and m.is_published
    ) m
    where c.id = course and c.module_count <> m.modules;
    perform private.refresh_progress(course);
  end loop;
  return null;
end
$$;

-- library/pages.sql

-- One request for each page. These functions run with the caller's rights, so the policies apply.
create function private.category_access(category text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  needed integer := private.category_level(category);
  level integer := private.caller_effective_level();
begin
  if needed is null then
    perform private.fail('FF406', 'There is no such category.');
  end if;
  return jsonb_build_object(
    'category', category, 'required_level', needed, 'level', level, 'is_open', level >= needed
  );
end
$$;
comment on function private.category_access(text) is 'The category with its level, the caller''s level and whether it is open, for every page of the library.';
grant execute on function private.category_access to authenticated;

create function private.require_shelf(shelf text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if shelf is null or shelf not in ('articles', 'courses') then
    perform private.fail('FF407', 'A shelf holds articles or courses.');
  end if;
end
$$;
comment on function private.require_shelf(text) is 'Raises FF407 for anything but articles and courses.';
grant execute on function private.require_shelf to authenticated;

create function public.category_home(category text, shelf text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  gate jsonb := private.category_access(category);
  cards jsonb;
begin
  perform private.require_shelf(shelf);
  with items as (
    select a.subcategory_id, r.article_id is not null as done, false as free, false as begun
    from public.articles a
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where shelf = 'articles' and a.is_published
    union all
    select c.subcategory_id, e.completed_at is not null, c.is_free, e.course_id is not null
    from public.courses c
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where shelf = 'courses' and c.is_published
  ),
  counts as (
    select i.subcategory_id, count(*)::integer as items, (count(*) filter (where i.done))::integer as done,
      (count(*) filter (where i.free))::integer as free, (count(*) filter (where i.begun))::integer as begun
    from items i group by i.subcategory_id
  )
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'slug', s.slug, 'name', s.name, 'description', s.description, 'color', s.color, 'icon', s.icon,
      'item_count', coalesce(n.items, 0), 'done_count', coalesce(n.done, 0),
      'free_count', coalesce(n.free, 0), 'enrolled_count', coalesce(n.begun, 0),
      'progress', coalesce(round(100.0 * n.done / n.items), 0), 'is_complete', coalesce(n.done = n.items, false)
    ) order by s.display_order, s.name), '[]')
    into cards
  from public.subcategories s left join counts n on n.subcategory_id = s.id
  where s.main_category = category and s.is_active;
  return gate || jsonb_build_object('shelf', shelf, 'subcategories', cards);
end
$$;
comment on function public.category_home(text, text) is
  'The page of a category as one object: the category and a card for each subcategory with the caller''s counts.';
grant execute on function public.category_home to authenticated;

reset check_function_bodies;
