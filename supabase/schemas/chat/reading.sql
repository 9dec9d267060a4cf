-- How far each member has read in each room.
create table public.chat_room_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (user_id, chat_room_id)
);
grant select, insert, update, delete on public.chat_room_reads to service_role;
grant select (user_id, chat_room_id, last_read_at) on public.chat_room_reads to authenticated;
comment on table public.chat_room_reads is 'How far each member has read; written through mark_room_read.';
create index chat_room_reads_chat_room_id_idx on public.chat_room_reads (chat_room_id);
alter table public.chat_room_reads enable row level security;

create policy select_own on public.chat_room_reads for select to authenticated
  using (user_id = (select auth.uid()));

-- @rpc authenticated (room_id, up_to)
-- The caller has read the room up to this moment.
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
comment on function private.mark_room_read(text, timestamptz) is 'Moves the caller''s mark forward, never back and never beyond now.';

-- Messages of members whom the reader has blocked are folded on the screen, so they count as little as the reader's own.
create function private.unread_count(member uuid, room text) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  read_up_to constant timestamptz := coalesce(
    (select r.last_read_at from public.chat_room_reads r where r.user_id = member and r.chat_room_id = room),
    (select u.created_at from auth.users u where u.id = member)
  );
  hidden constant uuid[] := array(select b.blocked_id from private.member_blocks b where b.user_id = member);
begin
  return (
    select count(*) from (
      select from public.chat_messages m
      where m.chat_room_id = room and m.created_at > read_up_to and m.user_id <> member and m.deleted_at is null
        and m.user_id <> all (hidden)
      order by m.created_at desc limit 99
    ) unread
  );
end
$$;
comment on function private.unread_count(uuid, text) is
  'Messages that the member has not read, at most 99, without their own and those of members they have blocked.';

-- A message with what a screen shows beside it.
create type public.room_message as (
  id uuid, user_id uuid, chat_room_id text, content text, message_type text, parent_message_id uuid,
  like_count integer, created_at timestamptz, edited_at timestamptz, deleted_at timestamptz, changed_at timestamptz,
  author_first_name text, author_last_name text, author_role text, author_occupation text,
  liked_by_me boolean, parent_content text, parent_author text,
  -- Messages show the picture of their author.
  author_avatar_url text,
  -- Pages of messages: the counts come with the row; the caller's own reactions are looked up for messages that have any.
  reaction_counts jsonb,
  my_reactions text[],
  picture text,
  picture_width integer,
  picture_height integer,
  picture_alt text
);
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
    q.content, q.author, a.avatar_url, m.reaction_counts,
    case when m.reaction_counts = '{}' then '{}' else array(
      select r.reaction from public.message_reactions r
      where r.user_id = (select auth.uid()) and r.message_id = m.id order by r.reaction
    ) end,
    m.picture, m.picture_width, m.picture_height, m.picture_alt
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;
comment on function private.present_messages(public.chat_messages[]) is
  'The messages with author, the caller''s like and the beginning of the parent message, in the given order.';
grant execute on function private.present_messages to authenticated;

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
comment on function public.room_page(text, timestamptz, uuid, integer) is
  'Up to 100 messages of a room, newest first; the next page starts after created_at and id of the last one.';
grant execute on function public.room_page to authenticated;

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
comment on function public.room_changes_since(text, timestamptz, uuid, integer) is
  'Messages of a room that changed since, oldest change first; some may repeat. The next page starts after changed_at and id of the last one.';
grant execute on function public.room_changes_since to authenticated;
