-- The rooms of the console: create, edit, order, deactivate. Messages, leases' progress events and levels stay.

-- Only what was changed is recorded, with its value before and after.
create function private.audit_change(actor uuid, action text, item jsonb, before jsonb, after jsonb) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  was jsonb;
  becomes jsonb;
begin
  select jsonb_object_agg(b.key, b.value), jsonb_object_agg(b.key, after -> b.key) into was, becomes
  from jsonb_each(before) b where b.value is distinct from after -> b.key;
  if was is null then
    return false;
  end if;
  perform private.audit(actor, action, null, item || jsonb_build_object('before', was, 'after', becomes));
  return true;
end
$$;
comment on function private.audit_change(uuid, text, jsonb, jsonb, jsonb) is
  'Adds an entry with the values that differ, before and after; false and no entry when none differs.';

-- Members' lists follow at once. Counting participants changes rows often and is not announced.
create function private.tg_chat_rooms__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(jsonb_build_object('id', new.id), 'changed', 'rooms', true);
  return null;
end
$$;
comment on function private.tg_chat_rooms__announce() is 'Broadcasts the id of a room that was created or edited.';
create trigger chat_rooms__announce_created after insert on public.chat_rooms
  for each row execute function private.tg_chat_rooms__announce();

create trigger chat_rooms__announce_edited after update on public.chat_rooms
  for each row when (
    (old.name, old.description, old.min_level_required, old.display_order, old.is_active)
      is distinct from (new.name, new.description, new.min_level_required, new.display_order, new.is_active)
  ) execute function private.tg_chat_rooms__announce();

-- @rpc authenticated
-- Administrators: all rooms, those that are not active too.
create function private.admin_rooms()
  returns table (
    id text, name text, description text, min_level_required integer, display_order integer, is_active boolean,
    participant_count integer
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select r.id, r.name, r.description, r.min_level_required, r.display_order, r.is_active, r.participant_count
    from public.chat_rooms r order by r.min_level_required, r.display_order, r.name, r.id;
end
$$;
comment on function private.admin_rooms() is 'All rooms, those that are not active too.';

create function private.create_room(
  room text, name text, description text, min_level_required integer, display_order integer
) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  created public.chat_rooms;
begin
  insert into public.chat_rooms (id, name, description, min_level_required, display_order)
  values (room, btrim(create_room.name), btrim(create_room.description), create_room.min_level_required,
    create_room.display_order)
  returning * into created;
  perform private.audit(
    admin, 'room.created', null,
    jsonb_build_object('room', room, 'before', null, 'after', to_jsonb(created) - 'participant_count' - 'id')
  );
end
$$;
comment on function private.create_room(text, text, text, integer, integer) is 'Creates a room. Audited.';
grant execute on function private.create_room to authenticated;

-- Leaving a field null keeps it, so that two administrators who edit different fields do not undo each other.
-- @rpc authenticated (room_id, name, description, min_level_required, display_order, is_active)
-- Administrators: change the given fields of a room. A room that is not active vanishes for members, with its messages kept.
create function private.edit_room(
  room text, name text default null, description text default null, min_level_required integer default null,
  display_order integer default null, is_active boolean default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_admin();
  old_room public.chat_rooms;
  new_room public.chat_rooms;
begin
  select r.* into old_room from public.chat_rooms r where r.id = room for no key update;
  if not found then
    perform private.fail('FF430', 'There is no such room.');
  end if;
  -- New members of the room read what was written there, and that cannot be taken back.
  if edit_room.min_level_required < old_room.min_level_required then
    perform private.require_aal2();
  end if;
  update public.chat_rooms r set
    name = coalesce(btrim(edit_room.name), r.name),
    description = coalesce(btrim(edit_room.description), r.description),
    min_level_required = coalesce(edit_room.min_level_required, r.min_level_required),
    display_order = coalesce(edit_room.display_order, r.display_order),
    is_active = coalesce(edit_room.is_active, r.is_active)
  where r.id = room returning r.* into new_room;
  perform private.audit_change(
    admin, 'room.edited', jsonb_build_object('room', room),
    to_jsonb(old_room) - 'participant_count', to_jsonb(new_room) - 'participant_count'
  );
  -- Members in a room they may not enter any more are not counted in it.
  delete from private.room_leases l
  where l.chat_room_id = room
    and (not new_room.is_active or private.effective_level(l.user_id) < new_room.min_level_required);
end
$function$;
comment on function private.edit_room(text,text,text,integer,integer,boolean) is 'Changes the given fields of a room; null keeps a field. Ends the leases of members it closes for. A lower level needs a second factor (FF005). Audited.';

create function public.create_room(
  room_id text, name text, min_level_required integer, description text default '', display_order integer default 0
) returns void
  language sql volatile set search_path = '' as $$
  select private.create_room(room_id, name, description, min_level_required, display_order)
$$;
comment on function public.create_room(text, text, integer, text, integer) is 'Administrators: create a room.';
grant execute on function public.create_room to authenticated;
