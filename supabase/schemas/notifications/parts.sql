-- Each area of the product has its own kinds of notifications and its own rule of what may be seen. An area adds its kinds to
-- private.notification_kinds and one function private.notification_part_<area>(member); nothing that exists is changed for it.
create table private.notification_kinds (
  kind text primary key,
  topic text not null constraint notification_kinds_topic_check check (
    topic in ('rooms', 'messages', 'submissions', 'pacts', 'learning', 'progress', 'people', 'account')
  ),
  -- Which kinds ask something of the member is said where the kinds are, so that a new one changes no function.
  asks boolean not null default false
);
comment on table private.notification_kinds is 'What members can be told of, by topic.';
comment on column private.notification_kinds.topic is 'What members choose by: kinds of one topic are turned on and off together.';
comment on column private.notification_kinds.asks is
  'Whether the dashboard lists it under "Waiting for you". Likes, a new level and an approved document are news.';
alter table private.notification_kinds enable row level security;

-- Only the newest 1,000 rows are looked at, so that the bell of a member with very many stays quick.
create function private.newest_notifications(member uuid, kinds text[]) returns setof public.notifications
  language sql stable rows 50 set search_path = '' as $$
  select n.* from (
    select * from public.notifications o where o.user_id = member order by o.created_at desc, o.id desc limit 1000
  ) n where n.kind = any (kinds)
$$;
comment on function private.newest_notifications(uuid, text[]) is
  'The notifications of the given kinds among the newest 1,000 of an account, for private.notification_part_<area>.';

create function private.excerpt(content text) returns text
  language sql immutable set search_path = '' as $$
  select case when char_length(content) > 140 then left(content, 139) || '…' else content end
$$;
comment on function private.excerpt(text) is 'The beginning of a text for a list or a notification: at most 140 characters, with an ellipsis where it was cut.';

-- As before, and with the message, where the line leads.
create function private.notification_part_rooms(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['reply', 'message_like']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed
  where n.kind = 'reply' or exists (
    select from public.message_likes l where l.user_id = n.actor_id and l.message_id = n.subject_id
  );
end
$$;
comment on function private.notification_part_rooms(uuid) is
  'Replies and likes in rooms that are open to the member, as long as message and like stand.';

create function private.notification_part_submissions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('submission_id', s.id, 'excerpt', s.title)
  from private.newest_notifications(member, array['submission_like', 'submission_comment']) n
  join public.learning_submissions s on s.id = n.group_id
  where case n.kind
    when 'submission_like' then exists (
      select from public.learning_submission_likes l where l.user_id = n.actor_id and l.submission_id = s.id)
    else exists (select from public.learning_submission_comments c where c.id = n.subject_id)
  end;
end
$$;
comment on function private.notification_part_submissions(uuid) is
  'Likes of and comments on the submissions of a member, as long as they stand.';

-- A new level says which rooms it opened: up to two by name, and how many there are now.
create function private.notification_part_account(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  owes constant boolean := exists (
    select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
    where c.user_id = member and s.status in ('past_due', 'unpaid')
  );
begin
  return query
  select n.id, case when n.kind = 'level_up' then (
    select jsonb_build_object(
      'rooms', coalesce((array_agg(r.name order by r.display_order, r.name))[1:2], '{}'), 'room_count', count(*)
    )
    from public.chat_rooms r
    where r.is_active and r.min_level_required <= allowed and r.min_level_required::text = n.detail
  ) else '{}' end
  from private.newest_notifications(member, array['level_up', 'identity_approved', 'identity_rejected', 'payment_failed']) n
  where owes or n.kind <> 'payment_failed';
end
$$;
comment on function private.notification_part_account(uuid) is
  'Levels, decisions about documents, and failed payments while something is owed.';

create function private.visible_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  hidden constant text[] := array(
    select k.kind from public.notification_preferences p join private.notification_kinds k on k.topic = p.kind
    where p.user_id = member and not p.bell
  );
begin
  return query select r.* from private.readable_notifications(member) r where r.kind <> all (hidden);
end
$$;
comment on function private.visible_notifications(uuid) is
  'What the bell of an account holds now: the newest notifications it may read, without topics it turned off.';
