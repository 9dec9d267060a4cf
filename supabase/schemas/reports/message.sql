-- Reports of messages in rooms: by those who may read the room. Who may not is not told that there is such a message.
create function private.reportable_message(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_visible_message(subject);
  return private.reported_message(subject);
end
$$;
comment on function private.reportable_message(uuid, uuid) is 'A message the caller can see; raises FF316.';

-- The picture is kept until the decision, also when the author deletes the message.
create function private.reported_message(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select m.user_id, jsonb_build_object('content', m.content, 'picture', m.picture, 'picture_alt', m.picture_alt),
    jsonb_build_object(
      'room_id', c.id, 'room_name', c.name, 'is_deleted', m.deleted_at is not null, 'written_at', m.created_at,
      'words', private.first_words(m.content)
    )
  from public.chat_messages m join public.chat_rooms c on c.id = m.chat_room_id where m.id = subject
$$;
comment on function private.reported_message(uuid) is 'A message with its picture.';

create function private.lock_reported_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.chat_messages m where m.id = subject for no key update
$$;
comment on function private.lock_reported_message(uuid) is 'Locks a message.';

create function private.remove_reported_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.erase_message(subject)
$$;
comment on function private.remove_reported_message(uuid) is 'Deletes a message for all.';

-- Read when it is asked for, and so held nowhere a second time. Long messages say their beginning; the room has all of them.
create function private.around_message(message uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'before', coalesce(jsonb_agg(e.line order by e.created_at, e.id desc) filter (where e.is_before), '[]'),
    'after', coalesce(jsonb_agg(e.line order by e.created_at, e.id desc) filter (where not e.is_before), '[]')
  )
  from (
    select n.id, n.created_at, n.is_before, jsonb_build_object(
      'id', n.id, 'author', private.describe_member(n.user_id) ->> 'name', 'content', left(n.content, 600),
      'is_cut', char_length(n.content) > 600, 'is_deleted', n.deleted_at is not null, 'created_at', n.created_at
    ) as line
    from public.chat_messages asked
    cross join lateral (
      (
        select m.*, true as is_before from public.chat_messages m
        where m.chat_room_id = asked.chat_room_id and m.created_at <= asked.created_at
          and (m.created_at < asked.created_at or m.id > asked.id)
        order by m.created_at desc, m.id limit 5
      )
      union all
      (
        select m.*, false from public.chat_messages m
        where m.chat_room_id = asked.chat_room_id and m.created_at >= asked.created_at
          and (m.created_at > asked.created_at or m.id < asked.id)
        order by m.created_at, m.id desc limit 3
      )
    ) n
    where asked.id = message
  ) e
$$;
comment on function private.around_message(uuid) is
  'Up to five messages before a message of a room and up to three after it, as they are now, deleted ones without their text.';
