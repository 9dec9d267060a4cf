-- The chat rooms. docs/subsystems/chat.md explains how members join and how they are counted.
create table public.chat_rooms (
  id text primary key constraint chat_rooms_id_check check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(id) <= 60),
  name text not null constraint chat_rooms_name_check check (char_length(name) between 1 and 80),
  description text not null default '' constraint chat_rooms_description_check check (char_length(description) <= 300),
  min_level_required integer not null
    constraint chat_rooms_min_level_required_check check (min_level_required between 1 and 4),
  participant_count integer not null default 0
    constraint chat_rooms_participant_count_check check (participant_count >= 0),
  is_active boolean not null default true,
  display_order integer not null default 0
    constraint chat_rooms_display_order_check check (display_order between 0 and 10000)
);
grant select, insert, update, delete on public.chat_rooms to service_role;
-- Members see every room, including those of higher levels.
grant select (id, name, description, min_level_required, participant_count, is_active, display_order) on public.chat_rooms to authenticated;
comment on table public.chat_rooms is 'Chat rooms and the level each one opens at.';
comment on column public.chat_rooms.id is 'Slug in the URL, such as accountability.';
comment on column public.chat_rooms.participant_count is 'Members in the room now: the number of its leases, kept by triggers.';
comment on column public.chat_rooms.is_active is 'A room that is not active is not listed and cannot be entered.';
comment on column public.chat_rooms.display_order is 'Place among the rooms of its level; rooms with the same place are listed by name.';
alter table public.chat_rooms enable row level security;

-- Every rule about rooms calls one of these two functions, so that reading and writing follow the same rule. This one
-- runs once for each statement and each subscriber of a change; plpgsql caches its plan.
create function private.caller_room_ids() returns text[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  allowed integer := private.effective_level(auth.uid());
begin
  return array(select r.id from public.chat_rooms r where r.is_active and r.min_level_required <= allowed);
end
$$;
comment on function private.caller_room_ids() is 'Rooms the calling account may read and write in now.';
grant execute on function private.caller_room_ids to authenticated;

-- Who is refused because the membership is over is told so, and not that the room is another level's.
create function private.require_room(room text) returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  caller uuid := private.require_caller();
  needed integer;
begin
  select r.min_level_required into needed from public.chat_rooms r where r.id = room and r.is_active;
  if not found then
    perform private.fail('FF310', 'There is no such room.');
  end if;
  if private.effective_level(caller) < needed then
    perform private.fail('FF311', case
      when private.has_live_membership(caller) then 'This room is not open to you.'
      else 'Your membership is not active now, so the rooms are closed to you.'
    end, needed::text);
  end if;
  return caller;
end
$$;
comment on function private.require_room(text) is 'The calling account if it may use the room now; raises FF310 or FF311 otherwise.';
grant execute on function private.require_room to authenticated;

-- The members in a room. A lease that is not renewed expires, so a crashed browser is not counted for ever.
create table private.room_leases (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  expires_at timestamptz not null,
  primary key (user_id, chat_room_id)
);
comment on table private.room_leases is 'Members in rooms, one row each; chat_rooms.participant_count is their number.';
create index room_leases_chat_room_id_idx on private.room_leases (chat_room_id);
create index room_leases_expires_at_idx on private.room_leases (expires_at);
alter table private.room_leases enable row level security;

-- Rooms are locked in the order of their ids, so that two statements over several rooms cannot deadlock.
create function private.tg_room_leases__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_rooms r where r.id in (select c.chat_room_id from changed c)
    order by r.id for no key update;
  update public.chat_rooms r set participant_count = r.participant_count + sign * t.leases
  from (select c.chat_room_id, count(*)::integer as leases from changed c group by c.chat_room_id) t
  where r.id = t.chat_room_id;
  return null;
end
$$;
create trigger room_leases__count_joined after insert on private.room_leases
  referencing new table as changed for each statement execute function private.tg_room_leases__count();

create trigger room_leases__count_left after delete on private.room_leases
  referencing old table as changed for each statement execute function private.tg_room_leases__count();

create function private.tg_room_leases__record_progress_event() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(new.user_id, 'room_opened', new.chat_room_id);
  return null;
end
$$;
create trigger room_leases__record_progress_event after insert on private.room_leases
  for each row execute function private.tg_room_leases__record_progress_event();

create function private.join_room(room text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  insert into private.room_leases (user_id, chat_room_id, expires_at)
  values (caller, room, clock_timestamp() + interval '90 seconds')
  on conflict (user_id, chat_room_id) do update set expires_at = excluded.expires_at;
end
$$;
comment on function private.join_room(text) is 'Counts the caller in the room for the next 90 seconds.';
grant execute on function private.join_room to authenticated;

-- Leaving needs no level, so that members whose level or membership ended meanwhile can leave.
create function private.leave_room(room text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.room_leases l where l.user_id = private.require_caller() and l.chat_room_id = room;
end
$$;
comment on function private.leave_room(text) is 'Ends the caller''s own lease; nothing happens when there is none.';
grant execute on function private.leave_room to authenticated;

create function public.increment_participant_count(room_id text) returns void
  language sql volatile set search_path = '' as $$ select private.join_room(room_id) $$;
comment on function public.increment_participant_count(text) is 'The caller is in the room for the next 90 seconds; call again every 30 to stay.';
grant execute on function public.increment_participant_count to authenticated;

create function public.decrement_participant_count(room_id text) returns void
  language sql volatile set search_path = '' as $$ select private.leave_room(room_id) $$;
comment on function public.decrement_participant_count(text) is 'The caller leaves the room. Further calls do nothing.';
grant execute on function public.decrement_participant_count to authenticated;

-- Skips rows that another process has locked.
-- @rpc service_role
-- Server: delete expired room leases; returns their number.
create function private.expire_room_leases() returns integer
  language sql volatile security definer set search_path = '' as $$
  with due as materialized (
    select l.user_id, l.chat_room_id from private.room_leases l where l.expires_at < clock_timestamp()
    order by l.user_id, l.chat_room_id limit 10000 for update skip locked
  ), gone as (
    delete from private.room_leases l using due d
    where l.user_id = d.user_id and l.chat_room_id = d.chat_room_id returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.expire_room_leases() is 'Deletes the expired leases and returns their number.';

create policy select_signed_in on public.chat_rooms for select to authenticated
  using (is_active and (select private.session_is_live()));
comment on policy select_signed_in on public.chat_rooms is 'Names, purposes and levels of rooms, for every signed-in account.';
