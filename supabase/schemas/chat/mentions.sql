-- Without a room it is about the feed, which is open to every member.
create function private.may_be_mentioned(member uuid, room text, by_member uuid) returns boolean
  language sql stable set search_path = '' as $$
  select member <> by_member and not private.is_blocked_between(member, by_member)
    and exists (select from private.directory_entries d where d.user_id = member)
    and not exists (select from auth.users u where u.id = member and u.banned_until > now())
    and case
      when room is null then private.effective_level(member) >= 1
      else exists (
        select from public.chat_rooms r
        where r.id = room and r.is_active and r.min_level_required <= private.effective_level(member)
      )
    end
$$;
comment on function private.may_be_mentioned(uuid, text, uuid) is
  'True for a listed member who may read the room (null: the feed) now and is another than the given one, without a block between them.';

-- @rpc authenticated
-- Members whom the caller may mention in a room, or without one in the feed, by the beginning of a word of their name; at most eight.
create function private.mentionable_members(room text default null, typed text default null)
  returns table(user_id uuid, name text, avatar_url text) language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  start constant text := private.search_key(left(coalesce(typed, ''), 100));
begin
  perform private.enforce_rate_limit(caller, 'people');
  if start = '' or (room is not null and not room = any (private.caller_room_ids())) then
    return;
  end if;
  return query
    select p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url
    from private.directory_entries d join public.profiles p on p.id = d.user_id
    where position(' ' || start in ' ' || d.sort_key) > 0 and private.may_be_mentioned(d.user_id, room, caller)
    order by d.sort_key, d.user_id limit 8;
end
$$;
comment on function private.mentionable_members(text, text) is
  'Up to eight members whom the caller may mention in the room (null: in the feed) and a word of whose name begins as typed. Limited.';

-- Repeating it tells nobody twice. Answers nothing, so that nobody learns who is blocked or may not read. The author of
-- the parent message is told of the reply.
-- @rpc authenticated
-- Tells members that the caller's message names them: at most ten, each once, and only who may read it.
create function private.mention_members(message uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written constant public.chat_messages := private.require_visible_message(message);
begin
  if written.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.name_members(
    message, null, null, written.chat_room_id, written.content, members, caller,
    (select a.user_id from public.chat_messages a where a.id = written.parent_message_id), message
  );
end
$$;
comment on function private.mention_members(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own message names them: those whose name stands in it after @ and who may read it.';

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
comment on function private.notification_part_mentions(uuid) is
  'Mentions in rooms that are open to the member, as long as the message stands.';
