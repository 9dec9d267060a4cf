-- @everyone in a message of an administrator with a second factor tells every member who may read the room. The message pays one row. The bell
-- joins that row when it is read, and a member gets a notification of their own by reading it, so nothing is ever written
-- for 10,000 members at a time. docs/decisions/028-announcements-without-fan-out.md gives the reasons.
create table private.room_announcements (
  id bigint generated always as identity primary key,
  message_id uuid not null constraint room_announcements_message_id_key unique references public.chat_messages (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.room_announcements is 'Messages of administrators with @everyone, which every member who may read the room is told of.';
create index room_announcements_created_at_idx on private.room_announcements (created_at);
alter table private.room_announcements enable row level security;

-- Open pages read the bell again, each at a moment of its own within spread_ms: within two seconds among 100 accounts, within
-- two and a half minutes among 10,000, which the calls of others do not feel.
create function private.tg_chat_messages__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null or private.caller_has_second_factor() is not true
    or new.content collate pg_catalog."und-x-icu" !~ '(^|[^[:alnum:]_@])@everyone($|[^[:alnum:]_])'
    or not exists (select from public.profiles p where p.id = new.user_id and p.role = 'admin') then
    return null;
  end if;
  insert into private.room_announcements (message_id) values (new.id) on conflict do nothing;
  if not found then
    return null;
  end if;
  perform private.enforce_rate_limit(new.user_id, 'announce');
  perform private.audit(
    new.user_id, 'room.announced', null, jsonb_build_object('chat_room_id', new.chat_room_id, 'message_id', new.id)
  );
  perform realtime.send(
    jsonb_build_object('spread_ms', (
      select least(300000, 15 * greatest(c.reltuples, 0))::integer from pg_catalog.pg_class c
      where c.oid = 'public.profiles'::pg_catalog.regclass
    )),
    'announced', 'rooms', true
  );
  return null;
end
$$;
comment on function private.tg_chat_messages__announce() is 'Announces a message with @everyone of an administrator who entered a code in this session, once.';
create trigger chat_messages__announce after insert or update of content on public.chat_messages
  for each row when (new.content like '%@everyone%') execute function private.tg_chat_messages__announce();

-- Those of the last 30 days that are newer than the account, and that are no notification of the member yet.
create function private.unread_announcements(member uuid)
  returns table (id bigint, actor_id uuid, message_id uuid, created_at timestamptz, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  since constant timestamptz := greatest(
    now() - interval '30 days', (select u.created_at from auth.users u where u.id = member)
  );
begin
  return query
  select -a.id, m.user_id, m.id, a.created_at,
    jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.room_announcements a
  join public.chat_messages m on m.id = a.message_id and m.deleted_at is null and m.user_id <> member
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed
  -- A block by its author takes nobody out of everyone: the message stands in the room for them all the same.
  where a.created_at >= since
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = m.user_id)
    and not exists (
      select from public.notifications n
      where n.user_id = member and n.kind = 'announcement' and n.subject_id = m.id and n.actor_id = m.user_id
    )
  order by a.created_at desc limit 50;
end
$$;
comment on function private.unread_announcements(uuid) is
  'Announcements in rooms that are open to the member which they have not read. Their ids are negative, so that they differ from notifications.';

create function private.notification_part_announcements(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['announcement']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_announcements(uuid) is
  'Announcements the member has read, in rooms that are open to them, as long as the message stands.';

create function private.export_part_announcements(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_announcements', coalesce((
    select jsonb_agg(to_jsonb(a) order by a.id)
    from private.room_announcements a join public.chat_messages m on m.id = a.message_id where m.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_announcements(uuid) is 'Which messages of one account were announced to everyone.';

create function private.announcements_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  rooms constant text[] := private.caller_room_ids();
begin
  return query
  select m.id, 'everyone', null::uuid, m.user_id <> caller
  from private.room_announcements a join public.chat_messages m on m.id = a.message_id
  where a.message_id = any (subjects[1:100]) and m.deleted_at is null and m.chat_room_id = any (rooms);
end
$$;
comment on function private.announcements_in(uuid[]) is 'Which of up to 100 messages that the caller may read were announced to everyone.';
grant execute on function private.announcements_in to authenticated;
