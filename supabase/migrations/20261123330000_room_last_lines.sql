-- The switcher beside a conversation shows the last line of each room, so the overview says what it is and whose.
drop function public.chat_room_overview();
drop function private.chat_room_overview();

create function private.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz, last_message text, last_author_id uuid, last_author text
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
      (select nullif(btrim(p.first_name), '') from public.profiles p where p.id = newest.user_id)
    from public.chat_rooms r
    -- One look-up on the room's index. A deleted message has no text.
    left join lateral (
      select m.created_at, m.content, m.user_id from public.chat_messages m
      where m.chat_room_id = r.id order by m.created_at desc, m.id limit 1
    ) newest on r.id = any (open_rooms)
    where r.is_active order by r.min_level_required, r.display_order, r.name;
end
$$;
revoke all on function private.chat_room_overview from public, anon, authenticated, service_role;
comment on function private.chat_room_overview() is
  'All rooms for the calling account; locked ones without unread and last messages, and without participants for accounts that are not members.';
grant execute on function private.chat_room_overview() to authenticated;
create function public.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz, last_message text, last_author_id uuid, last_author text
  )
  language sql stable set search_path = '' as $$ select * from private.chat_room_overview() $$;
revoke all on function public.chat_room_overview from public, anon, authenticated, service_role;
comment on function public.chat_room_overview() is
  'Every room by level and name, with the caller''s unread messages (at most 99) and the beginning of the last message of open ones.';
grant execute on function public.chat_room_overview() to authenticated;
