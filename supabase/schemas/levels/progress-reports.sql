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
