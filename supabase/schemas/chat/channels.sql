-- The private channel room:<id> carries who is in a room and who is typing. Members who may read the room may join the
-- channel. Only the database sends on it, so that no client can act as another member: there is no policy for inserts
-- and none for presence. The channel rooms says to every signed-in account which room, or whose last words, changed;
-- the account reads the rooms again under its own rights. On identity:<account> the account is told that it may send documents again.
-- docs/decisions/014-room-channels-from-the-database.md gives the reasons.
create function private.caller_may_use_channel(topic text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  if topic = 'rooms' then
    return private.session_is_live();
  end if;
  return coalesce(
    topic = 'identity:' || auth.uid() or starts_with(topic, 'room:') and substr(topic, 6) = any (private.caller_room_ids()), false
  );
end
$$;
comment on function private.caller_may_use_channel(text) is
  'True when the topic is that of a room the calling account may read now, rooms for a signed-in account, or its own identity channel.';
grant execute on function private.caller_may_use_channel to authenticated;

create policy select_open_room on realtime.messages for select to authenticated using (
  extension = 'broadcast' and (select private.caller_may_use_channel((select realtime.topic())))
);

-- Broadcasts the start and the end of leases. Renewing one sends nothing. Many that end at once are sent in parts of
-- 500, because the size of a broadcast is limited.
create function private.tg_room_leases__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object(case tg_op when 'INSERT' then 'joined' else 'left' end, t.ids),
    'participants', 'room:' || t.chat_room_id, true
  )
  from (
    select p.chat_room_id, jsonb_agg(p.user_id order by p.user_id) as ids
    from (
      select c.chat_room_id, c.user_id,
        (row_number() over (partition by c.chat_room_id order by c.user_id) - 1) / 500 as part
      from changed c
    ) p
    group by p.chat_room_id, p.part
  ) t;
  return null;
end
$$;
comment on function private.tg_room_leases__announce() is 'Broadcasts who joined or left a room.';
create trigger room_leases__announce_joined after insert on private.room_leases
  referencing new table as changed for each statement execute function private.tg_room_leases__announce();

create trigger room_leases__announce_left after delete on private.room_leases
  referencing old table as changed for each statement execute function private.tg_room_leases__announce();

-- @rpc authenticated (room_id)
-- Ids of the accounts in the room now, at most 500.
create function private.room_participants(room text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_room(room);
  return query
    select l.user_id from private.room_leases l where l.chat_room_id = room order by l.user_id limit 500;
end
$$;
comment on function private.room_participants(text) is 'Members who are in the room now, at most 500; FF310 or FF311 unless the caller may read it.';

-- Always sends the caller's own id: there is no argument for another account.
-- @rpc authenticated (room_id)
-- The caller is typing in the room. Call it every few seconds while typing.
create function private.notify_typing(room text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  perform private.enforce_rate_limit(caller, 'typing');
  perform realtime.send(jsonb_build_object('user_id', caller), 'typing', 'room:' || room, true);
end
$$;
comment on function private.notify_typing(text) is 'Broadcasts that the caller is typing in the room; raises FF300, FF310 or FF311.';
