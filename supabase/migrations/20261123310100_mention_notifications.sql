-- A mention is shown by the rule of replies: the room is open to the reader and the message stands.
create function private.notification_part_mentions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['mention']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
revoke all on function private.notification_part_mentions from public, anon, authenticated, service_role;
comment on function private.notification_part_mentions(uuid) is
  'Mentions in rooms that are open to the member, as long as the message stands.';
