create or replace function private.chat_room_overview()
  returns table (
    id                 text,
    name               text,
    description        text,
    min_level_required integer,
    participant_count  integer,
    unread_count       integer,
    last_message_at    timestamp with time zone,
    last_message       text,
    last_author_id     uuid,
    last_author        text,
    faces              jsonb
  )
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.room_speakers (
  caller uuid,
  room   text
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

comment on function "private"."room_speakers"(uuid, text) is 'Up to four who wrote in a room last, the newest first, without those whom the caller has blocked.';

comment on function "public"."chat_room_overview"() is 'Every room by level and name, with the caller''s unread messages (at most 99), the beginning of the last message of open ones and a few who are there, or who wrote last when nobody is.';

revoke all on function "private"."room_speakers"(uuid, text) from public;

grant execute on function "private"."room_speakers"(uuid, text) to "postgres";
