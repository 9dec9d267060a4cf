-- How far each member has read in each room.
create table public.chat_room_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (user_id, chat_room_id)
);
revoke all on table public.chat_room_reads from public, anon, authenticated, service_role;
grant select, insert, update, delete on table public.chat_room_reads to service_role;
comment on table public.chat_room_reads is 'How far each member has read; written through mark_room_read.';
create index chat_room_reads_chat_room_id_idx on public.chat_room_reads (chat_room_id);
alter table public.chat_room_reads enable row level security;
grant select (user_id, chat_room_id, last_read_at) on public.chat_room_reads to authenticated;
create policy select_own on public.chat_room_reads for select to authenticated
  using (user_id = (select auth.uid()));

create function private.mark_room_read(room text, up_to timestamptz) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  insert into public.chat_room_reads as r (user_id, chat_room_id, last_read_at)
  values (caller, room, least(coalesce(up_to, clock_timestamp()), clock_timestamp()))
  on conflict (user_id, chat_room_id) do update set last_read_at = excluded.last_read_at
  where r.last_read_at < excluded.last_read_at;
end
$$;
revoke all on function private.mark_room_read from public, anon, authenticated, service_role;
comment on function private.mark_room_read(text, timestamptz) is 'Moves the caller''s mark forward, never back and never beyond now.';
grant execute on function private.mark_room_read(text, timestamptz) to authenticated;
create function public.mark_room_read(room_id text, up_to timestamptz) returns void
  language sql volatile set search_path = '' as $$ select private.mark_room_read(room_id, up_to) $$;
revoke all on function public.mark_room_read from public, anon, authenticated, service_role;
comment on function public.mark_room_read(text, timestamptz) is 'The caller has read the room up to this moment.';
grant execute on function public.mark_room_read(text, timestamptz) to authenticated;

-- Messages from before the account was created are not unread. The order by keeps the count on the room's index, where
-- it stops after 99; without it the planner prefers a slower scan.
create function private.unread_count(member uuid, room text) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  read_up_to timestamptz := coalesce(
    (select r.last_read_at from public.chat_room_reads r where r.user_id = member and r.chat_room_id = room),
    (select u.created_at from auth.users u where u.id = member)
  );
begin
  return (
    select count(*) from (
      select from public.chat_messages m
      where m.chat_room_id = room and m.created_at > read_up_to and m.user_id <> member and m.deleted_at is null
      order by m.created_at desc limit 99
    ) unread
  );
end
$$;
revoke all on function private.unread_count from public, anon, authenticated, service_role;
comment on function private.unread_count(uuid, text) is 'Messages of others the member has not read, at most 99.';

create function private.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz
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
      case when r.id = any (open_rooms) then
        (select m.created_at from public.chat_messages m where m.chat_room_id = r.id order by m.created_at desc limit 1)
      end
    from public.chat_rooms r where r.is_active order by r.min_level_required, r.display_order, r.name;
end
$$;
revoke all on function private.chat_room_overview from public, anon, authenticated, service_role;
comment on function private.chat_room_overview() is 'All rooms for the calling member; locked ones without unread and last messages.';
grant execute on function private.chat_room_overview() to authenticated;
create function public.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz
  )
  language sql stable set search_path = '' as $$ select * from private.chat_room_overview() $$;
revoke all on function public.chat_room_overview from public, anon, authenticated, service_role;
comment on function public.chat_room_overview() is 'Every room by level and name, with the caller''s unread messages (at most 99).';
grant execute on function public.chat_room_overview() to authenticated;

-- A message with what a screen shows beside it.
create type public.room_message as (
  id uuid, user_id uuid, chat_room_id text, content text, message_type text, parent_message_id uuid,
  like_count integer, created_at timestamptz, edited_at timestamptz, deleted_at timestamptz, changed_at timestamptz,
  author_first_name text, author_last_name text, author_role text, author_occupation text,
  liked_by_me boolean, parent_content text, parent_author text
);
revoke all on type public.room_message from public, anon, authenticated, service_role;
comment on type public.room_message is
  'A message with its author, whether the caller likes it, and the beginning of the message it replies to.';

-- A page of messages as a screen shows them, read with the caller's rights. The page is limited before the joins, and
-- `offset 0` keeps each join an index look-up, so that the size of the tables does not matter.
create function private.present_messages(page public.chat_messages[])
  returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;
revoke all on function private.present_messages from public, anon, authenticated, service_role;
comment on function private.present_messages(public.chat_messages[]) is
  'The messages with author, the caller''s like and the beginning of the parent message, in the given order.';
grant execute on function private.present_messages(public.chat_messages[]) to authenticated;

-- A generic plan serves every room: planning for each room costs more than reading the page.
create function public.room_page(
  room_id text, before_created_at timestamptz default null, before_id uuid default null, page_size integer default 50
) returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
declare
  size integer := least(greatest(coalesce(page_size, 50), 1), 100);
  page public.chat_messages[];
begin
  perform private.require_room(room_id);
  if before_created_at is null then
    page := array(
      select m from public.chat_messages m where m.chat_room_id = room_id
      order by m.created_at desc, m.id limit size
    );
  else
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and m.created_at <= before_created_at
        and (m.created_at < before_created_at or m.id > before_id)
      order by m.created_at desc, m.id limit size
    );
  end if;
  return query select * from private.present_messages(page);
end
$$;
revoke all on function public.room_page from public, anon, authenticated, service_role;
comment on function public.room_page(text, timestamptz, uuid, integer) is
  'Up to 100 messages of a room, newest first; the next page starts after created_at and id of the last one.';
grant execute on function public.room_page(text, timestamptz, uuid, integer) to authenticated;

-- changed_at is set before the transaction commits, so a change may become visible after a later one was read. The
-- first page therefore starts 15 seconds earlier, which is longer than a member's statement may run.
create function public.room_changes_since(
  room_id text, since timestamptz, after_id uuid default null, page_size integer default 100
) returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
declare
  size integer := least(greatest(coalesce(page_size, 100), 1), 100);
  page public.chat_messages[];
begin
  perform private.require_room(room_id);
  if after_id is null then
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and m.changed_at >= since - interval '15 seconds'
      order by m.changed_at, m.id limit size
    );
  else
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and (m.changed_at, m.id) > (since, after_id)
      order by m.changed_at, m.id limit size
    );
  end if;
  return query select * from private.present_messages(page);
end
$$;
revoke all on function public.room_changes_since from public, anon, authenticated, service_role;
comment on function public.room_changes_since(text, timestamptz, uuid, integer) is
  'Messages of a room that changed since, oldest change first; some may repeat. The next page starts after changed_at and id of the last one.';
grant execute on function public.room_changes_since(text, timestamptz, uuid, integer) to authenticated;
