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
revoke all on table private.room_openings from public, anon, authenticated, service_role;
comment on table private.room_openings is 'The last time an administrator opened a room, which every member who may read it is told of.';
create index room_openings_created_at_idx on private.room_openings (created_at);
create index room_openings_opened_by_idx on private.room_openings (opened_by);
alter table private.room_openings enable row level security;

insert into private.notification_kinds (kind, topic) values ('room_open', 'rooms');

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
revoke all on function private.tg_chat_rooms__tell_opening from public, anon, authenticated, service_role;
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
revoke all on function private.unread_room_openings from public, anon, authenticated, service_role;
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
revoke all on function private.notification_part_room_openings from public, anon, authenticated, service_role;
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
revoke all on function private.unread_for_everyone from public, anon, authenticated, service_role;
comment on function private.unread_for_everyone(uuid) is 'Announcements and openings of rooms that the member has not read.';

create or replace function private.readable_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  part text;
begin
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'notification\_part\_%' order by 1
  loop
    return query execute format(
      'select n.id, n.kind, n.actor_id, n.group_id, n.detail, n.created_at, n.read_at, p.place
       from private.%I($1) p join public.notifications n using (id)', part
    ) using member;
  end loop;
  return query
    select e.id, e.kind, e.actor_id, e.subject_id, null::text, e.created_at, null::timestamptz, e.place
    from private.unread_for_everyone(member) e;
end
$$;

-- As before, and for openings of rooms.
create or replace function private.mark_notifications_read(up_to timestamptz, notification_id bigint) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = caller and n.read_at is null and n.created_at <= up_to
    and (notification_id is null or exists (
      select from public.notifications o
      where o.id = notification_id and o.user_id = caller
        and (o.id = n.id or (o.kind = n.kind and o.group_id = n.group_id))
    ));
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at, read_at)
  select caller, e.kind, e.actor_id, e.subject_id, e.subject_id, e.created_at, clock_timestamp()
  from private.unread_for_everyone(caller) e
  where e.created_at <= up_to and (notification_id is null or e.id = notification_id)
  on conflict do nothing;
end
$$;

create or replace function private.queue_digests() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.user_id, 'digest', concat_ws(':', 'digest', d.user_id, (d.until at time zone 'utc')::date),
    jsonb_build_object('since', d.since, 'until', d.until)
  )) into queued
  from (
    select w.user_id, m.until, greatest(m.until - interval '7 days', s.told_until) as since, s.is_pending
    from (
      select n.user_id from public.notifications n where n.read_at is null and n.created_at > now() - interval '14 days'
      union
      select p.id from public.profiles p where p.onboarding_complete and (
        exists (select from private.room_announcements a where a.created_at > now() - interval '14 days')
        or exists (select from private.room_openings o where o.created_at > now() - interval '14 days')
      )
    ) w
    left join public.digest_choices c on c.user_id = w.user_id
    cross join lateral (select private.digest_moment(coalesce(c.frequency, 'weekly'), now()) as until) m
    cross join lateral (
      select max((o.data ->> 'until')::timestamptz) as told_until, coalesce(bool_or(o.status = 'pending'), false) as is_pending
      from private.email_outbox o
      where o.user_id = w.user_id and o.template = 'digest' and o.status in ('pending', 'sent')
    ) s
    where c.frequency is distinct from 'off'
  ) d
  where not d.is_pending and private.effective_level(d.user_id) > 0 and (exists (
    select from public.notifications n
    where n.user_id = d.user_id and n.read_at is null and n.created_at > d.since and n.created_at <= d.until
  ) or (
    exists (select from private.room_announcements r where r.created_at > d.since and r.created_at <= d.until)
    or exists (select from private.room_openings r where r.created_at > d.since and r.created_at <= d.until)
  ) and exists (
    select from private.unread_for_everyone(d.user_id) e where e.created_at > d.since and e.created_at <= d.until
  ));
  return queued;
end
$$;
comment on function private.queue_digests() is
  'Queues the digest of each member with unread notifications, announcements or openings of rooms of the time before the last digest moment, once for each; their number.';

-- A new level says which rooms it opened: up to two by name, and how many there are now.
create or replace function private.notification_part_account(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  owes constant boolean := exists (
    select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
    where c.user_id = member and s.status in ('past_due', 'unpaid')
  );
begin
  return query
  select n.id, case when n.kind = 'level_up' then (
    select jsonb_build_object(
      'rooms', coalesce((array_agg(r.name order by r.display_order, r.name))[1:2], '{}'), 'room_count', count(*)
    )
    from public.chat_rooms r
    where r.is_active and r.min_level_required <= allowed and r.min_level_required::text = n.detail
  ) else '{}' end
  from private.newest_notifications(member, array['level_up', 'identity_approved', 'identity_rejected', 'payment_failed']) n
  where owes or n.kind <> 'payment_failed';
end
$$;

create function private.export_part_room_openings(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_openings', coalesce((
    select jsonb_agg(to_jsonb(o) - 'line_id' order by o.created_at, o.id) from private.room_openings o where o.opened_by = member
  ), '[]'))
$$;
revoke all on function private.export_part_room_openings from public, anon, authenticated, service_role;
comment on function private.export_part_room_openings(uuid) is 'Which rooms one account opened last.';
