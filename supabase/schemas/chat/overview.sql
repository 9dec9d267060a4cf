-- A blocked member goes on seeing who has blocked them: a gap would tell.
create function private.room_faces(caller uuid, room text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', f.user_id, 'name', btrim(concat_ws(' ', f.first_name, f.last_name)), 'avatar_url', f.avatar_url
  ) order by f.user_id), '[]')
  from (
    select l.user_id, p.first_name, p.last_name, p.avatar_url
    from private.room_leases l join public.profiles p on p.id = l.user_id
    where l.chat_room_id = room and not exists (
      select from private.member_blocks b where b.user_id = caller and b.blocked_id = l.user_id
    )
    order by l.user_id limit 4
  ) f
$$;
comment on function private.room_faces(uuid, text) is 'Up to four who are in a room now, without those whom the caller has blocked.';

-- Looks at the newest 50 messages, so that a long monologue costs nobody anything.
create function private.room_speakers(caller uuid, room text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.user_id, 'name', btrim(concat_ws(' ', s.first_name, s.last_name)), 'avatar_url', s.avatar_url
  ) order by s.said_at desc, s.user_id), '[]')
  from (
    select m.user_id, p.first_name, p.last_name, p.avatar_url, max(m.created_at) as said_at
    from (
      select n.user_id, n.created_at, n.deleted_at from public.chat_messages n
      where n.chat_room_id = room order by n.created_at desc, n.id limit 50
    ) m join public.profiles p on p.id = m.user_id
    where m.deleted_at is null and not exists (
      select from private.member_blocks b where b.user_id = caller and b.blocked_id = m.user_id
    )
    group by m.user_id, p.first_name, p.last_name, p.avatar_url
    order by said_at desc, m.user_id limit 4
  ) s
$$;
comment on function private.room_speakers(uuid, text) is 'Up to four who wrote in a room last, the newest first, without those whom the caller has blocked.';

-- @rpc authenticated
-- Every room by level and name, with the caller's unread messages (at most 99), the beginning of the last message of open ones and a few
-- who are there, or who wrote last when nobody is.
create function private.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz, last_message text, last_author_id uuid, last_author text, faces jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  open_rooms text[] := private.caller_room_ids();
  is_member boolean := private.caller_is_member();
begin
  return query
    select r.id, r.name, r.description, r.min_level_required,
      case when is_member then r.participant_count else 0 end,
      case when r.id = any (open_rooms) then private.unread_count(caller, r.id) else 0 end,
      newest.created_at, private.excerpt(newest.content), newest.user_id,
      (select nullif(btrim(p.first_name), '') from public.profiles p where p.id = newest.user_id),
      case
        when r.id <> all (open_rooms) then '[]'
        when r.participant_count > 0 then private.room_faces(caller, r.id)
        else private.room_speakers(caller, r.id)
      end
    from public.chat_rooms r
    -- One look-up on the room's index. A deleted message has no text.
    left join lateral (
      select m.created_at, m.content, m.user_id from public.chat_messages m
      where m.chat_room_id = r.id order by m.created_at desc, m.id limit 1
    ) newest on r.id = any (open_rooms)
    where r.is_active order by r.min_level_required, r.display_order, r.name;
end
$$;
comment on function private.chat_room_overview() is
  'All rooms for the calling account; locked ones without unread, last messages and faces, and without participants for accounts that are not members.';

-- The list shows the last words of each room. Edited or deleted, they must not stand there until it is read again.
create function private.tg_chat_messages__announce_last_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.chat_messages m where m.chat_room_id = new.chat_room_id and m.created_at > new.created_at
  ) then
    perform realtime.send(jsonb_build_object('id', new.chat_room_id), 'changed', 'rooms', true);
  end if;
  return null;
end
$$;
comment on function private.tg_chat_messages__announce_last_words() is
  'Broadcasts the id of a room whose newest message was edited or deleted.';
create trigger chat_messages__announce_last_words after update on public.chat_messages
  for each row when (old.content is distinct from new.content) execute function private.tg_chat_messages__announce_last_words();

-- Looks at the newest 200 messages of a room, so that what was deleted in bulk costs nobody anything.
-- @rpc authenticated
-- How many of the rooms open to the caller have something unread, at most 99.
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
comment on function private.unread_rooms() is
  'In how many rooms that are open to the caller something is unread, at most 99.';

-- The next step of a member who has to open rooms leads to one they have not opened yet.
create function private.next_room(member uuid) returns text
  language sql stable set search_path = '' as $$
  select r.id from public.chat_rooms r
  where r.is_active and r.min_level_required <= private.effective_level(member)
    and not exists (
      select from private.progress_ledger l where l.user_id = member and l.kind = 'room_opened' and l.reference = r.id
    )
  order by r.min_level_required, r.display_order, r.name
  limit 1
$$;
comment on function private.next_room(uuid) is
  'The first room, as they are listed, that is open to a member and was never opened by them; null when there is none.';

-- @rpc authenticated
-- Id of the room that the caller's next step leads to; null when all open ones were opened.
create function private.my_next_room() returns text
  language sql stable security definer set search_path = '' as $$ select private.next_room(private.require_caller()) $$;
comment on function private.my_next_room() is
  'The first room that is open to the caller and was never opened by them; null when there is none.';
