-- What waits is seen from every page: the number at Chats, the number at Home, and lines of the bell that lead to the message.

-- Messages of members whom the reader has blocked are folded on the screen, so they count as little as the reader's own.
create or replace function private.unread_count(member uuid, room text) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  read_up_to constant timestamptz := coalesce(
    (select r.last_read_at from public.chat_room_reads r where r.user_id = member and r.chat_room_id = room),
    (select u.created_at from auth.users u where u.id = member)
  );
  hidden constant uuid[] := array(select b.blocked_id from private.member_blocks b where b.user_id = member);
begin
  return (
    select count(*) from (
      select from public.chat_messages m
      where m.chat_room_id = room and m.created_at > read_up_to and m.user_id <> member and m.deleted_at is null
        and m.user_id <> all (hidden)
      order by m.created_at desc limit 99
    ) unread
  );
end
$$;
comment on function private.unread_count(uuid, text) is
  'Messages that the member has not read, at most 99, without their own and those of members they have blocked.';

-- Looks at the newest 200 messages of a room, so that what was deleted in bulk costs nobody anything.
create function private.unread_rooms() returns integer
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  since constant timestamptz := (select u.created_at from auth.users u where u.id = caller);
  hidden constant uuid[] := array(select b.blocked_id from private.member_blocks b where b.user_id = caller);
begin
  return (
    select least(count(*), 99) from unnest(private.caller_room_ids()) room
    left join public.chat_room_reads r on r.user_id = caller and r.chat_room_id = room
    cross join lateral (
      select from (
        select m.user_id, m.deleted_at from public.chat_messages m
        where m.chat_room_id = room and m.created_at > coalesce(r.last_read_at, since)
        order by m.created_at desc, m.id limit 200
      ) newest
      where newest.user_id <> caller and newest.deleted_at is null and newest.user_id <> all (hidden)
      limit 1
    ) unread
  );
end
$$;
revoke all on function private.unread_rooms from public, anon, authenticated, service_role;
comment on function private.unread_rooms() is
  'In how many rooms that are open to the caller something is unread, at most 99.';
grant execute on function private.unread_rooms() to authenticated;
create function public.unread_rooms() returns integer
  language sql stable set search_path = '' as $$ select private.unread_rooms() $$;
revoke all on function public.unread_rooms from public, anon, authenticated, service_role;
comment on function public.unread_rooms() is 'How many of the rooms open to the caller have something unread, at most 99.';
grant execute on function public.unread_rooms() to authenticated;

-- As before, and with the message, where the line leads.
create or replace function private.notification_part_rooms(member uuid) returns table (id bigint, place jsonb)
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

-- As before, and what the rest of the frame needs of the same rows: how much waits on Today, and the moment that the answer
-- knows of. Who joins Realtime after it asks whether anything has changed since then, in place of the whole bell again.
create or replace function private.my_notifications(before timestamptz, page_size integer) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  size constant integer := least(greatest(coalesce(page_size, 20), 1), 50);
  questions constant integer := case when before is null and private.is_mentor(caller)
    then jsonb_array_length(private.waiting_questions()) else 0 end;
begin
  return (
    with groups as (
      select v.kind, v.group_id, v.detail,
        max(v.id) as id, max(v.created_at) as created_at, bool_or(v.read_at is null) as unread,
        count(distinct v.actor_id) as actors,
        (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
        (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
      from private.visible_notifications(caller) v
      -- What has no group stands alone.
      group by v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
    ), page as (
      select g.* from groups g where before is null or g.created_at < before order by g.created_at desc, g.id desc limit size
    )
    select jsonb_build_object(
      'unread', (select least(count(*), 99) from groups g where g.unread),
      'waiting', least(99, questions + (
        select count(*) from groups g join private.notification_kinds k on k.kind = g.kind and k.asks where g.unread
      )),
      -- A transaction under way now may commit rows with a time before now; a member's statement lasts at most 15 seconds.
      'as_of', now() - interval '15 seconds',
      'items', coalesce((
        select jsonb_agg(g.place || jsonb_build_object(
          'id', g.id, 'kind', g.kind, 'created_at', g.created_at, 'unread', g.unread,
          'detail', case g.kind when 'level_up' then g.detail end,
          'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = g.actor_id),
          'others', greatest(g.actors - 1, 0)
        ) order by g.created_at desc, g.id desc) from page g
      ), '[]')
    )
  );
end
$$;
comment on function public.my_notifications(timestamptz, integer) is
  'The caller''s notifications: `items`, newest first, how many are `unread` and how much is `waiting` on Today. The next page is before the created_at of the last item. `as_of` is a moment since which all changes are worth a new reading.';
