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
