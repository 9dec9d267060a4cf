-- The list of rooms shows the faces of a few who are in a room.
drop function public.chat_room_overview();
drop function private.chat_room_overview();

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
revoke all on function private.room_faces from public, anon, authenticated, service_role;
comment on function private.room_faces(uuid, text) is 'Up to four who are in a room now, without those whom the caller has blocked.';

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
      case when r.participant_count > 0 and r.id = any (open_rooms) then private.room_faces(caller, r.id) else '[]' end
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
  'All rooms for the calling account; locked ones without unread, last messages and faces, and without participants for accounts that are not members.';
grant execute on function private.chat_room_overview() to authenticated;
create function public.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz, last_message text, last_author_id uuid, last_author text, faces jsonb
  )
  language sql stable set search_path = '' as $$ select * from private.chat_room_overview() $$;
revoke all on function public.chat_room_overview from public, anon, authenticated, service_role;
comment on function public.chat_room_overview() is
  'Every room by level and name, with the caller''s unread messages (at most 99), the beginning of the last message of open ones and a few who are there.';
grant execute on function public.chat_room_overview() to authenticated;
