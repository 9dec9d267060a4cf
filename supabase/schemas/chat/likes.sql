-- Likes of messages. user_id references the account, not the profile, so that a message embeds one profile: its author.
create table public.message_likes (
  user_id uuid not null references auth.users (id) on delete cascade,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id)
);
grant select, insert, update, delete on public.message_likes to service_role;
grant delete,
  select (user_id, message_id, created_at),
  insert (user_id, message_id)
  on public.message_likes to authenticated;
comment on table public.message_likes is 'Likes of messages; chat_messages.like_count is their number.';
create index message_likes_message_id_idx on public.message_likes (message_id);
alter table public.message_likes enable row level security;

create policy select_own on public.message_likes for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.message_likes for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy delete_own on public.message_likes for delete to authenticated
  using (user_id = (select auth.uid()));

-- Takes no lock: the counting trigger takes its locks later, in order.
create function private.require_like_allowed(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.chat_messages m
    where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  ) then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if not exists (select from public.message_likes l where l.user_id = caller and l.message_id = message) then
    perform private.enforce_rate_limit(caller, 'like');
  end if;
end
$$;
comment on function private.require_like_allowed(uuid) is 'Raises FF316 or FF300 unless the caller may like this message now.';
grant execute on function private.require_like_allowed to authenticated;

create function private.tg_message_likes__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id is not distinct from auth.uid() then
    perform private.require_like_allowed(new.message_id);
  end if;
  return new;
end
$$;
create trigger message_likes__guard_insert before insert on public.message_likes
  for each row execute function private.tg_message_likes__guard_insert();

-- Liking your own message is not a progress event.
create function private.tg_message_likes__add_progress_events() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(c.user_id, 'like', c.message_id::text)
  from changed c join public.chat_messages m on m.id = c.message_id
  where m.user_id <> c.user_id;
  return null;
end
$$;
create trigger message_likes__add_progress_events after insert on public.message_likes
  referencing new table as changed for each statement execute function private.tg_message_likes__add_progress_events();

-- Adds the difference instead of counting again, which stays exact under concurrency. Messages are locked in the order
-- of their ids, so that two statements over several messages cannot deadlock.
create function private.tg_message_likes__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_messages m where m.id in (select c.message_id from changed c)
    order by m.id for no key update;
  update public.chat_messages m set like_count = m.like_count + sign * t.likes
  from (select c.message_id, count(*)::integer as likes from changed c group by c.message_id) t
  where m.id = t.message_id;
  return null;
end
$$;
create trigger message_likes__count_liked after insert on public.message_likes
  referencing new table as changed for each statement execute function private.tg_message_likes__count();

create trigger message_likes__count_unliked after delete on public.message_likes
  referencing old table as changed for each statement execute function private.tg_message_likes__count();
