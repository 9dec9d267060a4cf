-- Every signed-in account sees which rooms there are and the level each opens at, as the specification's /chats shows
-- them greyed out. What is said in a room stays with the members of its level (private.caller_room_ids).
drop policy select_member on public.chat_rooms;
create policy select_signed_in on public.chat_rooms for select to authenticated
  using (is_active and (select private.session_is_live()));
comment on policy select_signed_in on public.chat_rooms is 'Names, purposes and levels of rooms, for every signed-in account.';

create or replace function private.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz
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
      case when r.id = any (open_rooms) then
        (select m.created_at from public.chat_messages m where m.chat_room_id = r.id order by m.created_at desc limit 1)
      end
    from public.chat_rooms r where r.is_active order by r.min_level_required, r.display_order, r.name;
end
$$;
comment on function private.chat_room_overview() is
  'All rooms for the calling account; locked ones without unread and last messages, and without participants for accounts that are not members.';
