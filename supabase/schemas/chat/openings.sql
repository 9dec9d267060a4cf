-- A room that an administrator opens, or opens again, is told to every member who may read it. Like @everyone it costs one row:
-- the bell joins that row when it is read (docs/decisions/028-announcements-without-fan-out.md). What a new level opens is said by
-- the notification about the level.
create table private.room_openings (
  chat_room_id text primary key references public.chat_rooms (id) on delete cascade,
  id uuid not null default gen_random_uuid() constraint room_openings_id_key unique,
  -- Of the line in the bell. One sequence, so that the lines of announcements and openings differ.
  line_id bigint not null default nextval('private.room_announcements_id_seq'),
  opened_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.room_openings is 'The last time an administrator opened a room, which every member who may read it is told of.';
create index room_openings_created_at_idx on private.room_openings (created_at);
create index room_openings_opened_by_idx on private.room_openings (opened_by);
alter table private.room_openings enable row level security;

-- A room that is closed by mistake and opened again tells nobody twice within a day.
create function private.tg_chat_rooms__tell_opening() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if private.caller_is_admin() is not true then
    return null;
  end if;
  insert into private.room_openings as o (chat_room_id, opened_by) values (new.id, auth.uid())
  on conflict (chat_room_id) do update
    set id = excluded.id, line_id = excluded.line_id, opened_by = excluded.opened_by, created_at = excluded.created_at
    where o.created_at < now() - interval '1 day';
  if not found then
    return null;
  end if;
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
comment on function private.tg_chat_rooms__tell_opening() is 'Tells the members of a room that an administrator opened, at most once a day.';
create trigger chat_rooms__tell_created after insert on public.chat_rooms
  for each row when (new.is_active) execute function private.tg_chat_rooms__tell_opening();

create trigger chat_rooms__tell_reopened after update of is_active on public.chat_rooms
  for each row when (new.is_active and not old.is_active) execute function private.tg_chat_rooms__tell_opening();

-- Those of the last 30 days that are newer than the account, and not read yet. A member whose level came later hears of the
-- room with the level.
create function private.unread_room_openings(member uuid)
  returns table (id bigint, opening_id uuid, created_at timestamptz, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  since constant timestamptz := greatest(
    now() - interval '30 days', (select u.created_at from auth.users u where u.id = member)
  );
begin
  return query
  select -o.line_id, o.id, o.created_at, jsonb_build_object('chat_room_id', r.id, 'room', r.name)
  from private.room_openings o
  join public.chat_rooms r on r.id = o.chat_room_id and r.is_active and r.min_level_required <= allowed
  where o.created_at >= since and o.opened_by is distinct from member
    and not exists (
      select from public.notifications n
      where n.user_id = member and (
        n.kind = 'room_open' and n.subject_id = o.id
        or n.kind = 'level_up' and n.detail = r.min_level_required::text and n.created_at > o.created_at
      )
    )
  order by o.created_at desc limit 50;
end
$$;
comment on function private.unread_room_openings(uuid) is
  'Rooms opened lately that the member may read and has not been told of. Their ids are negative, so that they differ from notifications.';

create function private.notification_part_room_openings(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name)
  from private.newest_notifications(member, array['room_open']) n
  join private.room_openings o on o.id = n.subject_id
  join public.chat_rooms r on r.id = o.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_room_openings(uuid) is
  'Openings of rooms that the member has read, as long as the room is open to them and was not opened again.';

-- What is told to all members by one row, as lines of one member's bell.
create function private.unread_for_everyone(member uuid)
  returns table (id bigint, kind text, actor_id uuid, subject_id uuid, created_at timestamptz, place jsonb)
  language sql stable set search_path = '' as $$
  select a.id, 'announcement', a.actor_id, a.message_id, a.created_at, a.place from private.unread_announcements(member) a
  union all
  select o.id, 'room_open', null, o.opening_id, o.created_at, o.place from private.unread_room_openings(member) o
$$;
comment on function private.unread_for_everyone(uuid) is 'Announcements and openings of rooms that the member has not read.';

create function private.export_part_room_openings(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_openings', coalesce((
    select jsonb_agg(to_jsonb(o) - 'line_id' order by o.created_at, o.id) from private.room_openings o where o.opened_by = member
  ), '[]'))
$$;
comment on function private.export_part_room_openings(uuid) is 'Which rooms one account opened last.';
