-- Messages that administrators pin to the top of their room, at most five. Members read them through room_pins and hear of
-- changes on the room's channel (event pins), which carries no text.
create table private.room_pins (
  message_id uuid primary key references public.chat_messages (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  pinned_by uuid references auth.users (id) on delete set null,
  pinned_at timestamptz not null default clock_timestamp()
);
comment on table private.room_pins is 'Pinned messages, at most five a room. Written by pin_message and unpin_message.';
comment on column private.room_pins.pinned_by is 'The administrator; null once that account is deleted.';
create index room_pins_room_idx on private.room_pins (chat_room_id, pinned_at desc);
create index room_pins_pinned_by_idx on private.room_pins (pinned_by);
alter table private.room_pins enable row level security;

create function private.announce_pins(room text) returns void
  language sql volatile security definer set search_path = '' as $$
  select realtime.send('{}'::jsonb, 'pins', 'room:' || room, true)
$$;
comment on function private.announce_pins(text) is 'Tells the members in a room that its pins changed.';

-- Only administrators pin. A mentor is a plan that anyone may buy, not an appointment.
create function private.require_moderated_message(message uuid) returns public.chat_messages
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_caller();
  if not private.caller_is_admin() then
    perform private.fail('FF321', 'Only administrators can pin messages.');
  end if;
  return private.require_visible_message(message);
end
$$;
comment on function private.require_moderated_message(uuid) is 'The message, for administrators; raises FF321 or FF316 otherwise.';

-- @rpc authenticated (message_id)
-- Administrators: pin a message to the top of its room.
create function private.pin_message(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.chat_messages := private.require_moderated_message(message);
begin
  -- One pin at a time in a room, so that two administrators cannot pin a sixth together.
  perform 1 from public.chat_rooms r where r.id = target.chat_room_id for no key update;
  if exists (select from private.room_pins p where p.message_id = message) then
    return;
  end if;
  if (select count(*) from private.room_pins p where p.chat_room_id = target.chat_room_id) >= 5 then
    perform private.fail('FF322', 'A room has at most 5 pinned messages. Unpin one first.', '5');
  end if;
  insert into private.room_pins (message_id, chat_room_id, pinned_by) values (message, target.chat_room_id, auth.uid());
  perform private.audit(auth.uid(), 'message.pinned', target.user_id,
    jsonb_build_object('message_id', target.id, 'chat_room_id', target.chat_room_id));
  perform private.announce_pins(target.chat_room_id);
end
$$;
comment on function private.pin_message(uuid) is 'Pins a message to its room, audited; FF322 when five are pinned. Repeating it does nothing.';

-- @rpc authenticated (message_id)
-- Administrators: take a message from the top of its room.
create function private.unpin_message(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.chat_messages := private.require_moderated_message(message);
begin
  delete from private.room_pins p where p.message_id = message;
  if not found then
    return;
  end if;
  perform private.audit(auth.uid(), 'message.unpinned', target.user_id,
    jsonb_build_object('message_id', target.id, 'chat_room_id', target.chat_room_id));
  perform private.announce_pins(target.chat_room_id);
end
$$;
comment on function private.unpin_message(uuid) is 'Takes a message from the top of its room, audited. Repeating it does nothing.';

-- @rpc authenticated (room_id)
-- The pinned messages of a room with their authors and the beginning of their text.
create function private.room_pins(room text)
  returns table (
    message_id uuid, user_id uuid, author_first_name text, author_last_name text, content text,
    created_at timestamptz, pinned_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_room(room);
  return query
    select m.id, m.user_id, a.first_name, a.last_name, left(m.content, 200), m.created_at, p.pinned_at
    from private.room_pins p
    join public.chat_messages m on m.id = p.message_id
    join public.profiles a on a.id = m.user_id
    where p.chat_room_id = room order by p.pinned_at desc, m.id;
end
$$;
comment on function private.room_pins(text) is 'The pinned messages of a room, newest pin first; FF310 or FF311 unless the caller may read it.';

-- A deleted message is no longer pinned, and an edited one is read again.
create function private.tg_chat_messages__update_pin() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null then
    delete from private.room_pins p where p.message_id = new.id;
  else
    perform 1 from private.room_pins p where p.message_id = new.id;
  end if;
  if found then
    perform private.announce_pins(new.chat_room_id);
  end if;
  return null;
end
$$;
create trigger chat_messages__update_pin after update of content, deleted_at on public.chat_messages
  for each row when (new.content is distinct from old.content) execute function private.tg_chat_messages__update_pin();

create function private.export_part_pins(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_pins', coalesce((
    select jsonb_agg(jsonb_build_object('message_id', p.message_id, 'chat_room_id', p.chat_room_id, 'pinned_at', p.pinned_at)
      order by p.pinned_at, p.message_id)
    from private.room_pins p join public.chat_messages m on m.id = p.message_id
    where m.user_id = member or p.pinned_by = member
  ), '[]'))
$$;
comment on function private.export_part_pins(uuid) is 'Pinned messages of one account, and messages it pinned.';
